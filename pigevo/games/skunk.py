"""Skunk, as the boxed game of 1953 (W. H. Schaper) is played: two dice, and a last turn for the other player.

A single 1 (a skunk) loses the turn total, two 1s the whole score, as in `two_dice`; doubles have no special value, and
a 1 with a 2 counts as any other 1 (in the boxed game it only costs another chip, and chips do not decide the winner).
A player who has reached 100 may continue; after that turn, the other player has one turn to beat the score.

Many families and score sheets use Skunk for a game that ends at once at 100: that is `two_dice`.  The Skunk of
classrooms, five rounds in which all play the same dice at the same time, is another game without turns.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated

from pigevo.core.checked_values import Within
from pigevo.games.game import GAMES, Faces, Game, two_pig_dice


@GAMES.register(name="skunk", source="W. H. Schaper's boxed game of 1953, as dicegamecentral.com/skunk tells its rules")
@dataclass(frozen=True)
class Skunk(Game):
    """Pig with two dice and a last turn of the other player: a 1 loses the turn total, two 1s the whole score.

    At equal scores the player who reached the target first wins.

    Args:
        target: the score after which the other player has a last turn.
        cap: the score that wins at once, so that scores are bounded; with the default the optimum loses less than
            1e-9 by it (tested).
        sides: faces of each die.
        allow_pass: whether a player may hold at a turn total of 0.
    """

    target: Annotated[int, Within(1, 300)] = 100
    cap: Annotated[int, Within(2, 600)] = 150
    sides: Annotated[int, Within(2, 100)] = 6
    allow_pass: bool = field(default=False, kw_only=True)

    reply = "other"
    level = "kept"

    @cached_property
    def faces(self) -> Faces:
        """The possible faces of the two dice."""
        return two_pig_dice(self.sides)
