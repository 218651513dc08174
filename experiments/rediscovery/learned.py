"""A comparison of a champion with the optimum: where they differ, and what the champion's decisions are worth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap, LogNorm
from matplotlib.image import AxesImage
from matplotlib.patches import Rectangle

from pigevo.core.arrays import Floats, Ints
from pigevo.errors import InputError
from pigevo.exact import gene_importance, optimal, reach
from pigevo.figures.axes import (
    AMOUNTS,
    COLORS,
    WIDTH,
    Given,
    Panels,
    add_caption,
    color_bar,
    figure_of,
    new_figure,
    panels_or_new,
    styled,
)
from pigevo.figures.decisions import FIRST_HOLD, decisions_data, highest
from pigevo.strategies import Strategy

SELDOM = 1e-3
"""Pairs of scores with fewer expected turns per game are not coloured."""


WORTHLESS = 1e-7
"""Decisions that are worth less win probability are not coloured."""


@dataclass(frozen=True, eq=False)
class Learned:
    """A comparison of a champion with the optimum.

    Args:
        target: points of the game.
        champion, best: turn totals at which the champion and the optimum first hold, shape (T, T), by own
            and opponent's score.
        turns: expected number of the champion's turns that begin at each pair of scores, shape (T, T).
        agreement: the share of the champion's decisions, weighted by their frequency in play, that equal the optimum's.
        cells_agree: the share of all decision states in which they are equal.
        importance: win probability that the champion's decisions at each pair of scores are worth, summed over the turn
            totals at which they are the better choice, shape (T, T).
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
        InputError: The game is not a race with one die.
    """
    game = champion.game
    if not game.one_die:
        raise InputError(f"the picture of what a champion has learned is for races of one die, not for {game}.")
    best = optimal(game).strategy
    visits = reach(champion, best).overall
    decides = np.broadcast_to(game.decision_states, game.shape)
    weights = np.where(decides, visits, 0.0)
    same = champion.roll == best.roll
    return Learned(
        target=game.target,
        champion=decisions_data(champion).first_hold,
        best=decisions_data(best).first_hold,
        turns=visits[:, :, 0],
        agreement=float(weights[same].sum() / weights.sum()) if weights.any() else 1.0,
        cells_agree=float(same[decides].mean()),
        importance=np.maximum(gene_importance(champion, best), 0).sum(axis=2),
    )


@styled
def plot_learned(data: Learned, ax: Given = None) -> Panels:
    """Draw where champion and optimum first hold, where they differ, and the value of the champion's decisions.

    Only scores at which turns begin in play are coloured; decisions at other scores have never been selected.

    Args:
        data: result of `learned_data`.
        ax: four panels; by default in a new figure.
    """
    panels = panels_or_new(ax, 4, _two_rows)
    seen = data.turns >= SELDOM
    colors = {"cmap": AMOUNTS, "vmin": 0, "vmax": highest(data.target)}
    for axes, holds, name in ((panels[0], data.champion, "the champion"), (panels[1], data.best, "the optimum")):
        image = _hatched(axes, np.where(seen, holds, np.nan), name, colors)
    color_bar(image, panels[:2], FIRST_HOLD, extend="max")
    later = np.where(seen, np.sign(data.champion - data.best), np.nan)
    colors = {"cmap": ListedColormap([COLORS[1], "#ffffff", COLORS[2]]), "vmin": -1.5, "vmax": 1.5}
    bar = color_bar(_hatched(panels[2], later, "the champion holds", colors), panels[2], "", ticks=[-1, 0, 1])
    bar.ax.set_yticklabels(["earlier", "alike", "later"])
    worth = np.where(data.importance >= WORTHLESS, data.importance, np.nan)
    colors = {"cmap": AMOUNTS, "norm": LogNorm(WORTHLESS, 1e-2)}
    image = _hatched(panels[3], worth, "what its decisions are worth", colors)
    color_bar(image, panels[3], "win probability", extend="max")
    if ax is None:
        alike = f"{100 * data.agreement:.1f} % of the decisions that arise in play"
        figure_of(panels).suptitle(f"{alike} are the optimum's ({100 * data.cells_agree:.1f} % of all cells)")
        rare = f"fewer than 1 turn in {1 / SELDOM:,.0f} games begins there"
        add_caption(panels[2], f"Hatched: {rare}, or decisions are worth less than {WORTHLESS:.7f}.")
    return panels


def _two_rows() -> Iterable[Axes]:
    """A new figure with two rows of two panels; each row makes room for its own colour bars."""
    for row in np.ravel(new_figure((WIDTH, 9.6)).subfigures(2, 1, squeeze=False)).tolist():
        yield from row.subplots(1, 2)


def _hatched(axes: Axes, numbers: Floats, title: str, colors: Mapping[str, Any]) -> AxesImage:
    """Draw numbers over both scores; NaN is hatched."""
    frame: dict[str, Any] = {"transform": axes.transAxes, "facecolor": "w", "edgecolor": "0.75", "lw": 0, "zorder": 0}
    axes.add_patch(Rectangle((0, 0), 1, 1, hatch="////", **frame))
    axes.set(title=title, xlabel="own score", ylabel="opponent's score", box_aspect=1)
    extent = (0, len(numbers), 0, len(numbers))
    return axes.imshow(numbers.T, origin="lower", extent=extent, interpolation="nearest", **colors)
