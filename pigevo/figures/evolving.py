"""Evolution as a film of the champions of successive generations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke

from pigevo.core.arrays import Floats
from pigevo.errors import InputError
from pigevo.exact import optimal, reach, win_probability
from pigevo.figures import FIRST_IN_ROUND
from pigevo.figures.axes import (
    LEAST,
    OPTIMUM,
    WIDTH,
    Given,
    Panels,
    add_caption,
    figure_of,
    new_figure,
    panels_or_new,
    styled,
)
from pigevo.figures.character import Hold, hold_data
from pigevo.figures.curve import ROOM, Curve, draw_population, mark_waves, wave_name
from pigevo.figures.decisions import DrawnDecisions, decisions_data, draw_border, seen_turns, show_maps
from pigevo.figures.portrait import refuse_undrawable
from pigevo.games.game import SECOND
from pigevo.strategies import Strategy

OFTEN = 1e-3  # the least expected number of turns per game that begin at a place inside the outline on a map
CASING = 2.8  # the width of the dark casing of the white outline, which would not be seen on yellow
NOW = "now"  # the mark of everything in a film that is drawn anew for each frame


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture of the film.

    Args:
        title: the title of the picture.
        decisions: where the strategy first holds.
        turns: the expected number of its turns per game against the optimum that begin at each place, by the two axes
            that are drawn.
        holds: its decisions at typical places, in a game that a picture over two axes cannot show correctly; otherwise
            empty.
        overall: its win probability against the optimum.
        generation: the generation of the champion.
    """

    title: str
    decisions: DrawnDecisions
    turns: Floats
    holds: tuple[Hold, ...] = ()
    overall: float = 0.5
    generation: int = 0


def film_data(champions: Mapping[int, Strategy], curve: Curve | None = None) -> tuple[Frame, list[Frame]]:
    """The pictures of the optimum and of the champions.

    Args:
        champions: the champions by generation, in the order of the film; at least one, all for the same game.
        curve: the run's curve, whose waves are named in the titles.
    """
    best = optimal(next(iter(champions.values())).game).strategy
    waves = curve.waves if curve else ()
    return frame_data("the optimum", best, best), list(frames_of(champions.items(), best, waves))


def frames_of(
    champions: Iterable[tuple[int, Strategy]], best: Strategy, waves: Sequence[tuple[float, str]] = ()
) -> Iterator[Frame]:
    """Yield the pictures of champions, which are given with their generations.

    If there are several waves, each given by its last generation and its cube size, titles also name the wave.
    """
    for number, champion in champions:
        frame = frame_data("", champion, best)
        wave = sum(end < number for end, _ in waves[:-1])
        name = f", wave {wave + 1} ({wave_name(waves[wave][1])})" if len(waves) > 1 else ""
        yield replace(frame, title=f"generation {number:,}{name}: {100 * frame.overall:.1f} %", generation=number)


def frame_data(title: str, strategy: Strategy, best: Strategy) -> Frame:
    """The picture of one strategy in play against the optimum."""
    turns = seen_turns(strategy.game, reach(strategy, best).overall)
    holds = () if _is_drawn(strategy) else hold_data(strategy)
    return Frame(title, decisions_data(strategy), turns, holds, win_probability(strategy, best).overall)


@styled
def plot_frame(best: Frame, frame: Frame, curve: Curve | None = None, ax: Given = None) -> Panels:
    """Draw one picture of the film: a champion beside the optimum, and below them its place on the run's curve.

    Lines enclose the places at which turns often begin.

    Args:
        best: the optimum.
        frame: the champion.
        curve: the run's curve; None omits it.
        ax: two panels, or one in games whose hold values are drawn, and one more for the curve; by default in a new
            figure.
    """
    count = 1 if best.holds else 2
    panels = panels_or_new(ax, count + (curve is not None), lambda: _new(count, curve is not None))
    maps = panels[:count]
    if not best.holds:
        show_maps(maps, (frame.decisions, best.decisions))
        maps[1].set_title(best.title, pad=9)
        _outline(maps[1], best)
        if ax is None:
            outlines = f"Inside the lines: at least 1 turn in {1 / OFTEN:,.0f} games begins there."
            add_caption(maps[0], f"The share is what it wins against the optimum. {outlines} {film_caption(best)}")
    if curve is not None:
        draw_population(panels[-1], curve)
        panels[-1].axhline(curve.optimum, **OPTIMUM)
        panels[-1].set_ylabel("worst, mean, best")
        mark_waves(panels[-1], curve.waves, (1 + ROOM) / 2 * curve.optimum)
    _show(panels, best, frame)
    return panels


