"""A strategy at a glance: the turn total at which it first holds, for every pair of scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

from pigevo.arrays import Bools, Floats, Ints
from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.games.game import DIFFERENCE, LEFT, OPPONENT, OWN, Axis
from pigevo.strategies import Strategy

AXES = {OWN: "own score", OPPONENT: "opponent's score", LEFT: "turns left", DIFFERENCE: "lead"}
"""What pictures call the axes."""


@dataclass(frozen=True, eq=False)
class Decisions:
    """What the picture shows.

    Args:
        name: the strategy's.
        target: points of the game.
        first_hold: the smallest turn total at which it holds, or wins, by the two axes that are drawn: shape (T, T),
            by own and opponent's score, in a race.
        agrees: for which share of the pairs of scores that number says all: the strategy
            holds at every larger turn total too.
        axes: the names of the two axes.
        extent: what the first and last places on them stand for.
    """

    name: str
    target: int
    first_hold: Ints
    agrees: float
    axes: tuple[str, str] = ("own score", "opponent's score")
    extent: tuple[int, int, int, int] = (0, 0, 0, 0)


def decisions_data(strategy: Strategy) -> Decisions:
    """The turn totals at which a strategy first holds, by the last two scores, or by the turns left and the lead.

    What else a decision depends on is taken as at the beginning of the game, and the number of rolls as any.
    """
    game = strategy.game
    roll, (x, y) = seen(strategy)
    first = np.where(roll.all(axis=2), game.size, roll.argmin(axis=2))
    if game.target:
        first = np.minimum(first, game.size - np.arange(game.target)[:, None])
    simple = ~(roll & (np.arange(game.size) > first[:, :, None])).any(axis=2)
    labels = AXES.get(x.name, x.name), AXES.get(y.name, y.name)
    extent = x.values[0], x.values[-1] + 1, y.values[0], y.values[-1] + 1
    return Decisions(strategy.name, game.size, first, float(simple.mean()), labels, extent)


def refuse_other_axes(game: Game) -> None:
    """Refuse a game whose turns do not begin at two scores below the target: some pictures show these and no others.

    Raises:
        InputError: it is such a game.
    """
    if [axis.name for axis in game.between] != [OWN, OPPONENT] or game.reply:
        raise InputError(f"this picture is drawn over two scores below a target, and {game} depends on more or other.")


def drawn_axes(game: Game) -> tuple[int, int]:
    """The numbers of the two axes over which a strategy is drawn."""
    names = [axis.name for axis in game.between]
    return (names.index(LEFT), names.index(DIFFERENCE)) if DIFFERENCE in names else (len(names) - 2, len(names) - 1)


def seen(strategy: Strategy) -> tuple[Bools, tuple[Axis, Axis]]:
    """Where a strategy rolls, by the two axes that are drawn and the turn total; and these axes."""
    game, drawn = strategy.game, drawn_axes(strategy.game)
    place = tuple(slice(None) if axis in drawn else 0 for axis in range(len(game.between)))
    roll = np.asarray(strategy.roll[place] > 0)
    roll = np.asarray(roll.any(axis=3)) if roll.ndim > 3 else roll
    return roll, (game.between[drawn[0]], game.between[drawn[1]])


def show_first_hold(axes: Axes, first_hold: Ints, turns: Floats, least: float = 0.03) -> AxesImage:
    """Show where a strategy first holds, faded where its turns seldom begin.

    Args:
        axes: where.
        first_hold: turn totals, shape (T, T), by own and opponent's score.
        turns: expected turns of a game that begin there, shape (T, T).
        least: how opaque the places are to which play hardly ever comes.
    """
    shown = np.clip(1 + np.log10(np.maximum(turns, 1e-12) / 1e-2) / 3, least, 1)
    target = len(turns)
    axes.set_xlabel("own score")
    return axes.imshow(
        first_hold.T, alpha=shown.T, origin="lower", cmap="viridis", vmin=0, vmax=max(40, target // 2),
        extent=(0, target, 0, target),
    )  # fmt: skip


def first_hold_bar(figure: Figure, image: AxesImage, axes: Sequence[Axes], label: str) -> None:
    """A colour bar for faded images, itself not faded."""
    bar = figure.colorbar(image, ax=axes, extend="max", shrink=0.85, label=label)
    if bar.solids is not None:
        bar.solids.set_alpha(1)


def plot_decisions(strategies: Sequence[Decisions]) -> Figure:
    """Draw strategies side by side on one colour scale."""
    figure = Figure(figsize=(1 + 4.4 * len(strategies), 4.6), layout="constrained")
    panels = figure.subplots(1, len(strategies), squeeze=False, sharey=True)[0]
    top = max(int(data.first_hold.max()) for data in strategies)
    top = min(top, max(40, strategies[0].target // 2))
    for axes, data in zip(panels, strategies, strict=True):
        image = axes.imshow(
            data.first_hold.T, origin="lower", cmap="viridis", vmin=0, vmax=top, extent=data.extent, aspect="auto"
        )
        axes.set(title=data.name, xlabel=data.axes[0])
    panels[0].set_ylabel(strategies[0].axes[1])
    figure.colorbar(image, ax=panels, label="turn total at which it first holds (or wins)", extend="max", shrink=0.85)
    return figure
