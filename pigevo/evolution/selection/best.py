"""Selections by rank: everyone meets everyone, and the best share survives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pigevo.arrays import Ints
from pigevo.dice import Draw
from pigevo.evolution.registries import SELECTIONS
from pigevo.evolution.verdict import Verdict, every_pair, ranking
from pigevo.registry import Within


@SELECTIONS.register(name="truncation")
@dataclass(frozen=True)
class Truncation:
    """The best `share` of the population survives, at least one; ties by the selection stream.

    Args:
        share: which part of the population survives.
    """

    share: Annotated[float, Within(0, 1, above=True)] = 0.5

    def pairs(self, size: int, draw: Draw) -> Ints:
        """Every pair."""
        return every_pair(size)

    def survivors(self, verdict: Verdict, draw: Draw) -> Ints:
        """The best, the very best first."""
        kept = max(1, round(len(verdict.scores) * self.share))
        return ranking(verdict.scores, draw)[:kept]


@SELECTIONS.register(name="round_robin", source="Exeter 2016, section 3.4.1")
@dataclass(frozen=True)
class RoundRobin:
    """Everyone meets everyone, and the half with the most wins survives."""

    def pairs(self, size: int, draw: Draw) -> Ints:
        """Every pair."""
        return every_pair(size)

    def survivors(self, verdict: Verdict, draw: Draw) -> Ints:
        """The better half, the very best first."""
        return ranking(verdict.scores, draw)[: max(1, len(verdict.scores) // 2)]
