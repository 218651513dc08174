"""Pig with equal turns: the player who moves second in a round still has a turn after the other reaches the target."""

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

    Then the higher score wins; equal scores are a draw.

    Args:
        target: a player who reaches these points makes the round the last one.
        cap: points that win at once, so that scores are bounded; with the default the optimum loses less than
            1e-9 by it (tested).
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
        """The possible outcomes of a throw."""
        return one_pig_die(self.sides)
