"""What all learners do in a game: draw a word of the dice, explore, throw.

A state's word decides twice: its lower half whether to explore, all of it what a throw brings.  Its upper half alone
nearly decides the latter, so that both are independent to within 2^-32.
"""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.core.arrays import Words
from pigevo.simulation.dice_kernels import philox_block

from .rules import HOLD, Rules

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
