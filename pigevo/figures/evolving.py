"""Evolution as a film: the champion of one generation after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from matplotlib.figure import Figure

from pigevo.arrays import Floats, Ints
from pigevo.exact import optimal, reach, win_probability
from pigevo.figures.decisions import decisions_data, first_hold_bar, refuse_other_axes, show_first_hold
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


def plot_film(best: Frame, frames: Iterable[Frame]) -> Iterator[Figure]:
    """Draw each frame beside the optimum; the figure is the same one, changed."""
    figure = Figure(figsize=(8, 4.2), layout="constrained")
    panels = figure.subplots(1, 2, sharey=True)
    first_hold_bar(
        figure,
        show_first_hold(panels[1], best.first_hold, best.turns, LEAST),
        panels,
        "turn total at which it first holds\n(paler where play seldom comes)",
    )
    panels[0].set_ylabel("opponent's score")
    panels[1].set_title(best.title)
    for frame in frames:
        for image in list(panels[0].images):
            image.remove()
        show_first_hold(panels[0], frame.first_hold, frame.turns, LEAST)
        panels[0].set_title(frame.title)
        yield figure
