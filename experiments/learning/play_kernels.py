"""A game as arrays for the learners' kernels, what all learners do in a game, and their decisions as a strategy.

A learner sees states `(b, w)`: where the turn began, and what the turn has come to (`pigevo.games.board`).  It learns
by self-play, so that `b` is always seen by the player to move, and one table serves both seats.

In a game it draws a word of the dice, explores, and throws.  A state's word decides twice: its lower half whether to
explore, all of it what a throw brings.  Its upper half alone nearly decides the latter, so that both are independent to
within 2^-32.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.core.arrays import Bools, Bytes, Floats, Ints, Ints32, Words
from pigevo.errors import InputError
from pigevo.exact.boards import by_axes
from pigevo.games import Game
from pigevo.games.board import Board, board_of
from pigevo.simulation.lane_kernels import philox_block
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


LONGEST = 100_000
"""Turns, throws or decisions of a game that learners remember."""

USED, GAME, LOT, SEED, STREAM, SIZE = 4, 5, 6, 7, 8, 9
"""After four words: how many are used, the counter (a game, and a lot of games) and the key."""


@kernel()
def cast(game: int, lot: int, seed: np.uint64, stream: np.uint64) -> Words:
    """The dice of a game: the words of the counter (block, game, lot, 0) under the key (seed, stream)."""
    dice = np.zeros(SIZE, np.uint64)
    dice[GAME], dice[LOT], dice[SEED], dice[STREAM] = np.uint64(game), np.uint64(lot), seed, stream
    return dice


@kernel()
def next_word(dice: Words) -> np.uint64:
    """The next word of the dice."""
    place = dice[USED] & np.uint64(3)
    if place == 0:
        block = dice[USED] // np.uint64(4) + np.uint64(1)
        dice[0], dice[1], dice[2], dice[3] = philox_block(
            block, dice[GAME], dice[LOT], np.uint64(0), dice[SEED], dice[STREAM]
        )
    dice[USED] += np.uint64(1)
    word: np.uint64 = dice[place]
    return word


@kernel()
def chance(word: np.uint64) -> float:
    """The lower half of a word as a number in [0, 1)."""
    return np.float64(word & np.uint64(0xFFFFFFFF)) * 2.0**-32


@kernel()
def outcome(rules: Rules, w: int, word: np.uint64) -> int:
    """The number of the outcome of a throw in state w of a turn."""
    t, last = int(rules.begin[w]), int(rules.begin[w + 1]) - 1
    while t < last and word >= rules.cuts[t]:
        t += 1
    return t


@kernel()
def leads_to(rules: Rules, b: int, t: int) -> int:
    """Where an outcome leads: to a state of the turn, or to -1 minus an effect, also where a player must hold then."""
    lead: int = rules.leads[t]
    if lead >= 0 and rules.allowed[b, lead] == HOLD:
        return -1 - int(rules.hold[lead])
    return lead


@kernel()
def thrown(rules: Rules, b: int, w: int, word: np.uint64) -> int:
    """Where a throw leads from state w of a turn that began in b, as `leads_to` says it."""
    return leads_to(rules, b, outcome(rules, w, word))
