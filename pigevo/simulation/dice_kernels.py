"""The generator Philox4x64-10, compiled, and the rolls of all lanes from its words, the same as in `pigevo.dice`.

Ten rounds of two widening multiplications turn a counter of four words, under a key of two, into four random words
(Salmon, Moraes, Dror & Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011).

A table of runs gives several rolls of a fair die with one multiplication: its entry number
`floor(word * slots^d / 2^64)` contains the word's first `d` digits in base `slots`, as points.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.compiled.simd import wide_product
from pigevo.core.arrays import Ints, Ints32, Words
from pigevo.dice import Die
from pigevo.games import Game

M0, M1 = np.uint64(0xD2E7470EE14C6C93), np.uint64(0xCA5A826395121157)
W0, W1 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBB67AE8584CAA73B)
ROUNDS = 10

Block = tuple[np.uint64, np.uint64, np.uint64, np.uint64]


@kernel()
def philox_block(
    block: np.uint64, part: np.uint64, pair: np.uint64, generation: np.uint64, seed: np.uint64, stream: np.uint64
) -> Block:
    """The four words of the counter (block, part, pair, generation) under the key (seed, stream); all are uint64."""
    a, b, c, d = block, part, pair, generation
    x, y = seed, stream
    for _ in range(ROUNDS):
        high_a, low_a = wide_product(M0, a)
        high_c, low_c = wide_product(M1, c)
        a, b, c, d = high_c ^ b ^ x, low_c, high_a ^ d ^ y, low_a
        # The key of the next round: a Weyl sequence, modulo 2^64.
        x += W0
        y += W1
    return a, b, c, d


BITS_OF_A_ROLL = 16
LONGEST_TABLE = 4096


class Reader(NamedTuple):
    """How kernels read rolls from words: `runs` has the points of each run of `digits` rolls, 16 bits each.

    The first roll of a run is in the lowest bits; `alias` has the alias points of each slot and `cut` where they begin
    (`pigevo.dice.Die`); a fair die does without.
    """

    runs: Ints
    alias: Ints
    cut: Words
    digits: int
    runs_of_word: int
    is_fair: bool


@lru_cache(maxsize=64)
def reader_of(game: Game) -> Reader:
    """The reader of a game's die."""
    return reader(Die.of(game.die, game.bust), game.target)


def reader(die: Die, target: int) -> Reader:
    """The reader of a die; points beyond the target are clipped to it."""
    slots = len(die.own)
    digits = max(d for d in (1, 2, 4) if d == 1 or (die.is_fair and slots**d <= LONGEST_TABLE))
    own = np.minimum(die.own, target)
    runs = np.zeros(slots**digits, np.int64)
    # The first roll is the most significant digit of an entry's number, and is in its lowest bits.
    for digit in range(digits):
        slot = np.arange(len(runs)) // slots ** (digits - 1 - digit) % slots
        runs |= own[slot] << (BITS_OF_A_ROLL * digit)
    alias = np.minimum(die.alias, target)
    return Reader(runs, alias, die.cut, digits, max(die.rolls_per_word // digits, 1), die.is_fair)


@kernel()
def read_fair(words: Block, table: Ints, count: int, out: Ints, lane: int) -> None:
    """Write the runs of rolls in four words, `count` from each, into column `lane` of `out`, in order."""
    # The upper word of a product is the number of a run; the lower one is the fraction from which the next run is read.
    span = np.uint64(len(table))
    a, b, c, d = words
    for n in range(count):
        run, a = wide_product(a, span)
        out[n, lane] = table[run]
        run, b = wide_product(b, span)
        out[count + n, lane] = table[run]
        run, c = wide_product(c, span)
        out[2 * count + n, lane] = table[run]
        run, d = wide_product(d, span)
        out[3 * count + n, lane] = table[run]


@kernel()
def read_with_alias(words: Block, own: Ints, alias: Ints, cut: Words, out: Ints, lane: int) -> None:
    """Write the eight rolls in four words into column `lane` of `out`, of a die with alias points."""
    slots, half = np.uint64(len(own)), np.uint64(32)
    for n in range(8):
        word = words[n // 2]
        # Two rolls a word: one from all of it, the next from its lower half.
        slot, fraction = wide_product(word << half if n % 2 else word, slots)
        out[n, lane] = own[slot] if fraction >> half < cut[slot] else alias[slot]


@kernel()
def unpack(runs: Ints, digits: int, rolls: Ints32) -> None:
    """Write the rolls in all lanes' runs to `rolls`, with one row for each roll of the block."""
    for n in range(runs.shape[0]):
        for digit in range(digits):
            run, row = runs[n], rolls[n * digits + digit]
            for lane in range(row.shape[0]):
                row[lane] = np.int32((run[lane] >> (BITS_OF_A_ROLL * digit)) & 0xFFFF)
