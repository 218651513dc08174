"""What evolution learned: a champion beside the optimum, where play comes, and what each decision is worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.colors import LogNorm

from pigevo.arrays import Floats, Ints
from pigevo.errors import InputError
from pigevo.exact import gene_importance, optimal, reach
from pigevo.figures.axes import Given, Panels, color_bar, figure_of, grid_of, panels_or_new
from pigevo.figures.decisions import decisions_data, highest
from pigevo.figures.style import AMOUNTS, ODDS, PALE, styled
from pigevo.strategies import Strategy

SELDOM = 1e-3
"""Expected turns of a game below which a pair of scores is left grey."""

WORTHLESS = 1e-7
"""Win probability below which a decision is left grey."""

FAR = 10
"""Points of the turn total at which the colours of a difference end."""


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
    asked = np.broadcast_to(game.asked, game.shape)
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
    """Draw where champion and optimum first hold, by how much they differ, and what decisions are worth.

    Only scores are coloured at which turns begin in play; the others nothing has selected.

    Args:
        data: of `learned_data`.
        ax: four panels; by default in a figure of its own.
    """
    panels = panels_or_new(ax, 4, grid_of(4, 2, (5, 4.6), sharex=True, sharey=True))
    extent = (0, data.target, 0, data.target)
    seen = data.turns >= SELDOM
    worth = np.where(data.importance >= WORTHLESS, data.importance, np.nan)
    most = highest(data.target)
    later = np.where(seen, data.champion - data.best, np.nan)
    shown: tuple[tuple[str, Floats, dict[str, Any], str], ...] = (
        ("the champion first holds at", np.where(seen, data.champion, np.nan), {"vmin": 0, "vmax": most}, "turn total"),
        ("the optimum first holds at", np.where(seen, data.best, np.nan), {"vmin": 0, "vmax": most}, "turn total"),
        ("the champion holds later by", later, {"vmin": -FAR, "vmax": FAR, "cmap": ODDS}, "points of the turn total"),
        ("its decisions are worth", worth, {"norm": LogNorm(WORTHLESS, 1e-2)}, "win probability"),
    )
    for axes, (title, numbers, colors, unit) in zip(panels, shown, strict=True):
        axes.set_facecolor(PALE)
        image = axes.imshow(
            numbers.T, origin="lower", extent=extent, interpolation="nearest", **{"cmap": AMOUNTS, **colors}
        )
        axes.set(title=title, xlabel="own score", ylabel="opponent's score")
        color_bar(image, axes, unit, extend="max" if most in colors.values() else "both")
    if ax is None:
        figure_of(panels).suptitle(
            f"{data.agreement:.2%} of the decisions that play asks are the optimum's ({data.cells_agree:.1%} of all "
            f"cells)\ngrey: fewer than 1 turn in {1 / SELDOM:,.0f} games begins there, or worth below {WORTHLESS:g}",
            fontsize=12,
        )
    return panels
