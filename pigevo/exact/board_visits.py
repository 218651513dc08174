"""How often play comes to each state of any game."""

from __future__ import annotations

import numpy as np

from pigevo.arrays import Floats
from pigevo.exact.board_visit_kernels import visit_pass
from pigevo.exact.boards import prepare_board
from pigevo.games.board import board_of
from pigevo.strategies import Strategy

LEAST = 1e-16
MOST_PASSES = 100_000


def board_turn_starts(a: Strategy, b: Strategy, first: bool) -> Floats:
    """Expected turns of `a` that begin in each state between turns, shape (B,), if it moves first, or second.

    Where a score can fall, play is followed until less than `LEAST` of it is left.
    """
    board = board_of(a.game)
    coming, begun = np.zeros((2, board.states)), np.zeros((2, board.states))
    coming[0 if first else 1, board.opening] = 1.0
    mine, theirs = prepare_board(a).arrays, prepare_board(b).arrays
    for _ in range(MOST_PASSES):
        coming = visit_pass(board.order, board.partner, *mine, *theirs, coming, begun)
        if coming.sum() < LEAST:
            break
    found: Floats = begun[0]
    return found


def board_visits(a: Strategy, b: Strategy, first: bool) -> Floats:
    """Expected visits of `a` to every state, in the shape of a strategy."""
    game, board = a.game, board_of(a.game)
    rolls = a.table.reshape(board.rows).transpose(1, 0, 2).reshape(len(board.hold), -1)
    stand = np.zeros(rolls.shape)
    stand[0] = board_turn_starts(a, b, first)
    for w in range(len(stand)):
        for n in range(board.begin[w], board.begin[w + 1]):
            if board.leads[n] >= 0:
                stand[board.leads[n]] += board.chances[n] * rolls[w] * stand[w]
    rows = stand.reshape(-1, board.rows[0], board.rows[2]).transpose(1, 0, 2)
    layout = game.layout
    visits = rows.reshape([game.shape[axis] for axis in layout]).transpose(np.argsort(layout))
    consulted: Floats = np.where(game.asked | game.starts, visits, 0.0)
    return consulted
