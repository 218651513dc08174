"""How many generations the published decays took, and how many ours take for the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pigevo.core.arrays import Floats

from ..common.group import Group
from ..common.tables import BAND_SHARE, table
from .rows import short

DECAYS = ("figure_5", "figure_6", "figure_13", "figure_16")
"""Good strategies that mutation spoils: their curves only fall until they are flat."""
BESIDE = {"figure_13": "figure_6", "figure_16": "figure_6"}
"""Figures of one algorithm and one mutation rate that differ in the strategies that they begin with."""
LEVEL = 0.2


def generation_of(group: Group, level: float) -> Floats:
    """When each run's mean is first down at a level, on the line between two records; infinite if never.

    Args:
        group: the runs.
        level: a win probability below those that they begin with.

    Returns:
        Generations, shape (seeds,).
    """
    found = np.full(len(group.mean), np.inf)
    for number, course in enumerate(group.mean):
        below = np.flatnonzero(course <= level)
        if len(below):
            last = max(int(below[0]), 1)
            places = slice(last - 1, last + 1)
            found[number] = np.interp(-level, -course[places], group.generation[places])
    return found


def as_markdown(groups: Mapping[str, Group], published: Mapping[str, Any]) -> str:
    """Two tables: the share of the published generations that ours take, and how two decays compare."""
    shares, ratios = [], []
    for name in DECAYS:
        for generation, level in published[name]["points"]:
            if 0 < generation < published[name]["flat_from"]:
                ours = generation_of(groups[name], level)
                bands = _band(ours, ".1f"), _band(ours / generation, ".2f")
                shares.append((short(name), f"{level:g}", generation, *bands))
    for name, other in BESIDE.items():
        said = _published(published[name]) / _published(published[other])
        a, b = (group.by_seed(generation_of(group, LEVEL)) for group in (groups[name], groups[other]))
        ratio = np.array([a[seed] / b[seed] for seed in sorted(a.keys() & b.keys())])
        ratios.append((f"{short(name)} / {short(other)}", f"{said:.2f}", _band(ratio, ".2f")))
    return "\n".join([
        "Generations until the mean of the population is down at a level: the median and the 90 % band of our runs.\n",
        table(["figure", "level", "published", "ours", "share of the published"], shares),
        f"The generations until {LEVEL:g} of two figures, divided seed by seed. However a generation is counted, this "
        "ratio stays the same.\n", table(["figures", "published", "ours"], ratios),
    ])  # fmt: skip


def _published(said: Mapping[str, Any]) -> float:
    """The generation at which a published curve is at the level that all these curves pass."""
    return float(next(generation for generation, value in said["points"] if value == LEVEL))


def _band(values: Floats, form: str) -> str:
    levels = ((1 - BAND_SHARE) / 2, 0.5, (1 + BAND_SHARE) / 2)
    low, middle, high = np.quantile(values, levels, method="nearest")  # between infinite ones there is no line
    said = [f"{value:{form}}" if np.isfinite(value) else "never" for value in (middle, low, high)]
    return f"{said[0]} ({said[1]} to {said[2]})"
