"""Big Pig: two dice; doubles count twice, and two 1s are worth 25."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated

from pigevo.core.checked_values import Within
from pigevo.games.game import GAMES, Faces, Game, Throw, two_dice_faces


@GAMES.register(name="big_pig", source="the rules as dicecold.com/games/big-pig tells them")
@dataclass(frozen=True)
class BigPig(Game):
    """Pig with two dice: a single 1 loses the turn total, doubles count twice, two 1s are worth `bonus`.

    Args:
        target: points to bank, at least 1.
        bonus: the points that two 1s add to the turn total.
        allow_pass: whether a player may hold at a turn total of 0.
    """

    title = "Big Pig"
    target: Annotated[int, Within(1, 300)] = 100
    bonus: Annotated[int, Within(1, 1000)] = 25
    allow_pass: bool = field(default=False, kw_only=True)

    @cached_property
    def faces(self) -> Faces:
        """The possible faces of the two dice."""
        return two_dice_faces(self._throw)

    def _throw(self, a: int, b: int, p: float) -> Throw:
        if a == b:
            return Throw(self.bonus if a == 1 else 4 * a, p)
        return Throw(0, p, "turn") if 1 in (a, b) else Throw(a + b, p)
