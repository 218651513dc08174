"""The optimum and best responses in any game, from its board.

A best response where scores can fall is found by policy iteration: the most that a turn can be worth for the present
worths at the low states gives decisions, whose true worths are solved for, and so on.  The bound on its error is that
of `pigevo.exact.boards`, with the pass that takes the best turn everywhere: nobody can do better than the fixed point.
The optimum is proven by its own best response: what that wins over the optimum's worth against itself is how far any
value can be from the game's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pigevo.arrays import Bytes, Floats
from pigevo.errors import InputError
from pigevo.exact.board_best_kernels import optimal_pass, response_pass
from pigevo.exact.boards import BoardTurns, Pass, Worth, board_turns, loops, symmetric, worth
from pigevo.games.board import Board, board_of
from pigevo.games.game import Game

MOST_ROUNDS = 200
SAME = 1e-14


@dataclass(frozen=True, eq=False)
class Best:
    """The best decisions and what they are worth.

    Args:
        tables: decisions in the layout of the engines, without its shape.
        worth: of the game, to who plays them.
    """

    tables: Bytes
    worth: Worth


def best_response_on_board(opponent: BoardTurns, tie: float) -> Best:
    """The decisions that do best against given turns, with their worth.

    Raises:
        InputError: the opponent passes by chance.
    """
    board = board_of(opponent.game)
    if not opponent.fixed and opponent.passes.any():
        raise InputError("a best response to a strategy that passes by chance is not known here: let it roll or pass.")
    start, to, chance, stay, passes = opponent.arrays
    seen = np.zeros((2, board.states + 3))
    decisions = np.zeros(board.rows, np.uint8)

    def once(low: Floats) -> Floats:
        seen[:, board.low] = low
        response_pass(
            board.order, board.partner, board.begin, board.leads, board.chances, board.hold, board.follow,
            start, to, chance, stay + passes, tie, board.game.allow_pass, seen[0], seen[1], decisions,
        )  # fmt: skip
        return seen[:, board.low]

    low, missed = _improved(board, once, seen, decisions, opponent)
    found, error = decisions.copy(), 0.0
    if len(board.low):
        seen[:, board.states :] = 0.0
        error = missed * loops(once, low.shape)
        _ends(board, seen)
        once(low)
    return Best(found, Worth(seen[0, : board.states].copy(), seen[1, : board.states].copy(), board.opening, error))


def _improved(board: Board, once: Pass, seen: Floats, decisions: Bytes, opponent: BoardTurns) -> tuple[Floats, float]:
    """Policy iteration on the worths at the low states: those of the end, and what a pass still changes in them."""
    _ends(board, seen)
    low = once(np.full((2, len(board.low)), 0.5))
    for _ in range(MOST_ROUNDS if len(board.low) else 0):
        mine = worth(board_turns(board.game, decisions), opponent, *symmetric(board), proof=False)
        low = np.stack([mine.moving, mine.waiting])[:, board.low]
        after = once(low)
        if np.abs(after - low).max() <= SAME:
            return after, float(np.abs(once(after) - after).max())
        low = after
    after = once(low)
    return after, float(np.abs(once(after) - after).max(initial=0.0))


def optimum_on_board(game: Game, tie: float) -> Best:
    """The decisions that are best against themselves, with their worth and its proven error.

    In games that always end after so many turns each player does the best for itself from the last turn backwards,
    also where a draw is not worth a half.

    Raises:
        InputError: a game whose end is not sure, and in which a draw is worth other than a half.
    """
    board = board_of(game)
    if game.target and game.can_draw and game.draw != 0.5:
        raise InputError("a draw must be worth a half in a race.")
    seen, decisions = np.zeros((2, board.states + 3)), np.zeros(board.rows, np.uint8)
    _ends(board, seen)
    low = np.full((2, len(board.low)), 0.5)
    for number in range(MOST_ROUNDS):
        seen[:, board.low] = low
        optimal_pass(
            board.order, board.partner, board.begin, board.leads, board.chances, board.hold, board.follow,
            tie, seen[0], seen[1], decisions,
        )  # fmt: skip
        after = seen[:, board.low]
        change = np.abs(after - low).max(initial=0.0)
        if change <= SAME:
            break
        low = after
        if number < MOST_ROUNDS // 2:  # the worths of these decisions are nearer than what one pass makes of the last
            own = board_turns(game, decisions)
            mine = worth(own, own, *symmetric(board), proof=False)
            low = np.stack([mine.moving, mine.waiting])[:, board.low]
    found = Worth(seen[0, : board.states].copy(), seen[1, : board.states].copy(), board.opening)
    if len(board.low):
        found = _proven(game, decisions, tie)
    return Best(decisions, found)


def _proven(game: Game, decisions: Bytes, tie: float) -> Worth:
    """The worth of decisions against themselves; its error is what the best response finds in them, in any state."""
    board, turns = board_of(game), board_turns(game, decisions)
    mine = worth(turns, turns, *symmetric(board))
    best = best_response_on_board(turns, tie).worth
    gain = max(float((best.moving - mine.moving).max()), float((best.waiting - mine.waiting).max()), 0.0)
    return Worth(mine.moving, mine.waiting, mine.opening, gain + best.error + mine.error)


def _ends(board: Board, seen: Floats) -> None:
    win, draw, loss = symmetric(board)
    seen[:, board.states :] = (win, draw, loss), (loss, draw, win)
