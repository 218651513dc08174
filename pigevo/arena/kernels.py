"""The compiled game: one roll after another, with dice from the counter.

Roll `n` of a game is read from 32 bits of its counter's words: each block of four words
holds eight rolls, the lower half of a word before the upper one.  The same game in plain
Python stands in `pigevo.arena.plain`.
"""

from __future__ import annotations

import numpy as np

from pigevo.arena.philox import philox_block
from pigevo.arrays import Bytes, Ints, Words
from pigevo.compiled import kernel

WIN, LOSS, STALEMATE, UNFINISHED = 0, 1, 2, 3


@kernel()
def play_game(
    first: Bytes,
    second: Bytes,
    own: Ints,
    other: Ints,
    cut: Words,
    seed: np.uint64,
    stream: np.uint64,
    generation: np.uint64,
    pair: np.uint64,
    game: np.uint64,
    most_turns: int,
    words: Words,
) -> int:
    """Play one game; `first` and `second` are strategies as bytes `[i, k, j]`.

    Args:
        own, other, cut: the die's alias table (`pigevo.dice.Die`).
        seed, stream, generation, pair, game: the counter of the game's dice, all uint64.
        most_turns: turns of both players after which the game is unfinished.
        words: work array of 4 words.

    Returns:
        The outcome for `first`: WIN, LOSS, STALEMATE or UNFINISHED.
    """
    target = first.shape[0]
    slots = np.uint64(own.shape[0])
    low = np.uint64(0xFFFFFFFF)
    half = np.uint64(32)
    mine, theirs = 0, 0
    passed = False
    roll = 0
    for turn in range(most_turns):
        decide = first if turn % 2 == 0 else second
        total = 0
        while mine + total < target and decide[mine, total, theirs]:
            if roll % 8 == 0:
                philox_block(words, np.uint64(roll // 8 + 1), game, pair, generation, seed, stream)
            word = words[(roll % 8) // 2]
            bits = word >> half if roll % 2 else word & low
            roll += 1
            scaled = bits * slots
            slot = scaled >> half
            points = own[slot] if (scaled & low) < cut[slot] else other[slot]
            if points == 0:
                total = -1
                break
            total += points
        if total == 0:
            if passed:
                return STALEMATE
            passed = True
        else:
            passed = False
        mine += max(total, 0)
        if mine >= target:
            return WIN if turn % 2 == 0 else LOSS
        mine, theirs = theirs, mine
    return UNFINISHED


@kernel()
def play_pair(
    a: Bytes,
    b: Bytes,
    own: Ints,
    other: Ints,
    cut: Words,
    seed: np.uint64,
    stream: np.uint64,
    generation: np.uint64,
    pair: np.uint64,
    start: int,
    games: int,
    most_turns: int,
) -> Ints:
    """Play games `start, start + 1, ...` of a match; `a` moves first in those of even number.

    Returns:
        How many games ended in a win of `a`, a loss, a stalemate, unfinished; shape (4,).
    """
    counts = np.zeros(4, np.int64)
    words = np.zeros(4, np.uint64)
    for game in range(start, start + games):
        number = np.uint64(game)
        if game % 2 == 0:
            outcome = play_game(a, b, own, other, cut, seed, stream, generation, pair, number, most_turns, words)
        else:
            outcome = play_game(b, a, own, other, cut, seed, stream, generation, pair, number, most_turns, words)
            outcome = 1 - outcome if outcome < STALEMATE else outcome
        counts[outcome] += 1
    return counts
