"""Keep five: a 1 ends the turn and keeps 5 points, a 6 loses the whole score."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

from pigevo.core.checked_values import Within
from pigevo.games.game import Game, Throw


@dataclass(frozen=True)
class KeepFive(Game):
    """A race in which a 1 ends the turn and scores 5, and a 6 loses the whole score.

    Args:
        target: points to bank.
    """

    target: Annotated[int, Within(1, 300)] = 50

    @cached_property
    def throws(self) -> tuple[Throw, ...]:
        """What a throw can bring."""
        gains = (Throw(face, 1 / 6) for face in (2, 3, 4, 5))
        return (Throw(5, 1 / 6, "turn"), Throw(0, 1 / 6, "score"), *gains)
