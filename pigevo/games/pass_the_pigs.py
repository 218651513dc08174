"""Pass the Pigs: two rubber pigs are thrown, and how they land is what they score.

The chances are those of a published count.  In 6,000 throws of both pigs (Kern 2006, Journal of Statistics Education
14(3)) they touched 23 times; otherwise the marked pig landed with the frequencies in `LANDED`.  Both pigs are assumed
to have the same distribution, independently of each other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Annotated

from pigevo.core.checked_values import Within
from pigevo.games.game import GAMES, Faces, Game, Throw

LANDED = {"dot up": 1796, "dot down": 2063, "trotter": 551, "razorback": 1354, "snouter": 184, "leaning jowler": 29}
TOUCHED = 23
TOUCHING = ("touching", "touching")
WORTH = {"dot up": 0, "dot down": 0, "trotter": 5, "razorback": 5, "snouter": 10, "leaning jowler": 15}


@GAMES.register(name="pass_the_pigs", source="Kern 2006, Journal of Statistics Education 14(3)")
@dataclass(frozen=True)
class PassThePigs(Game):
    """Two rubber pigs score by how they land; on different sides they lose the turn total, touching the whole score.

    A trotter or a razorback is worth 5, a snouter 10, a leaning jowler 15, and two alike count twice; two on the same
    side are worth 1.

    Args:
        target: points to bank, at least 1.
        allow_pass: whether a player may hold at a turn total of 0.
    """

    title = "Pass the Pigs"
    target: Annotated[int, Within(1, 300)] = 100
    allow_pass: bool = field(default=False, kw_only=True)

    @cached_property
    def faces(self) -> Faces:
        """The ways in which the pigs can land."""
        counted = sum(LANDED.values())
        apart = counted / (counted + TOUCHED)
        thrown = (
            ((a, b), self._throw(a, b, apart * LANDED[a] / counted * LANDED[b] / counted))
            for a, b in product(LANDED, repeat=2)
        )
        return ((TOUCHING, Throw(0, 1 - apart, "score")), *thrown)

    @staticmethod
    def _throw(a: str, b: str, chance: float) -> Throw:
        points = WORTH[a] + WORTH[b]
        if points:
            return Throw(2 * points if a == b else points, chance)
        return Throw(1, chance) if a == b else Throw(0, chance, "turn")
