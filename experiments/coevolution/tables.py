"""What the parts of the study share: figures by setting, and how means are written."""

from __future__ import annotations

import numpy as np

from pigevo.arrays import Floats
from pigevo.intervals import mean_interval
from pigevo.studies.markdown import interval, table

from .kept import Rows

__all__ = ["apart", "by_setting", "spread", "table"]

Settings = dict[tuple[str, ...], dict[str, Floats]]
"""Figures by name, an array over seeds each, for each setting."""


def by_setting(rows: Rows, parts: int) -> Settings:
    """The figures of all seeds of each setting.

    Args:
        rows: figures by key; the last part of a key is the seed.
        parts: how many parts of a key are the setting.
    """
    found: dict[tuple[str, ...], list[dict[str, float]]] = {}
    for key, figures in rows.items():
        found.setdefault(key[:parts], []).append(figures)
    return {
        setting: {name: np.array([one[name] for one in several]) for name in several[0]}
        for setting, several in found.items()
    }


def spread(values: Floats, form: str = ".4f") -> str:
    """The mean over seeds with its 95 % interval."""
    return interval(float(np.mean(values)), *mean_interval(values), form)


def apart(values: Floats) -> str:
    """What the interval of differences says: `less`, `more` or `open`."""
    low, high = mean_interval(values)
    if low is None or high is None or low <= 0 <= high:
        return "open"
    return "more" if low > 0 else "less"
