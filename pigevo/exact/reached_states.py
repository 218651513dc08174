"""How many distinct states games come to.

A state is visited again only if both players' turns change nothing in between.  Let `e` be the chance that a turn of A
ever begins at a pair of scores, `u` and `m` the chances that a turn from there passes the state, and passes it and
changes nothing, and `x` and `y` those that A's, and B's, turn changes nothing.  Then play comes to the state with
probability `v = e u / (1 - (x - m) y)`, and `N` games come to `sum(1 - (1 - v)^N)` distinct states, on average.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pigevo.core.arrays import Bools, Floats
from pigevo.core.portable_math import exp, log1m
from pigevo.errors import InputError
from pigevo.exact.boards import by_axes, by_turn_state, prepare_board
from pigevo.exact.visits import board_turn_starts
from pigevo.games.board import board_of
from pigevo.strategies import Strategy, same_game

ALWAYS = 1 - 1e-15
"""A chance above this counts as 1."""


@dataclass(frozen=True, eq=False)
class DistinctStates:
    """How many distinct states a strategy comes to in a number of games.

    Args:
        first: the chance that a game comes to each state at least once, if the strategy moves first, in its shape.
        second: the same if it moves second.
        goes_on: the states in which the game goes on, of which shares are taken.
    """

    first: Floats
    second: Floats
    goes_on: Bools

    @property
    def states(self) -> int:
        """All states in which the game goes on."""
        return int(self.goes_on.sum())

    @property
    def most(self) -> int:
        """The states to which play can come at all."""
        return int(((self.first > 0) | (self.second > 0)).sum())

    def expected(self, games: float) -> float:
        """The expected number of distinct states in so many games, half of which the strategy begins."""
        return float((1 - exp(games / 2 * self._missed)).sum())

    @cached_property
    def _missed(self) -> Floats:
        """For each state to which play can come, the logarithm of the chance that two games, one begun, do not."""
        reached = (self.first > 0) | (self.second > 0)
        first, second = (log1m(np.minimum(seat[reached], ALWAYS)) for seat in (self.first, self.second))
        return np.asarray(first + second)

    def share(self, games: float) -> float:
        """The expected share of all states in which the game goes on."""
        return self.expected(games) / self.states

    def games_for(self, share: float) -> int | None:
        """The fewest games that are expected to come to a share of the states, from 0 to 1; None if none are enough."""
        if not 0 < share * self.states < self.most:
            return 0 if share <= 0 else None
        enough = 2
        while self.share(enough) < share:
            enough *= 2
        low = enough // 2
        while enough - low > 1:
            middle = (low + enough) // 2
            low, enough = (low, middle) if self.share(middle) >= share else (middle, enough)
        return enough


def distinct_states(a: Strategy, b: Strategy) -> DistinctStates:
    """How many distinct states `a` comes to in games against `b`, exactly.

    Exeter 2016 (section 4.3.1) asked how many games come to 5 % of all states, and could not calculate it.

    Raises:
        InputError: a game in which scores can fall: there play comes back to states in too many ways.

    Example:
        >>> import pigevo
        >>> best = pigevo.optimal(pigevo.Pig()).strategy
        >>> distinct = pigevo.distinct_states(best, best)
        >>> distinct.states, round(distinct.expected(1000))
        (505000, 14963)
    """
    same_game(a, b)
    if a.game.falls:
        raise InputError(
            f"in {a.game} scores can fall, and play comes back to states in too many ways to count distinct ones: "
            "choose a game in which scores only grow."
        )
    first, second = _chances_of_visits(a, b, True), _chances_of_visits(a, b, False)
    goes_on = np.broadcast_to(a.game.decision_states | a.game.starts, a.game.shape)
    return DistinctStates(first, second, goes_on)


def _chances_of_visits(a: Strategy, b: Strategy, first: bool) -> Floats:
    """The chance that play comes to each state at least once."""
    game, board, rolls = a.game, board_of(a.game), by_turn_state(a)
    (*_, stay, passes), (*_, their_stay, their_passes) = prepare_board(a).ends, prepare_board(b).ends
    comes_back, x, y = board.partner >= 0, stay + passes, (their_stay + their_passes)[board.partner]
    both_pass = comes_back & (passes == 1) & (their_passes[board.partner] == 1)  # which ends the game
    y = np.where(comes_back & ~both_pass, y, 0.0)
    begins = board_turn_starts(a, b, first) * (1 - x * y)
    passed, unchanged = np.zeros(rolls.shape), np.zeros(rolls.shape)
    passed[0] = 1.0
    for w in range(len(rolls)):
        for n in range(board.begin[w], board.begin[w + 1]):
            if board.leads[n] >= 0:
                passed[board.leads[n]] += board.chances[n] * rolls[w] * passed[w]
    for w in range(len(rolls) - 1, -1, -1):
        for n in range(board.begin[w], board.begin[w + 1]):
            lead = board.leads[n]
            unchanged[w] += board.chances[n] * rolls[w] * (unchanged[lead] if lead >= 0 else float(lead == -1))
        if board.hold[w] == 0:
            unchanged[w] += 1 - rolls[w]
    away = 1 - (x - passed * unchanged) * y
    chance = np.divide(begins * passed, away, out=np.zeros(rolls.shape), where=away > 0)
    return np.where(game.decision_states | game.starts, by_axes(game, np.minimum(chance, 1.0)), 0.0)
