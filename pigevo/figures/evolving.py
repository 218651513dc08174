"""Evolution as a film: the champion of one generation after the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from matplotlib.figure import Figure

from pigevo.arrays import Floats, Ints
from pigevo.exact import optimal, reach, win_probability
from pigevo.figures.decisions import decisions_data, first_hold_bar, refuse_other_axes, show_first_hold
from pigevo.strategies import Strategy


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture of the film.

    Args:
        title: what is shown.
        first_hold: turn totals at which the strategy first holds, shape (T, T), by own and opponent's score.
        turns: its expected turns of a game against the optimum that begin there, shape (T, T).
    """

    title: str
    first_hold: Ints
    turns: Floats


def film_data(champions: Mapping[int, Strategy]) -> tuple[Frame, list[Frame]]:
    """The optimum, and the champions one after the other.

    Args:
        champions: by generation, in the order of the film; all of one game, at least one.

    Raises:
        InputError: decisions of the game depend on other things than two scores and the turn total.
    """
    refuse_other_axes(next(iter(champions.values())).game)
    best = optimal(next(iter(champions.values())).game).strategy

    def frame(title: str, strategy: Strategy) -> Frame:
        return Frame(title, decisions_data(strategy).first_hold, reach(strategy, best).overall[:, :, 0])

    return frame("optimum", best), [
        frame(f"generation {number}: {win_probability(champion, best).overall:.2%}", champion)
        for number, champion in champions.items()
    ]


def plot_film(best: Frame, frames: list[Frame]) -> Iterator[Figure]:
    """Draw each frame beside the optimum; the figure is the same one, changed."""
    figure = Figure(figsize=(8, 4.2), layout="constrained")
    panels = figure.subplots(1, 2, sharey=True)
    first_hold_bar(
        figure, show_first_hold(panels[1], best.first_hold, best.turns), panels, "turn total at which it first holds"
    )
    panels[0].set_ylabel("opponent's score")
    panels[1].set_title(best.title)
    for frame in frames:
        for image in list(panels[0].images):
            image.remove()
        show_first_hold(panels[0], frame.first_hold, frame.turns)
        panels[0].set_title(frame.title)
        yield figure
