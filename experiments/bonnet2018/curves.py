"""Figures of a solution for three players, as curves over the target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes

from pigevo.core.arrays import Floats, Ints
from pigevo.figures.axes import LEAST, WIDTH, Given, Panels, grid_of, label_ends, line, panels_or_new, set_plain, styled
from pigevo.three_player.solver import ThreeSolution

SEATS = ("first", "second", "third")


@dataclass(frozen=True, eq=False)
class Curves:
    """Curves over one axis.

    Args:
        x: the numbers of the axis, shape (n,).
        series: the curves by name, shape (n,) each; NaN leaves a gap.
        xlabel: what the horizontal axis shows, with its unit.
        ylabel: what the vertical axis shows, with its unit.
        dots: single points in addition to the curves: the name of the curve, x and y.
        dots_mean: what they are, written above the panel.
        steps: whether curves are counts, drawn as steps.
        window: the part to show, `(x from, x to, y from, y to)`; by default everything.
        log: whether the vertical axis is logarithmic.
        ordered: whether the curves are for numbers in order, so that their colours are ordered too.
    """

    x: Floats | Ints
    series: Mapping[str, Floats]
    xlabel: str
    ylabel: str
    dots: tuple[tuple[str, float, float], ...] = ()
    dots_mean: str = ""
    steps: bool = False
    window: tuple[float, float, float, float] | None = None
    log: bool = False
    ordered: bool = False


def seats_data(solution: ThreeSolution) -> Curves:
    """Win probability by seat for every target up to the solution's target.

    Args:
        solution: the solution for the largest target; it contains the solutions for all smaller targets.
    """
    targets = np.arange(1, solution.game.target + 1)
    table = solution.values[targets, targets, targets]
    return Curves(
        targets, {f"{seat} seat": table[:, n] for n, seat in enumerate(SEATS)}, "target", "win probability, exact"
    )


def orbits_data(solution: ThreeSolution) -> Curves:
    """The number of orbits without a pure equilibrium, and with several equilibria of different win probabilities.

    Args:
        solution: the solution for the largest target; it contains the solutions for all smaller targets.
    """
    targets = np.arange(1, solution.game.target + 1)
    kinds = {"no pure equilibrium": solution.without_pure, "several equilibria": solution.several}
    series = {
        name: np.array([sum(max(o.needs) <= t for o in orbits) for t in targets], dtype=np.float64)
        for name, orbits in kinds.items()
    }
    return Curves(targets, series, "target", "orbits", steps=True)


@styled
def plot_curves(panels: Sequence[Curves], ax: Given = None) -> Panels:
    """Draw curves, two panels side by side, with the name of each curve at its end.

    Args:
        panels: the curves of each panel.
        ax: a panel for each; by default in a new figure.
    """
    size = (WIDTH / min(2, len(panels)), 4.2)
    drawn = panels_or_new(ax, len(panels), grid_of(len(panels), 2, size, fill=True))
    for axes, curves in zip(drawn, panels, strict=True):
        _draw(axes, curves)
    return drawn


def _draw(axes: Axes, curves: Curves) -> None:
    lines = {}
    for number, (name, y) in enumerate(curves.series.items()):
        style = "steps-post" if curves.steps else "default"
        look = line(number, len(curves.series) if curves.ordered else 0)
        (lines[name],) = axes.plot(curves.x, y, **look, label=name, drawstyle=style)
    for name, dot_x, dot_y in curves.dots:
        axes.plot([dot_x], [dot_y], "o", ms=3.5, color=lines[name].get_color())
    axes.set(xlabel=curves.xlabel, ylabel=curves.ylabel, yscale="log" if curves.log else "linear")
    if curves.window is not None:
        axes.axis(curves.window)
    if curves.log:
        set_plain(axes.yaxis)
    axes.grid(alpha=0.3)
    if curves.dots:
        axes.set_title(curves.dots_mean, fontsize=LEAST)
    label_ends(axes, lines)
