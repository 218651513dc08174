"""Pig with two dice: a 1 loses the turn total, two 1s the whole score."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated

from pigevo.core.checked_values import Within
from pigevo.games.game import GAMES, Faces, Game, two_pig_dice


@GAMES.register(
    name="two_dice",
    source="Zhu & Ma 2022, Deriving the Optimal Strategy for the Two Dice Pig Game via Reinforcement Learning, "
    "Stats 5(3), 805-818",
)
@dataclass(frozen=True)
class TwoDice(Game):
    """Pig with two dice: a 1 ends the turn and loses its total, two 1s also lose the whole score.

    Args:
        target: points to bank, at least 1.
        sides: faces of each die.
        allow_pass: whether a player may hold at a turn total of 0.
    """

    title = "Two-dice Pig"
    target: Annotated[int, Within(1, 300)] = 100
    sides: Annotated[int, Within(2, 100)] = 6
    allow_pass: bool = field(default=False, kw_only=True)

    @cached_property
    def faces(self) -> Faces:
        """The possible faces of the two dice."""
        return two_pig_dice(self.sides)
