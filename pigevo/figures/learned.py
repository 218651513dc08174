"""What evolution learned: a champion beside the optimum, where play comes, and what each decision is worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.image import AxesImage
from matplotlib.patches import Rectangle

from pigevo.core.arrays import Floats, Ints
from pigevo.errors import InputError
from pigevo.exact import gene_importance, optimal, reach
from pigevo.figures.axes import Given, Panels, color_bar, figure_of, grid_of, panels_or_new
from pigevo.figures.decisions import decisions_data, highest
from pigevo.figures.style import AMOUNTS, COLORS, styled
from pigevo.strategies import Strategy

SELDOM = 1e-3
"""Expected turns of a game below which a pair of scores is left out."""

WORTHLESS = 1e-7
"""Win probability below which a decision is left out."""


@dataclass(frozen=True, eq=False)
class Learned:
    """A champion beside the optimum.

    Args:
        target: points of the game.
        champion, best: turn totals at which the champion and the optimum first hold, shape (T, T), by own
            and opponent's score.
        turns: expected number of the champion's turns that begin at each pair of scores, shape (T, T).
        agreement: the share of the champion's decisions, weighted by how often play asks them, that are the optimum's.
        cells_agree: the share of all asked cells that are the optimum's.
        importance: win probability that the champion's decisions at each pair of scores are worth, summed over turn
            totals where they are the better ones, shape (T, T).
    """

    target: int
    champion: Ints
    best: Ints
    turns: Floats
    agreement: float
    cells_agree: float
    importance: Floats


def learned_data(champion: Strategy) -> Learned:
    """Compare a champion with the optimum of its game, in play against it.

    Raises:
        InputError: the game is no race of one die.
    """
    game = champion.game
    if not game.one_die:
        raise InputError(f"what a champion has learned is drawn for races of one die, not for {game}.")
    best = optimal(game).strategy
    visits = reach(champion, best).overall
    asked = np.broadcast_to(game.decision_states, game.shape)
    weights = np.where(asked, visits, 0.0)
    same = champion.roll == best.roll
    return Learned(
        target=game.target,
        champion=decisions_data(champion).first_hold,
        best=decisions_data(best).first_hold,
        turns=visits[:, :, 0],
        agreement=float(weights[same].sum() / weights.sum()) if weights.any() else 1.0,
        cells_agree=float(same[asked].mean()),
        importance=np.maximum(gene_importance(champion, best), 0).sum(axis=2),
    )


@styled
def plot_learned(data: Learned, ax: Given = None) -> Panels:
    """Draw where champion and optimum first hold, where they differ, and what the champion's decisions are worth.

    Only scores are coloured at which turns begin in play; the others nothing has selected.

    Args:
        data: of `learned_data`.
        ax: four panels; by default in a figure of its own.
    """
    panels = panels_or_new(ax, 4, grid_of(4, 2, (5, 4.6), sharex=True, sharey=True))
    seen = data.turns >= SELDOM
    worth = np.where(data.importance >= WORTHLESS, data.importance, np.nan)
    for axes, holds, name in ((panels[0], data.champion, "the champion"), (panels[1], data.best, "the optimum")):
        colors = {"cmap": AMOUNTS, "vmin": 0, "vmax": highest(data.target)}
        image = _show(axes, np.where(seen, holds, np.nan), f"{name} first holds at", colors)
        color_bar(image, axes, "turn total", extend="max")
    title = "the champion holds later (▲) or earlier (▼)"
    _show(panels[2], np.where(seen, 1.0, np.nan), title, {"cmap": "gray", "vmin": 0, "vmax": 1})
    for sign, mark, color in ((1, "^", COLORS[2]), (-1, "v", COLORS[0])):
        own, opponent = np.nonzero(seen & (np.sign(data.champion - data.best) == sign))
        panels[2].plot(own + 0.5, opponent + 0.5, mark, ms=5, color=color, ls="", clip_on=False)
    image = _show(panels[3], worth, "what its decisions are worth", {"cmap": AMOUNTS, "norm": LogNorm(WORTHLESS, 1e-2)})
    color_bar(image, panels[3], "win probability", extend="max")
    if ax is None:
        figure_of(panels).suptitle(
            f"{100 * data.agreement:.2f} % of the decisions that arise in play are the optimum's "
            f"({100 * data.cells_agree:.1f} % of all cells)\n"
            f"hatched: fewer than 1 turn in {1 / SELDOM:,.0f} games begins there, or worth below {WORTHLESS:g}",
            fontsize=12,
        )
    return panels


def _show(axes: Axes, numbers: Floats, title: str, colors: Mapping[str, Any]) -> AxesImage:
    """Numbers over both scores; those that are NaN are hatched."""
    frame: dict[str, Any] = {"transform": axes.transAxes, "facecolor": "w", "edgecolor": "0.75", "lw": 0, "zorder": 0}
    axes.add_patch(Rectangle((0, 0), 1, 1, hatch="////", **frame))
    axes.set(title=title, xlabel="own score", ylabel="opponent's score")
    extent = (0, len(numbers), 0, len(numbers))
    return axes.imshow(numbers.T, origin="lower", extent=extent, interpolation="nearest", **colors)
