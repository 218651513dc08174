"""Pig: a die whose face 1 busts and whose other faces gain their number."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from pigevo.core.checked_values import Within, whole
from pigevo.errors import InputError
from pigevo.games.game import GAMES
from pigevo.games.race import Gains, Race

MOST_SIDES = 1000


@GAMES.register(name="pig", source="Neller & Presser 2004")
@dataclass(frozen=True)
class Pig(Race):
    """Pig with a fair die of `sides` faces: a 1 loses the turn total, any other face adds its points.

    Args:
        target: points to bank, at least 1.
        sides: faces of the die, from 2 to 1,000; the first one busts.
        allow_pass: whether a player may hold at a turn total of 0.

    Example:
        >>> import pigevo
        >>> game = pigevo.Pig(target=50)
        >>> game.shape, game.bust, game.die[0]
        ((50, 50, 50), 0.16666666666666666, (2, 0.16666666666666666))
        >>> print(game)
        Pig to 50
    """

    target: Annotated[int, Within(1)] = 100
    gains: Gains = field(init=False, repr=False)
    bust: float = field(init=False, repr=False)
    sides: Annotated[int, Within(2, MOST_SIDES)] = 6
    allow_pass: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        if not whole(self.sides) or not 2 <= self.sides <= MOST_SIDES:
            raise InputError(f"a die must have from 2 to {MOST_SIDES} sides, not {self.sides!r}.")
        object.__setattr__(self, "sides", int(self.sides))
        object.__setattr__(self, "gains", {face: 1 / self.sides for face in range(2, self.sides + 1)})
        object.__setattr__(self, "bust", 1 / self.sides)
        super().__post_init__()
