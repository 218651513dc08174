"""Games with paired dice, in which either seat rolls its own, from its own counter.

A bank holds the next rolls of each seat of each lane, two blocks of them in turn; seat s
of lane n has row `s * LANES + n`.
"""

from __future__ import annotations

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.core.arrays import Bytes, Ints, Ints32, Shorts
from pigevo.simulation.dice_kernels import BITS_OF_A_ROLL, Reader, philox_block, read_any, read_fair
from pigevo.simulation.lane_kernels import (
    BLOCK,
    GAME,
    INT,
    LANES,
    MATCH,
    NUMBER,
    SIZE,
    TURN,
    UNFINISHED,
    add,
    advance,
    idle,
    look_up,
    replace,
    skip,
)
from pigevo.simulation.tables import PackedTables


@kernel()
def store(runs: Ints, lane: int, digits: int, bank: Shorts, seat: int, block: int) -> None:
    """Write the rolls of column `lane` of `runs` into a row of the bank, over the block before the last."""
    depth = len(runs) * digits
    first = ((block - 1) & 1) * depth
    for n in range(len(runs)):
        for digit in range(digits):
            bank[seat, first + n * digits + digit] = np.int16((runs[n, lane] >> (BITS_OF_A_ROLL * digit)) & 0xFFFF)


@kernel()
def deal(lanes: Ints32, bank: Shorts, used: Ints, roll: Ints32) -> None:
    """Take the next roll of every lane's player to move."""
    last = np.uint64(bank.shape[1] - 1)  # of a length that is a power of two
    for n in range(LANES):
        seat = np.uint64((lanes[TURN + n] & 1) * LANES + n)
        next_roll = used[seat]
        roll[n] = bank[seat, np.uint64(next_roll) & last]
        used[seat] = next_roll + 1


@kernel()
def play_couples(
    tables: PackedTables,
    dice: Reader,
    pairs: Ints,
    games: int,
    start: int,
    stop: int,
    most_turns: int,
    first_pair: int,
    generation: np.uint64,
    seed: np.uint64,
    stream: np.uint64,
) -> Bytes:
    """Play games as `pigevo.simulation.kernels.play_games` does, but with paired dice.

    The first seats of games 2n and 2n + 1 both roll the dice of game 2n, roll for roll,
    and the second seats those of game 2n + 1.
    """
    decisions, size, may_pass = tables.decisions, tables.size, tables.may_pass
    target, width, most = INT(tables.target), INT(tables.width), INT(most_turns)
    table, other, cut, is_fair = dice.runs, dice.other, dice.cut, dice.is_fair
    digits, count = dice.digits, dice.runs_of_word
    outcomes = np.full(stop - start, UNFINISHED, np.uint8)
    lanes, after = np.zeros(SIZE, np.int32), np.zeros(SIZE, np.int32)
    jobs = np.full((4, LANES), -1, np.int64)
    runs = np.zeros((4 * count, LANES), np.int64)
    depth = len(runs) * digits
    bank = np.zeros((2 * LANES, 2 * depth), np.int16)
    used, block = np.zeros(2 * LANES, np.int64), np.zeros(2 * LANES, np.int64)
    roll, nothing = np.zeros(LANES, np.int32), np.zeros(LANES, np.int32)
    upcoming = start
    while True:
        upcoming = replace(lanes, jobs, pairs, games, size, most, outcomes, start, upcoming, stop)
        if idle(jobs):
            return outcomes
        for seat in range(2 * LANES):
            n, is_second = seat % LANES, seat // LANES
            if jobs[NUMBER, n] >= 0:
                if jobs[BLOCK, n] == 0:
                    used[seat] = block[seat] = 0
                    jobs[BLOCK, n] = is_second
                while used[seat] + depth > block[seat] * depth:  # enough for all steps to the next look
                    block[seat] += 1
                    part, pair = np.uint64((jobs[GAME, n] & ~1) + is_second), np.uint64(jobs[MATCH, n] + first_pair)
                    words = philox_block(np.uint64(block[seat]), part, pair, generation, seed, stream)
                    if is_fair:
                        read_fair(words, table, count, runs, n)
                    else:
                        read_any(words, table, other, cut, runs, n)
                    store(runs, n, digits, bank, seat, block[seat])
        for _ in range(depth):
            if may_pass:
                for n in range(LANES):
                    skip(lanes, n, INT(0), decisions, most, target, width)
            deal(lanes, bank, used, roll)
            add(lanes, roll, target, width)
            look_up(lanes, decisions)
            advance(lanes, after, roll, nothing, target, width)
            lanes, after = after, lanes
