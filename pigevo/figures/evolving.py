"""Evolution as a film, the champion of one generation after the other in any game, and what evolution learned."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.patches import Rectangle

from pigevo.core.arrays import Floats, Ints
from pigevo.errors import InputError
from pigevo.exact import gene_importance, optimal, reach, win_probability
from pigevo.figures.axes import AMOUNTS, COLORS, Given, Panels, color_bar, figure_of, grid_of, panels_or_new, styled
from pigevo.figures.character import Hold, hold_data
from pigevo.figures.decisions import Decisions, decisions_data, first_hold_bar, highest, seen_turns, show_first_hold
from pigevo.figures.portrait import refuse_undrawable
from pigevo.strategies import Strategy

LEAST = 0.3
"""The opacity of states that play hardly ever reaches: the whole strategy is visible, and what matters stands out."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture of the film.

    Args:
        title: what is shown.
        decisions: where the strategy first holds.
        turns: by the two axes that are drawn, its expected turns of a game against the optimum that begin there.
        holds: what it does at typical places, in a game of which no picture over two axes tells the truth; else empty.
        overall: what it wins against the optimum.
    """

    title: str
    decisions: Decisions
    turns: Floats
    holds: tuple[Hold, ...] = ()
    overall: float = 0.5


def film_data(champions: Mapping[int, Strategy]) -> tuple[Frame, list[Frame]]:
    """The optimum, and the champions one after the other.

    Args:
        champions: by generation, in the order of the film; all of one game, at least one.
    """
    best = optimal(next(iter(champions.values())).game).strategy
    return frame_data("optimum", best, best), list(frames_of(champions.items(), best))


def frames_of(champions: Iterable[tuple[int, Strategy]], best: Strategy) -> Iterator[Frame]:
    """The pictures of champions, given with their generations, each made when it is asked for."""
    for number, champion in champions:
        frame = frame_data("", champion, best)
        yield replace(frame, title=f"generation {number}: {100 * frame.overall:.2f} %")


def frame_data(title: str, strategy: Strategy, best: Strategy) -> Frame:
    """The picture of one strategy in play against the optimum."""
    turns = seen_turns(strategy.game, reach(strategy, best).overall)
    holds = () if _is_drawn(strategy) else hold_data(strategy)
    return Frame(title, decisions_data(strategy), turns, holds, win_probability(strategy, best).overall)


@styled
def plot_frame(best: Frame, frame: Frame, ax: Given = None) -> Panels:
    """Draw one picture of the film: a champion beside the optimum.

    Args:
        best: the optimum.
        frame: the champion.
        ax: two panels, or one in games whose hold values are drawn; by default in a figure of its own.
    """
    if best.holds:
        return (_values(best, frame, *panels_or_new(ax, 1, grid_of(1, 1, (9, 4.4)))),)
    panels = panels_or_new(ax, 2, grid_of(2, 2, (4.5, 4.4), sharey=True))
    image = show_first_hold(panels[1], best.decisions.first_hold, best.turns, LEAST, best.decisions)
    label = "turn total at which it first holds\n(paler where play seldom comes)"
    first_hold_bar(figure_of(panels), image, panels, label)
    panels[0].set_ylabel(best.decisions.axes[1])
    panels[1].set_title(best.title)
    _show(panels[0], frame)
    return panels


@styled
def _show(ax: Axes, frame: Frame) -> None:
    for image in list(ax.images):
        image.remove()
    show_first_hold(ax, frame.decisions.first_hold, frame.turns, LEAST, frame.decisions)
    ax.set_title(frame.title)


def film_figures(best: Frame, frames: Iterable[Frame]) -> Iterator[Figure]:
    """The figure of each frame, one after the other; it is the same one, changed."""
    panels: Panels | None = None
    for frame in frames:
        if panels is None:
            panels = plot_frame(best, frame)
        elif best.holds:
            _values(best, frame, *panels)
        else:
            _show(panels[0], frame)
        yield figure_of(panels)
        figure_of(panels).set_layout_engine("none")  # where everything stands in the first frame it stays


@styled
def _values(best: Frame, frame: Frame, axes: Axes) -> Axes:
    """The hold values at typical places; that of a strategy that rolls until it has won lies at the right edge."""
    edge = max(2, round(1.2 * best.decisions.target))
    axes.clear()
    for one, marker in ((best, "o"), (frame, "D")):
        _plot_holds(axes, one, edge, marker)
    said = "turn total at which it first holds (at the right edge: it rolls until it has won, or must hold)"
    axes.set(title=frame.title, xlabel=said, xlim=(-0.03 * edge, 1.03 * edge))
    axes.invert_yaxis()
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
    return axes


def _plot_holds(axes: Axes, frame: Frame, edge: int, marker: str) -> None:
    at = [edge if hold.first is None else hold.first for hold in frame.holds]
    labels = [hold.place for hold in frame.holds]
    axes.plot(at, labels, marker, label=frame.title if frame.title == "optimum" else "champion", ms=9, fillstyle="none")


def _is_drawn(strategy: Strategy) -> bool:
    try:
        refuse_undrawable(strategy)
    except InputError:
        return False
    return True


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
        InputError: the game is not a race with one die.
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
        image = _hatched(axes, np.where(seen, holds, np.nan), f"{name} first holds at", colors)
        color_bar(image, axes, "turn total", extend="max")
    title = "the champion holds later (▲) or earlier (▼)"
    _hatched(panels[2], np.where(seen, 1.0, np.nan), title, {"cmap": "gray", "vmin": 0, "vmax": 1})
    for sign, mark, color in ((1, "^", COLORS[2]), (-1, "v", COLORS[0])):
        own, opponent = np.nonzero(seen & (np.sign(data.champion - data.best) == sign))
        panels[2].plot(own + 0.5, opponent + 0.5, mark, ms=5, color=color, ls="", clip_on=False)
    image = _hatched(
        panels[3], worth, "what its decisions are worth", {"cmap": AMOUNTS, "norm": LogNorm(WORTHLESS, 1e-2)}
    )
    color_bar(image, panels[3], "win probability", extend="max")
    if ax is None:
        figure_of(panels).suptitle(
            f"{100 * data.agreement:.2f} % of the decisions that arise in play are the optimum's "
            f"({100 * data.cells_agree:.1f} % of all cells)\n"
            f"hatched: fewer than 1 turn in {1 / SELDOM:,.0f} games begins there, or worth below {WORTHLESS:g}",
            fontsize=12,
        )
    return panels


def _hatched(axes: Axes, numbers: Floats, title: str, colors: Mapping[str, Any]) -> AxesImage:
    """Numbers over both scores; those that are NaN are hatched."""
    frame: dict[str, Any] = {"transform": axes.transAxes, "facecolor": "w", "edgecolor": "0.75", "lw": 0, "zorder": 0}
    axes.add_patch(Rectangle((0, 0), 1, 1, hatch="////", **frame))
    axes.set(title=title, xlabel="own score", ylabel="opponent's score")
    extent = (0, len(numbers), 0, len(numbers))
    return axes.imshow(numbers.T, origin="lower", extent=extent, interpolation="nearest", **colors)
