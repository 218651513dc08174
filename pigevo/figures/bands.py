"""Bands: where most of many runs lie, point by point along an axis."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes

from pigevo.arrays import Floats
from pigevo.errors import InputError
from pigevo.figures.axes import axes_or_new
from pigevo.figures.style import line, styled

FEW = 3
"""Bands whose tints can lie one above the other and still be told apart."""


@dataclass(frozen=True, eq=False)
class Band:
    """The middle and the spread of many runs.

    Args:
        x: places along the axis, shape (points,).
        median: of the runs at each place, shape (points,).
        low, high: quantiles between which the share `level` of the runs lies, shape (points,).
        level: that share.
        runs: how many there are.
    """

    x: Floats
    median: Floats
    low: Floats
    high: Floats
    level: float
    runs: int


def band(values: Floats, level: float = 0.9, x: Floats | None = None) -> Band:
    """The band of many runs.

    Args:
        values: a figure of each run at each place, shape (runs, points).
        level: the share of the runs that shall lie inside, point by point.
        x: the places, shape (points,); 0, 1, 2, ... by default.

    Raises:
        InputError: there are no runs, a level is no share, or `x` has another length.
    """
    values = np.asarray(values, dtype=float)
    if values.ndim != 2 or not values.size:
        raise InputError(f"a band needs values of shape (runs, points), not {values.shape}.")
    if not 0 < level < 1:
        raise InputError(f"level = {level} is out of range: it must be above 0 and below 1.")
    places = np.arange(values.shape[1], dtype=float) if x is None else np.asarray(x, dtype=float)
    if places.shape != values.shape[1:]:
        raise InputError(f"a band of {values.shape[1]} points needs as many places, not {places.shape}.")
    low, median, high = np.quantile(values, ((1 - level) / 2, 0.5, (1 + level) / 2), axis=0)
    return Band(places, median, low, high, level, len(values))


@styled
def plot_bands(bands: Mapping[str, Band], numbers: Mapping[str, int] | None = None, ax: Axes | None = None) -> Axes:
    """Draw bands: a line for each median, and a tint for each spread, with an edge where tints are many.

    Args:
        bands: by the label of each.
        numbers: of the colours and dashes of some or all labels; the others take theirs in order.
        ax: where; labels of the axes and limits are the caller's.
    """
    axes = axes_or_new(ax, (10, 5.6))
    tint = 0.22 if len(bands) <= FEW else 0.07
    for number, (label, one) in enumerate(bands.items()):
        look = line((numbers or {}).get(label, number))
        axes.fill_between(one.x, one.low, one.high, color=look["color"], alpha=tint, lw=0)
        axes.plot(one.x, one.median, **look, label=label)
    return axes
