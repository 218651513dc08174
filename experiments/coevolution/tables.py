"""What the parts of the study share: figures by setting, and how means are written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.core.intervals import CONFIDENCE, SHARE, Range, mean_interval
from pigevo.studies.tables import interval, table

from .kept import Rows

__all__ = ["LOSS", "apart", "by_setting", "spread", "table", "verdict"]

HOLDS, FAILS, UNDECIDED = "holds here", "does not hold here", "cannot be decided"

LOSS: Range = (0.0, 0.5)
"""What a loss or an exploitability can be."""


class Answer(NamedTuple):
    """Whether a mean difference is `less` or `more` than 0, or `open`, and the difference with its interval."""

    said: str
    told: str


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


def spread(values: Floats, form: str = ".4f", within: Range = SHARE) -> str:
    """The mean over seeds with its own 95 % interval.

    Args:
        values: one for each seed.
        form: how a figure is printed.
        within: what it can be at least and at most.
    """
    return interval(float(np.mean(values)), *mean_interval(values, within=within), form)


def apart(values: Floats, of: int, form: str = "+.4f", most: float = LOSS[1]) -> Answer:
    """Whether a mean difference is less or more than 0, and its interval, which belongs to that answer.

    Args:
        values: a difference for each seed.
        of: how many such questions are asked together. The intervals of all are simultaneous, at 95 %, by
            Bonferroni's inequality: each has the level 1 - .05 / of.
        form: how a figure is printed.
        most: how large a difference can be.
    """
    low, high = mean_interval(values, 1 - (1 - CONFIDENCE) / of, (-most, most))
    settled = low is not None and high is not None and not low <= 0 <= high
    answer = ("more" if np.mean(values) > 0 else "less") if settled else "open"
    ends = "undetermined" if low is None else f"{low:{form}} to {high:{form}}"
    return Answer(answer, f"{np.mean(values):{form}} ({ends})")


def verdict(answers: Sequence[Answer], claimed: str) -> str:
    """A verdict on a claim, on how many settings it stands, and their differences.

    Args:
        answers: one for each setting.
        claimed: which of them the claim says, `less` or `more`.
    """
    count = {one: sum(answer.said == one for answer in answers) for one in ("less", "more", "open")}
    yes, unsettled = count[claimed], count["open"]
    no = len(answers) - yes - unsettled
    said = HOLDS if yes and not no else FAILS if no and not yes else UNDECIDED
    counts = f"{said}: {yes} of {len(answers)} settings for it, {no} against it, {unsettled} open"
    return f"{counts} | {'; '.join(answer.told for answer in answers)}"
