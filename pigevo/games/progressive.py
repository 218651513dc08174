"""Progressive Pig: a 1 ends the turn and scores 1."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated

from pigevo.core.checked_values import Within
from pigevo.games.game import GAMES, Game, Throw


@GAMES.register(name="progressive", source="Norvig, CS212, where it is called Pig")
@dataclass(frozen=True)
class Progressive(Game):
    """Pig in which a 1 loses the turn total but scores 1.

    Args:
        target: points to bank, at least 1.
        sides: faces of the die.
        allow_pass: whether a player may hold at a turn total of 0.
    """

    title = "Progressive Pig"
    target: Annotated[int, Within(1, 300)] = 100
    sides: Annotated[int, Within(2, 1000)] = 6
    allow_pass: bool = field(default=False, kw_only=True)

    @cached_property
    def throws(self) -> tuple[Throw, ...]:
        """The possible outcomes of a throw."""
        gains = (Throw(face, 1 / self.sides) for face in range(2, self.sides + 1))
        return (Throw(1, 1 / self.sides, "turn"), *gains)
