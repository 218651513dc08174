"""Dice of the seats: in games with paired dice either seat rolls its own, from its own counter.

A bank holds the next rolls of each seat of each lane, two blocks of them in turn; seat s
of lane n has row `s * LANES + n`.
"""

from __future__ import annotations

import numpy as np

from pigevo.arena.dice_kernels import BITS_OF_A_ROLL
from pigevo.arena.lane_kernels import INT, LANES, PLACE, TOTAL, TURN
from pigevo.arrays import Ints, Ints32
from pigevo.compiled import kernel


@kernel()
def store(runs: Ints, lane: int, digits: int, bank: Ints32, seat: int, block: int) -> None:
    """Write the rolls of column `lane` of `runs` into a row of the bank, over the block before the last."""
    depth = len(runs) * digits
    first = ((block - 1) & 1) * depth
    for n in range(len(runs)):
        for digit in range(digits):
            bank[seat, first + n * digits + digit] = INT((runs[n, lane] >> (BITS_OF_A_ROLL * digit)) & 0xFFFF)


@kernel()
def deal(lanes: Ints32, bank: Ints32, used: Ints, roll: Ints32, width: np.int32) -> None:
    """Make the next roll of every lane's player to move: add it to the turn total, and find the decisions."""
    last = bank.shape[1] - 1  # of a length that is a power of two
    for n in range(LANES):
        seat = (lanes[TURN + n] & 1) * LANES + n
        points = bank[seat, used[seat] & last]
        used[seat] += 1
        roll[n] = points
        lanes[TOTAL + n] += points
        lanes[PLACE + n] += points * width
