"""Pig with equal turns: who moves second in a round may still answer who has come to the target."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated

from pigevo.core.checked_values import Within
from pigevo.games.game import GAMES, Game, Throw, one_pig_die


@GAMES.register(name="equal_turns", source="a house rule of many games of points")
@dataclass(frozen=True)
class EqualTurns(Game):
    """Pig in which a 1 loses the turn total and the round is played to its end.

    Then the higher score wins, and equal ones draw.

    Args:
        target: points after which the round is the last one.
        cap: points that win at once, so that scores have a bound; with the usual ones the optimum loses less than
            1e-9 by it (a test proves it).
        sides: faces of the die.
        allow_pass: whether a player may hold at a turn total of 0.
    """

    title = "Equal-turns Pig"
    target: Annotated[int, Within(1, 300)] = 100
    cap: Annotated[int, Within(2, 600)] = 150
    sides: Annotated[int, Within(2, 1000)] = 6
    allow_pass: bool = field(default=False, kw_only=True)

    reply = "second"

    @cached_property
    def throws(self) -> tuple[Throw, ...]:
        """What a throw can bring."""
        return one_pig_die(self.sides)
