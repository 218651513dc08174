"""Curves against what they cost: strategies evaluated, games played, or seconds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from pigevo.core.arrays import Floats
from pigevo.errors import unknown
from pigevo.figures.axes import Given, Panels, axes_or_new, figure_of, grid_of, panels_or_new
from pigevo.figures.labels import label_ends
from pigevo.figures.style import LEAST, WIDTH, line, styled

Axis = Literal["evaluations", "games", "seconds", "generation"]
AXES = {
    "evaluations": "strategies evaluated",
    "games": "games played",
    "seconds": "seconds",
    "generation": "generations",
}
POINTS = 120
FEW = 4
"""Curves whose ranges can be told apart."""

ACROSS = 4
"""Panels side by side at most."""

SMALLEST = 1e-7
"""The smallest distance that a logarithmic scale shows."""


@dataclass(frozen=True, eq=False)
class Spent:
    """What several runs had reached for what they had spent.

    Args:
        axis: what is spent, one of `AXES`.
        x: amounts, ascending, shape (points,).
        best: the best of the population against the optimum at that moment, shape (runs, points); NaN before the
            first record; a run that has ended keeps what it had.
    """

    axis: str
    x: Floats
    best: Floats


def spent_data(runs: Sequence[Mapping[str, np.ndarray]], axis: Axis = "evaluations") -> Spent:
    """The curves of runs with the same settings on one axis.

    Args:
        runs: the metrics of each, columns by name (`Run.metrics`).
        axis: what they are drawn against.

    Raises:
        InputError: no such axis.
    """
    if axis not in AXES:
        raise unknown("axis", str(axis), AXES)
    places = [metrics[axis].astype(float) for metrics in runs]
    values = [metrics["best"].astype(float) for metrics in runs]
    least = min(min(p[p > 0], default=1.0) for p in places)
    x = np.geomspace(least, max(max(p.max() for p in places), least * 1.001), POINTS)
    best = np.full((len(runs), POINTS), np.nan)
    for n, (at, value) in enumerate(zip(places, values, strict=True)):
        last = np.searchsorted(at, x, side="right") - 1
        seen = last >= 0
        best[n, seen] = value[last[seen]]
    return Spent(axis, x, best)


@styled
def plot_spent(curves: Mapping[str, Spent], ax: Axes | None = None) -> Axes:
    """Draw the distance from the optimum, on logarithmic scales, with the name of each curve at its end.

    Lines are medians; tints are ranges, if there are few lines.

    Args:
        curves: by the label of each.
        ax: where; by default in a figure of its own.
    """
    axes = axes_or_new(ax, (10, 5.8))
    drawn = {}
    for number, (label, data) in enumerate(curves.items()):
        look, many = line(number), len(curves) > FEW
        drawn[f"{label} ({len(data.best)})"] = _draw(axes, data, look, 0.0 if many else 0.15)
    _frame(axes, next(iter(curves.values())), "0.5 minus the best member's win probability")
    title = "name (runs); line: median" + ("" if len(curves) > FEW else "; tint: range")
    axes.set_title(title, fontsize=LEAST, loc="left")
    label_ends(axes, drawn)
    return axes


@styled
def plot_beside(curves: Mapping[str, Spent], ax: Given = None) -> Panels:
    """Draw each curve in a panel of its own beside the first one, which is dashed in all; the worst first.

    Args:
        curves: by the label of each, two at least, all against the same.
        ax: a panel for each but the first; by default in a figure of its own.
    """
    (first, whole), *others = curves.items()
    others.sort(key=lambda pair: -float(np.median(_gap(pair[1].best[:, -1]))))
    new = grid_of(len(others), ACROSS, (WIDTH / min(ACROSS, len(others)), 2.5), sharex=True, sharey=True)
    panels = panels_or_new(ax, len(others), new)
    for number, (axes, (label, data)) in enumerate(zip(panels, others, strict=True)):
        _draw(axes, whole, line(1), 0.3)
        _draw(axes, data, line(0), 0.2)
        _frame(axes, data, "")
        axes.set_xlabel(AXES[data.axis] if number + ACROSS >= len(others) else "")
        axes.tick_params(labelbottom=number + ACROSS >= len(others))
        axes.set_title(label, fontsize=LEAST)
    if ax is None:
        figure = figure_of(panels)
        figure.supylabel("0.5 minus the best member's win probability", fontsize=12)
        figure.suptitle(f"dashed: {first}; solid: what the panel names; line: median, tint: range", fontsize=12)
    return panels


def _draw(axes: Axes, data: Spent, look: Mapping[str, Any], tint: float) -> Line2D:
    seen = ~np.isnan(data.best).all(axis=0)
    gap = _gap(data.best[:, seen])
    (drawn,) = axes.plot(data.x[seen], np.nanmedian(gap, axis=0), **look)
    if tint:
        low, high = np.nanmin(gap, axis=0), np.nanmax(gap, axis=0)
        axes.fill_between(data.x[seen], low, high, color=drawn.get_color(), alpha=tint, lw=0)
    return drawn


def _gap(best: Floats) -> Floats:
    return np.maximum(0.5 - best, SMALLEST)


def _frame(axes: Axes, data: Spent, up: str) -> None:
    axes.set(xscale="log", yscale="log", xlabel=AXES[data.axis], ylabel=up)
    axes.grid(alpha=0.3, lw=0.5)
    axes.autoscale_view()
