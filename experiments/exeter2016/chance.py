"""How many rows of the table would agree if the report had run what its text says.

A band of 90 % of few runs holds a further run of the same law in fewer than 90 % of cases, since its ends are drawn
too; that a picture is read to within .005 widens it.  The chance of a row follows from its band alone, by a normal law
whose spread gives such a band on average.  An exact row agrees with certainty.  Rows of one figure come from one
published run: how they hang together is not known, so that both ends of what can be are given, rows that have nothing
to do with each other, and rows of a figure that agree all together or not at all where their chances are equal.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri

from pigevo.core.arrays import Floats
from pigevo.dice import Draw

from ..common.tables import BAND_SHARE, table
from .rows import REPLICATIONS

RUNS, BOXES, PRECISION, FINE = 30, REPLICATIONS, 0.005, 0.0005
"""Runs of a band, and of one of figure 17; how exactly a picture is read, and how exactly figure 10's centre."""

BANDS = 4000
"""Simulated ones."""

LINE = re.compile(r"^\| ([^|]+) \| ([^|]+) \| [\d.]+ \| [\d.]+(?: \(([\d.]+) to ([\d.]+)\)|, exact) \| (yes|no)")


class Judged(NamedTuple):
    """A row of the table: its figure, the chance that it agrees, and whether it does."""

    figure: str
    chance: float
    agrees: bool


@cache
def bands(runs: int) -> Floats:
    """The ends of bands of so many standard normal runs, shape (2, BANDS)."""
    drawn = ndtri(Draw(0, "validation", 2).uniforms(BANDS * runs)).reshape(BANDS, runs)
    found: Floats = np.quantile(drawn, ((1 - BAND_SHARE) / 2, (1 + BAND_SHARE) / 2), axis=1)
    return found


def chance(width: float, runs: int, precision: float) -> float:
    """The chance that a further run of the same law, read to within `precision`, lies in a band of that width."""
    low, high = bands(runs)
    spread = width / float((high - low).mean())
    if not spread:
        return 1.0
    given = precision / spread
    errors = np.linspace(-given, given, 41)[:, None]
    return float((ndtr(high + given - errors) - ndtr(low - given - errors)).mean())


def judged(text: str, read: bool = True) -> list[Judged]:
    """The rows of the table, read from it; without `read` as if no band were widened."""
    found = []
    for line in text.splitlines():
        if one := LINE.match(line):
            figure, what, low, high, said = one.groups()
            runs = BOXES if figure == "figure 17" else RUNS
            precision = FINE if what.startswith("centre of") else PRECISION
            p = chance(float(high) - float(low), runs, precision * read) if low else 1.0
            found.append(Judged(figure, p, said == "yes"))
    return found


def number_law(groups: Sequence[Floats], together: bool) -> Floats:
    """The chances of 0, 1, 2, ... rows that agree, of independent groups of rows."""
    law = np.ones(1)
    for own in groups:
        steps = [np.array([1 - p, p]) for p in own] if not together else [_comonotone(own)]
        for step in steps:
            law = np.convolve(law, step)
    return law


def _comonotone(chances: Floats) -> Floats:
    """Rows that are decided by one draw: those with the largest chances agree first."""
    ordered = np.sort(chances)[::-1]
    return -np.diff(np.concatenate([[1.0], ordered, [0.0]]))


def as_markdown(text: str) -> str:
    """How many rows should agree, and how many do, of all and of the kinds of rows."""
    rows = judged(text)
    kinds = {
        "all": rows,
        "judged by a band": [one for one in rows if one.chance < 1],
        "exact": [one for one in rows if one.chance == 1],
        "all, were bands not widened for the reading": judged(text, read=False),
    }
    lines = []
    for name, own in kinds.items():
        figures = list(dict.fromkeys(one.figure for one in own))
        groups = [np.array([one.chance for one in own if one.figure == figure]) for figure in figures]
        ends = (_interval(number_law(groups, together)) for together in (False, True))
        agree = "" if name.startswith("all,") else sum(one.agrees for one in own)
        lines.append((name, len(own), f"{sum(one.chance for one in own):.1f}", *ends, agree))
    head = ["rows", "number", "should agree", "95 % if independent", "95 % if a figure's rows hang together", "agree"]
    return table(head, lines)


def _interval(law: Floats) -> str:
    below = np.cumsum(law)
    low, high = (int(np.searchsorted(below, level - 1e-9)) for level in (0.025, 0.975))
    return f"{low} to {high}"
