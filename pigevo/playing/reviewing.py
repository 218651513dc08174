"""What the choices of a game have cost.

A choice costs what the better of rolling and holding is worth more, if the person plays best against this opponent from
there on. Between two choices only luck moves the worth of the game. So the worth at the start, less all costs, and with
the luck added, is the worth at the end: 1 for a win, 0 for a loss.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from pigevo.arena.steps import Place
from pigevo.exact.choices import Choice
from pigevo.playing.judge import Judge
from pigevo.playing.played import Played

NOTHING = 1e-12
"""A cost below it is rounding."""


@dataclass(frozen=True)
class Judged:
    """A choice of the person's, judged.

    Args:
        place: where.
        rolled: whether it was to roll.
        choice: what both choices were worth.
    """

    place: Place
    rolled: bool
    choice: Choice

    @property
    def cost(self) -> float:
        """By how much the other choice was better; 0 if it was not."""
        gain = self.choice.gain
        lost = 0.0 if gain is None else -gain if self.rolled else gain
        return lost if lost > NOTHING else 0.0


@dataclass(frozen=True)
class Review:
    """What the choices of a game have cost, in win probability.

    Args:
        against: the opponent's name.
        start: the win probability of best play before the first roll.
        end: what the end was worth, None in a game that has none.
        judged: all choices, in their order.
    """

    against: str
    start: float
    end: float | None
    judged: tuple[Judged, ...]

    @property
    def cost(self) -> float:
        """The sum of the costs."""
        return math.fsum(one.cost for one in self.judged)

    @property
    def luck(self) -> float | None:
        """What the dice have brought, both players'; all else is in the start and in the costs."""
        return None if self.end is None else self.end - self.start + self.cost

    @property
    def costly(self) -> tuple[Judged, ...]:
        """The choices that cost something, in their order."""
        return tuple(one for one in self.judged if one.cost)


def review(played: Played, judge: Judge) -> Review:
    """Judge every choice of a game.

    Args:
        played: the game.
        judge: of its opponent.

    Raises:
        InputError: the opponent passes by chance.
    """
    ends = {"won": 1.0, "lost": 0.0, "stalemate": 0.0, "draw": played.opponent.game.draw}
    judged = tuple(Judged(one.place, one.rolled, judge.choice(one.place)) for one in played.choices)
    return Review(judge.opponent.name, judge.start(played.seat), ends.get(played.result), judged)
