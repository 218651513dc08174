"""A game as arrays for the learners' kernels, and the way from a learner's decisions to a strategy.

A learner sees states `(b, w)`: where the turn began, and what the turn has come to (`pigevo.games.board`).  It learns
by self-play, so that `b` is always seen by the player to move, and one table serves both seats.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from pigevo.core.arrays import Bools, Bytes, Floats, Ints, Ints32, Words
from pigevo.errors import InputError
from pigevo.exact.boards import by_axes
from pigevo.games import Game
from pigevo.games.board import Board, board_of
from pigevo.strategies import Strategy

HOLD, ROLL, FREE = 0, 1, 2
"""What is allowed in a state: only one of both, or the choice."""


class Rules(NamedTuple):
    """A game for kernels, with B states between turns and W states of a turn.

    `begin`, `leads`, `hold`, `follow` are those of `Board`; the outcome of a throw is the first one of its state whose
    `cut` is above a random word; `allowed` has shape (B, W).
    """

    begin: Ints
    leads: Ints
    cuts: Words
    hold: Ints
    follow: Ints32
    allowed: Bytes
    opening: int


@lru_cache(maxsize=16)
def rules_of(game: Game) -> Rules:
    """The rules of a game in which turns begin with a throw and a draw is worth a half."""
    if game.allow_pass or game.draw != 0.5:
        raise InputError(f"{game} cannot be learned here: a player may pass, or a draw is not worth a half.")
    board = board_of(game)
    allowed = by_state(game, FREE * game.decision_states + ROLL * game.starts).astype(np.uint8)
    return Rules(board.begin, board.leads, _cuts(board), board.hold, board.follow, allowed, board.opening)


def _cuts(board: Board) -> Words:
    """Where each outcome of a throw ends among the random words; the last one of a state takes what is left."""
    cuts = np.empty(len(board.leads), np.uint64)
    for first, last in zip(board.begin[:-1], board.begin[1:], strict=True):
        ends = np.cumsum(board.chances[first:last])
        cuts[first:last] = [min(int(end * 2**64), 2**64 - 1) for end in ends.tolist()]
    return cuts


def strategy_of(game: Game, rolls: Bools, name: str) -> Strategy:
    """The strategy with these decisions, shape (B, W); states without a choice are as the rules have them."""
    allowed = rules_of(game).allowed
    decided = np.where(allowed == FREE, rolls, allowed == ROLL)
    return Strategy(game, by_axes(game, decided.T.astype(np.float64)).astype(np.bool_), name)


def by_state(game: Game, values: Floats) -> Floats:
    """Values in the shape of a strategy as values of shape (B, W)."""
    board = board_of(game)
    laid = np.broadcast_to(values, game.shape).transpose(game.layout).reshape(board.rows)
    return np.ascontiguousarray(laid.transpose(0, 2, 1).reshape(board.states, -1))
