"""What the parts of the study share: figures by setting, and how means are written."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pigevo.arrays import Floats
from pigevo.intervals import CONFIDENCE, mean_interval
from pigevo.studies.markdown import interval, table

from .kept import Rows

__all__ = ["apart", "by_setting", "spread", "table", "verdict"]

HOLDS, FAILS, UNDECIDED = "holds here", "does not hold here", "cannot be decided"

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


def apart(values: Floats, of: int = 1) -> str:
    """What the mean of differences is with a confidence of 95 %: `less` or `more` than 0, or `open`.

    Args:
        values: a difference for each seed.
        of: how many such questions are asked together; all answers are right with this confidence (Bonferroni).
    """
    low, high = mean_interval(values, 1 - (1 - CONFIDENCE) / of)
    if low is None or high is None or low <= 0 <= high:
        return "open"
    return "more" if low > 0 else "less"


def verdict(answers: Sequence[str], claimed: str) -> str:
    """A verdict on a claim, and on how many settings it stands.

    Args:
        answers: of each setting `less`, `more` or `open`.
        claimed: which of them the claim says.
    """
    count = {one: sum(answer == one for answer in answers) for one in ("less", "more", "open")}
    yes, unsettled = count[claimed], count["open"]
    no = len(answers) - yes - unsettled
    said = HOLDS if yes and not no else FAILS if no and not yes else UNDECIDED
    return f"{said}: {yes} of {len(answers)} settings for it, {no} against it, {unsettled} open"
