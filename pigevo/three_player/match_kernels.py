"""The compiled loop that plays games between three strategies."""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.compiled.simd import wide_product
from pigevo.core.arrays import Ints, Words
from pigevo.simulation.dice_kernels import Block, philox_block
from pigevo.three_player.evaluation_kernels import roll_chance
from pigevo.three_player.strategy import StrategyTables

UNFINISHED = 3


@kernel()
def _word(words: Block, n: int) -> np.uint64:
    if n == 0:
        return words[0]
    if n == 1:
        return words[1]
    return words[2] if n == 2 else words[3]


@kernel()
def play_three(
    players: tuple[StrategyTables, StrategyTables, StrategyTables],
    die: tuple[Ints, Ints, Words],
    start: int,
    stop: int,
    most_turns: int,
    seed: np.uint64,
    stream: np.uint64,
) -> Ints:
    """Play the games `start .. stop - 1`; the first player begins: games won by each, and unfinished, shape (4,).

    Each roll is read from a word as in `pigevo.dice.Die`; a mixed decision uses the next word: the player rolls if the
    word's upper 53 bits, as a fraction, are below the chance.
    """
    own, other, cut = die
    counts = np.zeros(4, np.int64)
    target, slots = players[0][0].shape[1], np.uint64(len(own))
    zero, needs = np.uint64(0), np.empty(3, np.int64)
    for game in range(start, stop):
        words = philox_block(np.uint64(1), np.uint64(game), zero, zero, seed, stream)
        drawn, winner = 0, UNFINISHED
        needs[:] = target
        for turn in range(most_turns):
            m = turn % 3
            a, b, c = needs[m], needs[(m + 1) % 3], needs[(m + 2) % 3]
            total = 0
            while True:
                if drawn > 0 and drawn % 4 == 0:
                    words = philox_block(np.uint64(drawn // 4 + 1), np.uint64(game), zero, zero, seed, stream)
                slot, fraction = wide_product(_word(words, drawn % 4), slots)
                drawn += 1
                gain = own[slot] if fraction >> np.uint64(32) < cut[slot] else other[slot]
                if gain == 0:
                    total = 0
                    break
                total += gain
                if total >= a:
                    winner = m
                    break
                rolling = roll_chance(players[m], (a * (target + 1) + b) * (target + 1) + c, total)
                if 0.0 < rolling < 1.0:
                    if drawn % 4 == 0:
                        words = philox_block(np.uint64(drawn // 4 + 1), np.uint64(game), zero, zero, seed, stream)
                    word = _word(words, drawn % 4)
                    drawn += 1
                    rolling = 1.0 if float(word >> np.uint64(11)) * 2.0**-53 < rolling else 0.0
                if rolling == 0.0:
                    break
            if winner < UNFINISHED:
                break
            needs[m] -= total
        counts[winner] += 1
    return counts
