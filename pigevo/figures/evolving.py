"""Evolution as a film: the champion of one generation after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pigevo.arrays import Floats, Ints
from pigevo.exact import optimal, reach, win_probability
from pigevo.figures.axes import Given, Panels, figure_of, grid_of, panels_or_new
from pigevo.figures.decisions import decisions_data, first_hold_bar, refuse_other_axes, show_first_hold
from pigevo.figures.style import styled
from pigevo.strategies import Strategy

LEAST = 0.3
"""How opaque places are to which play hardly ever comes: the whole strategy is seen, and what matters stands out."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture of the film.

    Args:
        title: what is shown.
        first_hold: turn totals at which the strategy first holds, shape (T, T), by own and opponent's score.
        turns: its expected turns of a game against the optimum that begin there, shape (T, T).
        overall: what it wins against the optimum.
    """

    title: str
    first_hold: Ints
    turns: Floats
    overall: float = 0.5


def film_data(champions: Mapping[int, Strategy]) -> tuple[Frame, list[Frame]]:
    """The optimum, and the champions one after the other.

    Args:
        champions: by generation, in the order of the film; all of one game, at least one.

    Raises:
        InputError: decisions of the game depend on other things than two scores and the turn total.
    """
    refuse_other_axes(next(iter(champions.values())).game)
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
        yield replace(frame, title=f"generation {number}: {frame.overall:.2%}")


def frame_data(title: str, strategy: Strategy, best: Strategy) -> Frame:
    """The picture of one strategy in play against the optimum."""
    turns = reach(strategy, best).overall[:, :, 0].copy()
    return Frame(title, decisions_data(strategy).first_hold, turns, win_probability(strategy, best).overall)


@styled
def plot_frame(best: Frame, frame: Frame, ax: Given = None) -> Panels:
    """Draw one picture of the film: a champion beside the optimum.

    Args:
        best: the optimum.
        frame: the champion.
        ax: two panels; by default in a figure of its own.
    """
    panels = panels_or_new(ax, 2, grid_of(2, 2, (4.5, 4.4), sharey=True))
    image = show_first_hold(panels[1], best.first_hold, best.turns, LEAST)
    label = "turn total at which it first holds\n(paler where play seldom comes)"
    first_hold_bar(figure_of(panels), image, panels, label)
    panels[0].set_ylabel("opponent's score")
    panels[1].set_title(best.title)
    _show(panels[0], frame)
    return panels


@styled
def _show(ax: Axes, frame: Frame) -> None:
    for image in list(ax.images):
        image.remove()
    show_first_hold(ax, frame.first_hold, frame.turns, LEAST)
    ax.set_title(frame.title)


def film_figures(best: Frame, frames: Iterable[Frame]) -> Iterator[Figure]:
    """The figure of each frame, one after the other; it is the same one, changed."""
    panels: Panels | None = None
    for frame in frames:
        if panels is None:
            panels = plot_frame(best, frame)
        else:
            _show(panels[0], frame)
        yield figure_of(panels)
