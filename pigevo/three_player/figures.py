"""Figures of a solution for three players: curves over the target, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pigevo.arrays import Floats, Ints
from pigevo.three_player.solution import ThreeSolution

SEATS = ("first", "second", "third")


@dataclass(frozen=True, eq=False)
class Curves:
    """Curves over one axis.

    Args:
        x: the numbers of the axis, shape (n,).
        series: the curves by name, shape (n,) each; NaN leaves a gap.
        xlabel: what the horizontal axis shows, with its unit.
        ylabel: what the vertical axis shows, with its unit.
        dots: single points in addition to the curves: the curve's name, x and y.
        steps: whether curves are counts, drawn as steps.
        window: the part to show, `(x from, x to, y from, y to)`; by default all.
    """

    x: Floats | Ints
    series: Mapping[str, Floats]
    xlabel: str
    ylabel: str
    dots: tuple[tuple[str, float, float], ...] = ()
    steps: bool = False
    window: tuple[float, float, float, float] | None = None


def seats_data(solution: ThreeSolution) -> Curves:
    """Win probability by seat for every target up to the solution's.

    Args:
        solution: of the largest target; it holds those of all smaller ones.
    """
    targets = np.arange(1, solution.game.target + 1)
    table = solution.values[targets, targets, targets]
    return Curves(
        targets, {f"{seat} seat": table[:, n] for n, seat in enumerate(SEATS)}, "target", "win probability, exact"
    )


def orbits_data(solution: ThreeSolution) -> Curves:
    """How many orbits have no pure equilibrium, and how many have several of different win probabilities.

    Args:
        solution: of the largest target; it holds those of all smaller ones.
    """
    targets = np.arange(1, solution.game.target + 1)
    kinds = {"no pure equilibrium": solution.without_pure, "several equilibria": solution.several}
    series = {
        name: np.array([sum(max(o.needs) <= t for o in orbits) for t in targets], dtype=np.float64)
        for name, orbits in kinds.items()
    }
    return Curves(targets, series, "target", "orbits", steps=True)


def plot_curves(panels: Sequence[Curves]) -> Figure:
    """Draw curves side by side, each panel with its own legend.

    Args:
        panels: what each panel shows.
    """
    figure = Figure(figsize=(6.4 * len(panels), 4.4), layout="constrained")
    axes = figure.subplots(1, len(panels), squeeze=False)[0]
    for panel, curves in zip(axes, panels, strict=True):
        _draw(panel, curves)
    return figure


def _draw(axes: Axes, curves: Curves) -> None:
    colors = {}
    for number, (name, y) in enumerate(curves.series.items()):
        style = "steps-post" if curves.steps else "default"
        (line,) = axes.plot(curves.x, y, lw=1.3, label=name, color=f"C{number % 10}", drawstyle=style)
        colors[name] = line.get_color()
    for name, dot_x, dot_y in curves.dots:
        axes.plot([dot_x], [dot_y], ".", ms=4, color=colors[name])
    axes.set(xlabel=curves.xlabel, ylabel=curves.ylabel)
    if curves.window is not None:
        axes.axis(curves.window)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False, fontsize=8, ncols=2 if len(colors) > 4 else 1)
