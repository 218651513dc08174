"""Bands: where most of many runs lie, point by point along an axis."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes

from pigevo.arrays import Floats
from pigevo.errors import InputError

DASHES = ("-", "--", "-.", ":")
"""One after the other where there are more bands than colours."""


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


def plot_bands(ax: Axes, bands: Mapping[str, Band], colors: Mapping[str, str] | None = None) -> Axes:
    """Draw the bands into `ax`: a line for each median, a tint for each spread.

    Args:
        ax: where; labels of the axes and limits are the caller's.
        bands: by the label of each.
        colors: of some or all labels; the others take matplotlib's, in order.
    """
    tint = max(0.08, 0.24 - 0.03 * len(bands))  # many tints one above the other hide what lies below
    for number, (label, one) in enumerate(bands.items()):
        color = (colors or {}).get(label, f"C{number % 10}")
        ax.fill_between(one.x, one.low, one.high, color=color, alpha=tint, lw=0)
        ax.plot(one.x, one.median, color=color, ls=DASHES[number // 10 % len(DASHES)], label=label)
    return ax