def film_caption(best: Frame) -> str:
    """Sentences on what the maps of a film do not show."""
    seat = [FIRST_IN_ROUND] if best.decisions.first_in_round else []
    return " ".join([*seat, "Above the turn total at which it first holds, a champion may roll again."])


def _new(count: int, with_curve: bool) -> Iterable[Axes]:
    heights = [5.4, 2.9][: 1 + with_curve]  # room for the widest square maps, whose layout is by their width
    figure = new_figure((WIDTH, sum(heights)))
    rows = np.ravel(figure.subfigures(len(heights), 1, squeeze=False, height_ratios=heights)).tolist()
    yield from np.ravel(rows[0].subplots(1, count, squeeze=False))
    yield from (row.subplots() for row in rows[1:])


def _show(panels: Panels, best: Frame, frame: Frame) -> None:
    """Draw the parts that change from frame to frame."""
    if best.holds:
        _values(best, frame, panels[0])
    else:
        panels[0].get_images()[-1].set_data(frame.decisions.first_hold.T)
        panels[0].set_title(frame.title.replace(", wave", "\nwave"), pad=9, fontsize=LEAST)
        _outline(panels[0], frame)
    if len(panels) > (1 if best.holds else 2):
        _forget(panels[-1])
        panels[-1].axvline(frame.generation, ymax=1 / ROOM, color="k", lw=1, gid=NOW)
        panels[-1].plot([frame.generation], [frame.overall], "kD", ms=7, clip_on=False, gid=NOW)


def _outline(axes: Axes, frame: Frame) -> None:
    _forget(axes)
    if (line := draw_border(axes, frame.turns >= OFTEN, frame.decisions.extent, 1.2)) is not None:
        line.set(gid=NOW, color="w", path_effects=[withStroke(linewidth=CASING, foreground="k")])


def _forget(axes: Axes) -> None:
    for artist in [*axes.lines, *axes.collections]:
        if artist.get_gid() == NOW:
            artist.remove()


def film_figures(best: Frame, frames: Iterable[Frame], curve: Curve | None = None) -> Iterator[Figure]:
    """Yield the figure of each frame; it is always the same object, changed."""
    panels: Panels | None = None
    for frame in frames:
        if panels is None:
            panels = plot_frame(best, frame, curve)
        else:
            styled(_show)(panels, best, frame)
        yield figure_of(panels)
        figure_of(panels).set_layout_engine("none")  # keep the layout of the first frame


def _values(best: Frame, frame: Frame, axes: Axes) -> Axes:
    """Draw the hold values at typical places; the right edge means that a strategy rolls until it has won."""
    edge = max(2, round(1.2 * best.decisions.target))
    axes.clear()
    for drawn, marker in ((best, "o"), (frame, "D")):
        _plot_holds(axes, drawn, edge, marker)
    label = "turn total at which it first holds (at the right edge: it rolls until it has won, or must hold)"
    if SECOND in best.holds[0].at:
        label = f"{label}\n{FIRST_IN_ROUND}"
    axes.set(title=frame.title, xlabel=label, xlim=(-0.03 * edge, 1.03 * edge))
    axes.invert_yaxis()
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
    return axes


def _plot_holds(axes: Axes, frame: Frame, edge: int, marker: str) -> None:
    at = [edge if hold.first is None else hold.first for hold in frame.holds]
    labels = [hold.place for hold in frame.holds]
    axes.plot(
        at, labels, marker, label=frame.title if frame.title == "the optimum" else "champion", ms=9, fillstyle="none"
    )


def _is_drawn(strategy: Strategy) -> bool:
    try:
        refuse_undrawable(strategy)
    except InputError:
        return False
    return True
