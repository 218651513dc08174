"""What rolling and what holding is worth, turn total by turn total."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pigevo.errors import InputError
from pigevo.exact.choices import Choices
from pigevo.exact.turn_states import TurnStates, state_between
from pigevo.exact.visits import reach
from pigevo.games.game import OPPONENT, OWN, TOTAL
from pigevo.strategies import Strategy, same_game


@dataclass(frozen=True)
class TotalChoice:
    """The two choices at one turn total.

    Args:
        total: the turn total.
        chance: with which the strategy rolls, 0 or 1 unless it leaves the decision to chance.
        roll, hold: its win probability if it rolls, or holds, this time, and then both play on as they do.
        visits: how often a game comes here, the mean of both seats.
    """

    total: int
    chance: float
    roll: float
    hold: float
    visits: float

    @property
    def loses(self) -> float:
        """What the strategy's own choice loses against the better one, 0 where it is that."""
        return max(self.roll, self.hold) - self.chance * self.roll - (1 - self.chance) * self.hold


def choices_at(a: Strategy, b: Strategy, own: int, opponent: int) -> list[TotalChoice]:
    """What each choice of `a` at a pair of scores is worth against `b`, exactly.

    Args:
        a: the strategy to move.
        b: its opponent.
        own: the banked score of `a`.
        opponent: that of `b`.

    Returns:
        A record for each turn total at which `a` can choose, ascending, but those that no throws add up to.

    Raises:
        InputError: the strategies play different games, a decision of their game depends on more than both scores and
            the turn total, or a score is outside the game.
    """
    same_game(a, b)
    game = a.game
    if [axis.name for axis in game.axes] != [OWN, OPPONENT, TOTAL]:
        raise InputError(f"two scores do not say all that a choice depends on in {game}: take a race.")
    turn = TurnStates(a, state_between(game, own, opponent))
    rolled, held = Choices(a, b).along(turn)
    visits = reach(a, b).overall[own, opponent]
    asked = np.broadcast_to(game.asked, game.shape)[own, opponent]
    return [
        TotalChoice(k, float(turn.rolls[k]), float(rolled[k]), float(held[k]), float(visits[k]))
        for k in turn.thrown_to()
        if k and asked[k]
    ]
