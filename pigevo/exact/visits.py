"""Expected visits to each state, the importance of each single decision, and the number of distinct states in games.

A state is visited again only if both players' turns in between change no score.  Let `e` be the chance that a turn of A
ever begins at a pair of scores, `u` the chance that such a turn visits the state, `m` the chance that it visits the
state and changes no score, and `x` and `y` the chances that A's and B's turns change no score.  Then a game reaches the
state with probability `v = e u / (1 - (x - m) y)`, and `N` games reach `sum(1 - (1 - v)^N)` distinct states on average.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pigevo.core.arrays import Bools, Floats
from pigevo.core.portable_math import exp, log1m
from pigevo.errors import InputError
from pigevo.exact.board_kernels import Ends
from pigevo.exact.boards import PLAIN_PASSES, by_axes, by_turn_state, chain_of_falls, prepare_board
from pigevo.exact.evaluate import turn_values
from pigevo.exact.turns import fast_turns, is_fast, packed_die
from pigevo.exact.visit_kernels import importance_table, visit_pass, visit_tables
from pigevo.games.board import board_of
from pigevo.strategies import Strategy, same_game
from pigevo.strategies.arguments import checks_arguments

LEAST = 1e-16


def board_turn_starts(a: Strategy, b: Strategy, first: bool) -> Floats:
    """Expected turns of `a` that begin in each state between turns, shape (B,), if it moves `first` or second.

    If scores can fall, play is followed until less than `LEAST` of it is left, or the rest is solved directly.
    """
    board = board_of(a.game)
    coming, begun = np.zeros((2, board.states)), np.zeros((2, board.states))
    coming[0 if first else 1, board.opening] = 1.0
    mine, theirs = prepare_board(a), prepare_board(b)
    for _ in range(PLAIN_PASSES):
        coming = visit_pass(board.order, board.partner, mine.ends, theirs.ends, coming, begun)
        if coming.sum() < LEAST:
            return np.asarray(begun[0])
    visits = chain_of_falls(mine, theirs).visits(coming[:, board.low].ravel())
    coming[:, board.low] = visits.reshape(2, -1)
    visit_pass(board.order, board.partner, mine.ends, theirs.ends, coming, begun)
    return np.asarray(begun[0])


def board_visits(a: Strategy, b: Strategy, first: bool) -> Floats:
    """Expected visits of `a` to every state, in the shape of a strategy."""
    game, board, rolls = a.game, board_of(a.game), by_turn_state(a)
    stand = np.zeros(rolls.shape)
    stand[0] = board_turn_starts(a, b, first)
    for w in range(len(stand)):
        for n in range(board.begin[w], board.begin[w + 1]):
            if board.leads[n] >= 0:
                stand[board.leads[n]] += board.chances[n] * rolls[w] * stand[w]
    consulted: Floats = np.where(game.decision_states | game.starts, by_axes(game, stand), 0.0)
    return consulted


def _changing(ends: Ends) -> Floats:
    """The chance that a turn from each state changes a score, shape (B,)."""
    start, _, chance, _, _ = ends
    states = np.repeat(np.arange(len(start) - 1), np.diff(start))
    return np.asarray(np.bincount(states, weights=chance, minlength=len(start) - 1), np.float64)


@dataclass(frozen=True, eq=False)
class Visits:
    """Expected visits to every state by one player in one game, if it moves first and if it moves second.

    The arrays have the shape of a strategy: in a race by own score, opponent's score, turn total.
    """

    first: Floats
    second: Floats

    @property
    def overall(self) -> Floats:
        """The mean of both seats."""
        return (self.first + self.second) / 2


@checks_arguments
def reach(a: Strategy, b: Strategy) -> Visits:
    """Expected visits by `a`, to move, to each state in a game against `b`.

    States at a turn total of 0 count the turns that begin there.  Where neither strategy can leave,
    because both always pass, each of them counts as one visit.

    Example:
        >>> import pigevo
        >>> best = pigevo.optimal(pigevo.Pig()).strategy
        >>> round(float(pigevo.reach(best, best).overall[0, 0, 0]), 4)  # turns that begin at 0 to 0
        1.3934
    """
    same_game(a, b)
    if not (is_fast(a) and is_fast(b)):
        return Visits(board_visits(a, b, True), board_visits(a, b, False))
    return Visits(*(_tables(a, b, first)[0] for first in (True, False)))


def turn_starts(a: Strategy, b: Strategy) -> Floats:
    """Expected turns of `a` in a game against `b`, the mean of both seats, by the axes fixed during a turn."""
    return np.ascontiguousarray(reach(a, b).overall[a.game.beginning])


def _tables(a: Strategy, b: Strategy, first: bool) -> tuple[Floats, Floats, Floats]:
    """Visits of `a`, and the chances that play first reaches each pair of scores with `a` and with `b` to move."""
    tables: tuple[Floats, Floats, Floats] = visit_tables(
        a.table, b.table, packed_die(a.game), fast_turns(a).leave, fast_turns(b).leave, first
    )
    return tables


@checks_arguments
def gene_importance(strategy: Strategy, opponent: Strategy) -> Floats:
    """The overall win probability lost by flipping one cell, for each cell, with all others unchanged.

    The result is exact (not a first-order approximation) and takes about as long as one evaluation
    of both strategies.  A negative value means that the flip is an improvement.

    Args:
        strategy: the strategy whose decisions are flipped.
        opponent: its opponent.

    Returns:
        Probabilities, shape (T, T, T), by (i, j, k); 0 where play never comes, where the
        player has won, and, unless passing is allowed, at `k = 0`, where nothing is decided.

    Raises:
        InputError: the strategies play different games, or no race of one die, or leave decisions to chance.

    Example:
        >>> import numpy as np
        >>> import pigevo
        >>> best = pigevo.optimal(pigevo.Pig()).strategy
        >>> lost = pigevo.gene_importance(best, best)
        >>> tuple(map(int, np.unravel_index(lost.argmax(), lost.shape))), round(float(lost.max()), 4)
        ((0, 0, 6), 0.0113)
    """
    if not is_fast(strategy) or not is_fast(opponent):
        raise InputError("the importance of a decision is computed in races of one die, for strategies without chance.")
    same_game(strategy, opponent)
    game = strategy.game
    mine, theirs = np.mean([_tables(strategy, opponent, first)[1:] for first in (True, False)], axis=0)
    moving, waiting = turn_values(strategy.table, fast_turns(opponent))
    away = np.ascontiguousarray(fast_turns(opponent).leave.T)
    # The constant of waiting = worth + (1 - away) moving, which is the value of the opponent's holds.
    worth = waiting - (1 - away) * moving
    lost: Floats = importance_table(strategy.table, packed_die(game), waiting, worth, away, mine, theirs)
    return np.where(np.broadcast_to(game.decision_states, game.shape), lost, 0.0)


ALWAYS = 1 - 1e-15  # a chance above this counts as 1


@dataclass(frozen=True, eq=False)
class DistinctStates:
    """The number of distinct states that a strategy reaches in games.

    Args:
        first: the chance that a game reaches each state at least once, if the strategy moves first, in its shape.
        second: the same if it moves second.
        goes_on: the states in which the game is not over; shares are relative to these.
    """

    first: Floats
    second: Floats
    goes_on: Bools

    @property
    def states(self) -> int:
        """The number of states in which the game is not over."""
        return int(self.goes_on.sum())

    @property
    def most(self) -> int:
        """The number of states that play can reach at all."""
        return int(((self.first > 0) | (self.second > 0)).sum())

    def expected(self, games: float) -> float:
        """The expected number of distinct states in a number of games; the strategy moves first in half of them."""
        return float((1 - exp(games / 2 * self._missed)).sum())

    @cached_property
    def _missed(self) -> Floats:
        """For each reachable state, the logarithm of the chance that two games, one in each seat, do not reach it."""
        reached = (self.first > 0) | (self.second > 0)
        first, second = (log1m(np.minimum(seat[reached], ALWAYS)) for seat in (self.first, self.second))
        return np.asarray(first + second)

    def share(self, games: float) -> float:
        """The expected share of the states in which the game is not over."""
        return self.expected(games) / self.states

    def games_for(self, share: float) -> int | None:
        """The fewest games expected to reach a share (0 to 1) of the states; None if no number is enough."""
        if share <= 0:
            return 0
        if share * self.states >= self.most:  # all: only if every game reaches them, or every two games, by rounding
            return next((games for games in (1, 2) if self.share(games) >= share - 1e-7), None)
        # Doubled until it is enough, then halved towards the fewest: `low` games are too few, `enough` are not.
        enough = 1
        while self.share(enough) < share:
            enough *= 2
        low = enough // 2
        while enough - low > 1:
            middle = (low + enough) // 2
            low, enough = (low, middle) if self.share(middle) >= share else (middle, enough)
        return enough


@checks_arguments
def distinct_states(a: Strategy, b: Strategy) -> DistinctStates:
    """The number of distinct states that `a` reaches in games against `b`, exactly.

    Exeter 2016 (section 4.3.1) asked how many games reach 5 % of all states, and could not calculate it.

    Raises:
        InputError: scores can fall in the game, so play returns to states in too many ways.

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
    """The chance that play reaches each state at least once."""
    game, board, rolls = a.game, board_of(a.game), by_turn_state(a)
    mine, theirs = prepare_board(a).ends, prepare_board(b).ends
    (*_, passes), (*_, their_stay, their_passes) = mine, theirs
    both_pass = (passes == 1) & (their_passes[board.partner] == 1)  # which ends the game
    returns = (board.partner >= 0) & ~both_pass
    # Once a turn begins there, 1 / (1 - x y) turns are expected: divided by that, expected turns are the chance `e`.
    y = np.where(returns, (their_stay + their_passes)[board.partner], 0.0)
    leave, their_leave = _changing(mine), np.where(returns, _changing(theirs)[board.partner], 1.0)
    not_back = leave + their_leave - leave * their_leave  # 1 - x y, without the cancellation where nobody leaves
    begins = board_turn_starts(a, b, first) * not_back
    passed, unchanged = np.zeros(rolls.shape), np.zeros(rolls.shape)
    passed[0] = 1.0
    # `passed`, forwards through the turn, is `u`; `unchanged`, backwards, is the chance that a turn at the state ends
    # without a change of the scores. So `m` is their product.
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
    away = not_back + passed * unchanged * y
    chance = np.divide(begins * passed, away, out=np.zeros(rolls.shape), where=away > 0)
    return np.where(game.decision_states | game.starts, by_axes(game, np.minimum(chance, 1.0)), 0.0)
