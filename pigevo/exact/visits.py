"""Expected visits to each state, in races and in any game, and the importance of each single decision."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.errors import InputError
from pigevo.exact.boards import by_axes, by_turn_state, prepare_board
from pigevo.exact.evaluate import turn_values
from pigevo.exact.turns import is_fast, packed_die, prepare
from pigevo.exact.visit_kernels import importance_table, visit_pass, visit_tables
from pigevo.games.board import board_of
from pigevo.strategies import Strategy, same_game

LEAST = 1e-16
MOST_PASSES = 100_000


def board_turn_starts(a: Strategy, b: Strategy, first: bool) -> Floats:
    """Expected turns of `a` that begin in each state between turns, shape (B,), if it moves first and second.

    If scores can fall, play is followed until less than `LEAST` of it is left.
    """
    board = board_of(a.game)
    coming, begun = np.zeros((2, board.states)), np.zeros((2, board.states))
    coming[0 if first else 1, board.opening] = 1.0
    mine, theirs = prepare_board(a).ends, prepare_board(b).ends
    for _ in range(MOST_PASSES):
        coming = visit_pass(board.order, board.partner, mine, theirs, coming, begun)
        if coming.sum() < LEAST:
            break
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
        a.table, b.table, packed_die(a.game), prepare(a).leave, prepare(b).leave, first
    )
    return tables


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
        raise InputError("what one decision is worth is known for races of one die, and strategies without chance.")
    same_game(strategy, opponent)
    game = strategy.game
    mine, theirs = np.mean([_tables(strategy, opponent, first)[1:] for first in (True, False)], axis=0)
    moving, waiting = turn_values(strategy.table, prepare(opponent))
    away = np.ascontiguousarray(prepare(opponent).leave.T)
    worth = waiting - (1 - away) * moving
    lost: Floats = importance_table(strategy.table, packed_die(game), waiting, worth, away, mine, theirs)
    return np.where(np.broadcast_to(game.decision_states, game.shape), lost, 0.0)
