"""Somebody who says what to do when asked: any strategy of the same game, a rule with its sentence."""

from __future__ import annotations

from dataclasses import dataclass

from pigevo.arena.steps import Place
from pigevo.strategies import Strategy


@dataclass(frozen=True, eq=False)
class Adviser:
    """A strategy that is asked for advice.

    Args:
        strategy: itself.
        sentence: how it plays, in words, if there are any.
    """

    strategy: Strategy
    sentence: str = ""

    def roll(self, place: Place) -> float:
        """The probability that it rolls in one place of the person's; 0 or 1, but where it leaves that to chance."""
        return float(self.strategy.roll[place.cell])
