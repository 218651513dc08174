"""Curves against what they cost: strategies evaluated, games played, or seconds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from matplotlib.axes import Axes

from pigevo.arrays import Floats
from pigevo.errors import unknown
from pigevo.figures.axes import add_legend, axes_or_new
from pigevo.figures.bands import DASHES

Axis = Literal["evaluations", "games", "seconds", "generation"]
AXES = {
    "evaluations": "strategies evaluated",
    "games": "games played",
    "seconds": "seconds",
    "generation": "generations",
}
POINTS = 120
FEW, COLOURS = 8, 10


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


def plot_spent(curves: Mapping[str, Spent], ax: Axes | None = None) -> Axes:
    """Draw the distance from the optimum, on logarithmic scales: lines are medians, tints ranges (if lines are few).

    Args:
        curves: by the label of each.
        ax: where; by default in a figure of its own.
    """
    many = len(curves) > FEW
    axes = axes_or_new(ax, (10 if many else 8, 5))
    for number, (label, data) in enumerate(curves.items()):
        seen = ~np.isnan(data.best).all(axis=0)
        gap = np.maximum(0.5 - data.best[:, seen], 1e-7)
        dashes = DASHES[number // COLOURS % len(DASHES)]
        (line,) = axes.plot(data.x[seen], np.nanmedian(gap, axis=0), dashes, label=f"{label} ({len(gap)})")
        if not many:
            low, high = np.nanmin(gap, axis=0), np.nanmax(gap, axis=0)
            axes.fill_between(data.x[seen], low, high, color=line.get_color(), alpha=0.15, lw=0)
    axis = next(iter(curves.values())).axis
    axes.set(xscale="log", yscale="log", xlabel=AXES[axis], ylabel="0.5 minus the best member's win probability")
    axes.grid(alpha=0.3, which="both", lw=0.5)
    title = "setting (runs): median" + ("" if many else ", range")
    add_legend(axes, ax is None, title=title, fontsize="small", loc="outside right upper", frameon=False)
    return axes
