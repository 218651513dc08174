"""Lexicase selection with opponents as cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pigevo.arrays import Floats, Ints
from pigevo.dice import Draw
from pigevo.evolution.registries import SELECTIONS
from pigevo.evolution.verdict import Verdict, every_pair
from pigevo.registry import Within


@SELECTIONS.register(name="lexicase", source="Spector 2012; epsilon: La Cava, Spector & Danai 2016")
@dataclass(frozen=True)
class Lexicase:
    """Each survivor is the one left when opponents, in a random order, sieve out all but the best against them.

    The opponents are the judge's cases, or else the other members that a member met.  Members
    within `epsilon` median absolute deviations of the best of a case are as good.  One may survive twice.

    Args:
        share: survivors, as a part of the population.
        epsilon: how much worse than the best is still as good.
    """

    share: Annotated[float, Within(0, 1, above=True)] = 0.5
    epsilon: Annotated[float, Within(0, 100)] = 1.0

    def pairs(self, size: int, draw: Draw) -> Ints:
        """Every pair."""
        return every_pair(size)

    def survivors(self, verdict: Verdict, draw: Draw) -> Ints:
        """One index for each survivor."""
        cases = verdict.cases if verdict.cases is not None else against_each(verdict)
        deviation = np.median(np.abs(cases - np.median(cases, axis=0)), axis=0)
        count = max(1, round(len(cases) * self.share))
        return np.array([self._one(cases, deviation, draw.at(part=1 + n)) for n in range(count)], dtype=np.int64)

    def _one(self, cases: Floats, deviation: Floats, draw: Draw) -> int:
        left = np.arange(len(cases))
        for case in draw.permutation(cases.shape[1]):
            values = cases[left, case]
            left = left[values >= values.max() - self.epsilon * deviation[case]]
            if len(left) == 1:
                break
        return int(left[draw.at(part=draw.part, pair=1).permutation(len(left))[0]])


def against_each(verdict: Verdict) -> Floats:
    """What each member did against each other one, shape (n, n); 0.5 where two did not meet."""
    n = len(verdict.scores)
    table = np.full((n, n), 0.5)
    first, second = verdict.pairs.T
    table[first, second], table[second, first] = verdict.wins.T
    return table
