"""What rolling and what holding is worth, turn total by turn total."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pigevo.arrays import Floats
from pigevo.errors import InputError
from pigevo.exact.evaluate import state_values, turn_values
from pigevo.exact.turns import is_fast, prepare
from pigevo.exact.visits import reach
from pigevo.games import Game
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
    if not (0 <= own < game.target and 0 <= opponent < game.target):
        raise InputError(f"scores {own} and {opponent} are outside the game: they must be from 0 to {game.target - 1}.")
    values, waiting, visits = state_values(a, b), waiting_values(a, b), reach(a, b).overall
    return [
        TotalChoice(
            total,
            float(a.roll[own, opponent, total]),
            _rolled(game, values, waiting, own, opponent, total),
            float(waiting[own + total, opponent]),
            float(visits[own, opponent, total]),
        )
        for total in sorted(_totals(game, game.target - own))
        if total
    ]


def waiting_values(a: Strategy, b: Strategy) -> Floats:
    """The win probability of `a` when `b` begins a turn after one that was no pass, shape (T, T), by their scores.

    Raises:
        InputError: a game off the fast engine in which both can win less than 1 together.
    """
    if is_fast(a) and is_fast(b):
        return turn_values(a.table, prepare(b))[1]
    if not a.game.constant_sum:
        raise InputError(
            "what a choice is worth is not known where players pass, unless one die decides: leave it out."
        )
    theirs: Floats = 1.0 - state_values(b, a)[:, :, 0].T
    return theirs


def _rolled(game: Game, values: Floats, waiting: Floats, own: int, opponent: int, total: int) -> float:
    """What one more throw is worth: the mean over what it can bring."""
    worth = 0.0
    for throw in game.first_throws if total == 0 else game.throws:
        kept = {"": own + total, "turn": own, "score": 0}[throw.ends] + throw.points
        if kept >= game.target:
            worth += throw.chance
        elif throw.ends:
            worth += throw.chance * waiting[kept, opponent]
        else:
            worth += throw.chance * values[own, opponent, total + throw.points]
    return float(np.clip(worth, 0.0, 1.0))


def _totals(game: Game, below: int) -> set[int]:
    """The turn totals that throws add up to, with 0 and below a bound."""
    found = {0}
    for total in range(below):
        if total in found:
            thrown = game.first_throws if total == 0 else game.throws
            found |= {total + t.points for t in thrown if not t.ends and total + t.points < below}
    return found
