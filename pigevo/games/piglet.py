"""Piglet: Pig with a coin; heads gains one point, tails busts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from pigevo.core.checked_values import Within, number
from pigevo.errors import InputError
from pigevo.games.game import GAMES, Faces
from pigevo.games.race import Gains, Race


@GAMES.register(name="piglet", source="Neller & Presser 2004")
@dataclass(frozen=True)
class Piglet(Race):
    """Piglet with a coin: heads adds a point, tails loses the turn total.

    Args:
        target: points to bank, at least 1.
        heads: the probability of heads, above 0 and at most 1.
        allow_pass: whether a player may hold at a turn total of 0.

    Example:
        >>> import pigevo
        >>> round(pigevo.optimal(pigevo.Piglet(target=2)).value, 6)  # 4/7
        0.571429
    """

    target: Annotated[int, Within(1)] = 10
    gains: Gains = field(init=False, repr=False)
    bust: float = field(init=False, repr=False)
    heads: Annotated[float, Within(0, 1)] = 0.5
    allow_pass: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        if not number(self.heads) or not 0 < self.heads <= 1:
            raise InputError(f"heads = {self.heads!r}: the probability of heads must be above 0 and at most 1.")
        object.__setattr__(self, "gains", {1: float(self.heads)})
        object.__setattr__(self, "bust", 1.0 - float(self.heads))
        super().__post_init__()

    @property
    def faces(self) -> Faces:
        """The two sides of the coin."""
        return tuple((("tails" if throw.ends else "heads",), throw) for throw in self.throws)
