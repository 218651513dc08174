"""What rolling and holding are worth in any state to one player against another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pigevo.arrays import Floats
from pigevo.exact.turn_states import TurnStates, worth_between
from pigevo.strategies import Strategy

LEVEL = 1e-12
"""A difference below it is rounding."""


@dataclass(frozen=True)
class Choice:
    """What the two choices in one state are worth to who is to move.

    Args:
        playing: who chooses, and plays on as ever after the choice.
        against: the opponent.
        roll: the win probability after a roll.
        hold: that after a hold; None where no hold is allowed.
    """

    playing: str
    against: str
    roll: float
    hold: float | None

    @property
    def gain(self) -> float | None:
        """By how much rolling is better than holding; None where no hold is allowed."""
        return None if self.hold is None else self.roll - self.hold

    @property
    def better(self) -> str:
        """`roll`, `hold` or `either`."""
        if self.gain is None or self.gain > LEVEL:
            return "roll"
        return "hold" if self.gain < -LEVEL else "either"


@dataclass(frozen=True, eq=False)
class Choices:
    """The worth of both choices in every state; the games between the two are solved when the first one is asked for.

    Args:
        a: who chooses, and plays on as ever after the choice.
        b: the opponent.
    """

    a: Strategy
    b: Strategy

    @cached_property
    def _between(self) -> tuple[Floats, Floats]:
        return worth_between(self.a, self.b)

    def at(self, state: int, within: int) -> Choice:
        """The choice in one state.

        Args:
            state: the number of the state between turns from which a's turn has begun.
            within: the number of the state of the turn.
        """
        turn, (moving, waiting) = TurnStates(self.a, state), self._between
        rolled, held = self.along(turn)
        hold: float | None = float(held[within])
        if within == 0:
            other = TurnStates(self.b, turn.held(0))
            hold = _passed(turn, other, moving, waiting) if self.a.game.allow_pass else None
        return Choice(self.a.name, self.b.name, float(rolled[within]), hold)

    def along(self, turn: TurnStates) -> tuple[Floats, Floats]:
        """What a roll and what a hold is worth at each state of a turn of a's, shape (W,) each; a pass left out."""
        after = self._between[1]
        return _rolled(turn, after), after[[turn.held(within) for within in range(len(turn.rolls))]]


def _rolled(turn: TurnStates, after: Floats) -> Floats:
    """What a roll at each state of a turn is worth, given what the states after the turn are, shape (W,)."""
    worth, rolled = np.empty(len(turn.rolls)), np.empty(len(turn.rolls))
    for within in range(len(worth) - 1, -1, -1):
        rolled[within] = sum(p * (worth[to] if inside else after[to]) for p, to, inside in turn.thrown(within))
        held = after[turn.held(within)]
        worth[within] = held + turn.rolls[within] * (rolled[within] - held)
    return rolled


def _passed(turn: TurnStates, other: TurnStates, moving: Floats, waiting: Floats) -> float:
    """What a pass is worth: where the scores stand still and the opponent passes too, nobody wins."""
    if turn.board.partner[turn.state] != other.state:
        return float(waiting[other.state])
    return float(other.rolls[0] * _rolled(other, moving)[0])
