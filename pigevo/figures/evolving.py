"""Evolution as a film: the champion of one generation after the other, in any game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pigevo.core.arrays import Floats
from pigevo.errors import InputError
from pigevo.exact import optimal, reach, win_probability
from pigevo.figures.axes import Given, Panels, figure_of, grid_of, panels_or_new
from pigevo.figures.character import Hold, hold_data
from pigevo.figures.decisions import Decisions, decisions_data, first_hold_bar, seen_turns, show_first_hold
from pigevo.figures.portrait import refuse_undrawable
from pigevo.figures.style import styled
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
    """The pictures of champions, each made when it is asked for.

    Args:
        champions: with their generations, in the order of the film.
        best: the optimum of their game.
    """
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
    told = [hold.place for hold in frame.holds]
    axes.plot(at, told, marker, label=frame.title if frame.title == "optimum" else "champion", ms=9, fillstyle="none")


def _is_drawn(strategy: Strategy) -> bool:
    try:
        refuse_undrawable(strategy)
    except InputError:
        return False
    return True
