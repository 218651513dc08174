"""Bits and bytes side by side do what their docstrings say."""

import numba
import numpy as np

from pigevo.compiled.simd_bits import CELLS, COINS, choose, eight

RANDOM = np.random.default_rng(0)


def test_choose_takes_the_second_byte_where_the_bit_is_1():
    @numba.njit
    def fill(first, second, coins, target):
        for number in range(coins.size):
            choose(first, number * COINS + 7, second, number * COINS + 2, coins[number], target, number * COINS)

    first, second = RANDOM.integers(0, 256, (2, 3 * COINS + 7), dtype=np.uint8)
    coins = RANDOM.integers(0, 2**64, 3, dtype=np.uint64)
    target = np.zeros(3 * COINS, np.uint8)
    fill(first, second, coins, target)
    bits = np.unpackbits(coins.astype("<u8").view(np.uint8), bitorder="little")
    assert np.array_equal(target, np.where(bits, second[2:-5], first[7:]))


def test_eight_cells_are_packed_the_first_into_the_highest_bit():
    @numba.njit
    def pack(cells, packed):
        for n in range(packed.size):
            packed[n] = eight(cells, n + 3)

    cells = RANDOM.integers(0, 3, 40, dtype=np.uint8)
    packed = np.zeros(30, np.uint8)
    pack(cells, packed)
    assert packed.tolist() == [int(np.packbits(cells[n + 3 : n + 3 + CELLS])[0]) for n in range(30)]
