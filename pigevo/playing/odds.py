"""What a roll can bring."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pigevo.arena.steps import Place


@dataclass(frozen=True)
class Odds:
    """The chances of one roll.

    Args:
        ends: that it ends the turn and loses the turn total.
        falls: that it also loses the whole score.
        wins: that it wins the game at once.
        gains: the least and the most that it adds to the turn total, if the turn goes on.
    """

    ends: float
    falls: float
    wins: float
    gains: tuple[int, int]


def odds_of(place: Place) -> Odds:
    """The chances of a roll in one place."""
    game, banked = place.game, place.own + place.total
    throws = game.throws if place.rolls else game.first_throws
    gains = [throw.points for throw in throws if not throw.ends]
    reached = {"": banked, "turn": place.own}  # what the points of a throw are added to
    enough = game.size if game.target else 0  # where another turn may answer, only the cap wins at once
    wins = (t.chance for t in throws if t.ends in reached and reached[t.ends] + t.points >= enough > 0)
    return Odds(
        ends=math.fsum(throw.chance for throw in throws if throw.ends == "turn"),
        falls=math.fsum(throw.chance for throw in throws if throw.ends == "score"),
        wins=math.fsum(wins),
        gains=(min(gains, default=0), max(gains, default=0)),
    )
