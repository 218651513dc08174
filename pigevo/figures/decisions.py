"""A strategy at a glance: the turn total at which it first holds, for every pair of scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

from pigevo.arrays import Floats, Ints
from pigevo.strategies import Strategy


@dataclass(frozen=True, eq=False)
class Decisions:
    """What the picture shows.

    Args:
        name: the strategy's.
        target: points of the game.
        first_hold: the smallest turn total at which it holds, or wins, shape (T, T), by own
            and opponent's score.
        agrees: for which share of the pairs of scores that number says all: the strategy
            holds at every larger turn total too.
    """

    name: str
    target: int
    first_hold: Ints
    agrees: float


def decisions_data(strategy: Strategy) -> Decisions:
    """The turn totals at which a strategy first holds."""
    roll = strategy.roll
    target = strategy.game.target
    first = np.where(roll.all(axis=2), target, roll.argmin(axis=2))
    own = np.arange(target)[:, None]
    first = np.minimum(first, target - own)
    total = np.arange(target)
    simple = ~(roll & (total > first[:, :, None])).any(axis=2)
    return Decisions(strategy.name, target, first, float(simple.mean()))


def show_first_hold(axes: Axes, first_hold: Ints, turns: Floats) -> AxesImage:
    """Show where a strategy first holds, faded where its turns seldom begin.

    Args:
        axes: where.
        first_hold: turn totals, shape (T, T), by own and opponent's score.
        turns: expected turns of a game that begin there, shape (T, T).
    """
    shown = np.clip(1 + np.log10(np.maximum(turns, 1e-12) / 1e-2) / 3, 0.03, 1)
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
            data.first_hold.T, origin="lower", cmap="viridis", vmin=0, vmax=top, extent=(0, data.target, 0, data.target)
        )
        axes.set(title=data.name, xlabel="own score")
    panels[0].set_ylabel("opponent's score")
    figure.colorbar(image, ax=panels, label="turn total at which it first holds (or wins)", extend="max", shrink=0.85)
    return figure
