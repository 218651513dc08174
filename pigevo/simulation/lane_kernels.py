"""The dice of all lanes, decisions as bits, and one roll of every lane that reads them, without branches on the dice.

The generator Philox4x64-10 is the same as in `pigevo.dice`.  Ten rounds of two widening multiplications turn a counter
of four words, under a key of two, into four random words (Salmon, Moraes, Dror & Shaw, "Parallel random numbers: as
easy as 1, 2, 3", SC 2011).  A table of runs gives several rolls of a fair die with one multiplication: its entry number
`floor(word * slots^d / 2^64)` contains the word's first `d` digits in base `slots`, as points.

As bits, both players' tables fit into the processor's cache.  The state of all lanes is one array of int32, so that the
compiler knows that nothing overlaps.  Its parts are:

- MINE, THEIRS: scores of the player to move and of the other player,
- TOTAL: the turn total, including the current roll,
- TABLE, THEIR_TABLE: where the decisions of the player to move and of the other player start,
- TURN: the number of turns played,
- END: the turn of the win; before a win, the largest number of turns; STALEMATED after two (certain) passes,
- INDEX, BYTE: the index of the byte of decisions to look up, and its value.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.compiled.simd import CELLS, COINS, copy_bytes, pack_cells, wide_product
from pigevo.core.arrays import Bools, Bytes, Ints, Ints32, Tables, Words
from pigevo.core.machine import PIECE
from pigevo.dice import Die
from pigevo.games import Game
from pigevo.strategies.grid import decision_rows

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


PACKED_AT_ONCE = 32 << 20
"""The number of cells whose bytes are expanded at a time."""


class PackedTables(NamedTuple):
    """The decisions of some strategies as bits, `size` bytes each: 66 kB for a target of 100.

    Bit `7 - j % 8` of byte `size * n + (i * (2 * target + 1 - i) // 2 + k) * width + j // 8` is strategy n's decision
    at own score i, turn total k and opponent's score j. There are no rows for turns that have won; what may be read in
    their place is meaningless.
    """

    decisions: Bytes
    size: int
    target: int
    width: int
    may_pass: bool


def packed_bytes(target: int) -> int:
    """The bytes of a strategy's decisions as bits; 32 bits can index those of two strategies to any target."""
    return target * (target + 1) // 2 * -(-target // 8)


def fit(strategies: int, target: int) -> bool:
    """Whether the decisions of a number of strategies are packed together: larger populations play part by part."""
    return strategies * packed_bytes(target) <= PIECE


def pack(strategies: Tables, which: Ints | None = None) -> PackedTables:
    """Pack tables given as bytes of shape `(n, own, turn total, opponent)`, or as members by their genes.

    `which` chooses some of them; None packs all.
    """
    n = len(strategies if which is None else which)
    first, row_of_cell, is_new = decision_rows(strategies, slice(0, 1))
    target = len(row_of_cell)
    width, own = -(-target // 8), np.arange(target)
    size = packed_bytes(target)
    decisions = np.empty(n * size + target * width, np.uint8)
    together = max(1, PACKED_AT_ONCE // target**3)
    for begin in range(0, n, together):
        part = slice(begin, begin + together)
        rows = decision_rows(strategies, part if which is None else which[part]).rows
        pack_rows(rows, row_of_cell, is_new, decisions[begin * size :])
    may_pass = False
    if (row_of_cell[:, 0] < first.shape[1]).any():  # the game allows it
        starts = decisions[: n * size].reshape(n, -1, width)[:, own * (2 * target + 1 - own) // 2]
        may_pass = bool((~starts & np.packbits(np.ones(target, np.uint8))).any())
    return PackedTables(decisions, size, target, width, may_pass)


@kernel()
def pack_rows(rows: Bytes, row_of_cell: Ints, is_new: Bools, decisions: Bytes) -> None:
    """Write the decisions of each own score and turn total as bits, in the order of `PackedTables`.

    `rows`, shape (n, m, T), and `row_of_cell`, shape (T, T), are those of `decision_rows`. `is_new`, shape (T,), is
    false for an own score with the rows of the one before.
    """
    n, count, T = rows.shape
    width, words = -(-T // CELLS), -(-T // COINS) * COINS
    offset = 0
    for strategy in range(n):
        for own in range(T):
            if own > 0 and not is_new[own]:
                copy_bytes(decisions, offset - (T - own + 1) * width, (T - own) * width, decisions[offset:])
                offset += (T - own) * width
                continue
            for k in range(T - own):
                row = row_of_cell[own, k]
                cells = (strategy * count + row) * T
                if row >= count:
                    for byte in range(width):
                        decisions[offset + byte] = 255 * (row - count)
                elif cells + words <= rows.size and offset + words // CELLS <= decisions.size:
                    # bytes written past a row are overwritten by the next one, or never read
                    for cell in range(0, T, COINS):
                        pack_cells(rows, cells + cell, decisions, offset + cell // CELLS)
                else:
                    for byte in range(width):
                        packed = 0
                        for j in range(byte * CELLS, min(byte * CELLS + CELLS, T)):
                            packed |= (rows[strategy, row, j] != 0) << (CELLS - 1 - j % CELLS)
                        decisions[offset + byte] = packed
                offset += width


GAME_LANES = 64
MINE, THEIRS, TOTAL, TABLE, THEIR_TABLE, TURN, END, INDEX, BYTE, STATE_SIZE = (GAME_LANES * n for n in range(10))
STALEMATED = -1  # in END
STALEMATE, UNFINISHED = 2, 3  # outcomes
JOB_NUMBER, JOB_MATCH, JOB_GAME, JOB_BLOCK = 0, 1, 2, 3  # the rows of `jobs` in `start_next_games`
INT = np.int32  # numba widens results to 64 bits: narrow them at once, or only half the lanes fit into a vector


@kernel(borrows=True)
def first_row(own: np.int32, target: np.int32) -> np.int32:
    """The row of decisions at an own score and a turn total of 0 (see `PackedTables`)."""
    # The score i has target - i rows: those before it add up to i (2 target + 1 - i) / 2.
    return INT(INT(own * INT(target + target + INT(1) - own)) >> INT(1))


@kernel(borrows=True)
def add_rolls(lanes: Ints32, roll: Ints32, target: np.int32, width: np.int32) -> None:
    """Add a roll to the turn totals, and find the decisions."""
    for n in range(GAME_LANES):
        total = INT(lanes[TOTAL + n] + roll[n])
        row = INT(first_row(lanes[MINE + n], target) + total)
        lanes[TOTAL + n] = total
        lanes[INDEX + n] = INT(INT(lanes[TABLE + n] + INT(row * width)) + (lanes[THEIRS + n] >> INT(3)))


@kernel(borrows=True)
def look_up_decisions(lanes: Ints32, decisions: Bytes) -> None:
    """Read the current decisions."""
    for n in range(GAME_LANES):
        lanes[BYTE + n] = decisions[np.uint64(np.uint32(lanes[INDEX + n]))]


@kernel(borrows=True)
def advance(lanes: Ints32, after: Ints32, roll: Ints32, following: Ints32, target: np.int32, width: np.int32) -> None:
    """Finish the step of `roll`, whose points are in the turn totals; add `following` and locate its decisions.

    The new state is written to another array: if a value could stay unchanged in place, the
    compiler would emit a masked store, which takes many times as long as a plain one.
    """
    for n in range(GAME_LANES):
        mine, theirs, total = lanes[MINE + n], lanes[THEIRS + n], lanes[TOTAL + n]
        table, their_table = lanes[TABLE + n], lanes[THEIR_TABLE + n]
        turn, end = lanes[TURN + n], lanes[END + n]
        reached = INT(mine + total)
        is_win = reached >= target
        is_bust = roll[n] == 0
        # Bit 7 - j % 8 of the byte, moved to bit 7, is the decision at the opponent's score j.
        is_hold = INT(lanes[BYTE + n] << (theirs & INT(7))) & INT(128) == 0
        stops = is_bust | is_win | is_hold
        banked = mine if is_bust | is_win else reached  # there are no decisions at the target
        next_mine = theirs if stops else mine
        next_theirs = banked if stops else theirs
        next_table = their_table if stops else table
        next_total = INT((INT(0) if stops else total) + following[n])
        row = INT(first_row(next_mine, target) + next_total)
        after[MINE + n] = next_mine
        after[THEIRS + n] = next_theirs
        after[TOTAL + n] = next_total
        after[TABLE + n] = next_table
        after[THEIR_TABLE + n] = table if stops else their_table
        after[TURN + n] = INT(turn + INT(stops))
        # A lane whose game has ended goes on: the first win has the lowest turn, and later ones do not change it.
        after[END + n] = min(turn, end) if is_win else end
        after[INDEX + n] = INT(INT(next_table + INT(row * width)) + (next_theirs >> INT(3)))


@kernel(borrows=True)
def pass_turns(
    lanes: Ints32, lane: int, roll: np.int32, decisions: Bytes, most: np.int32, target: np.int32, width: np.int32
) -> None:
    """Pass where a turn begins with a pass; used only in games that allow it.  `roll` is in the turn total."""
    for passes in range(2):
        mine, theirs = lanes[MINE + lane], lanes[THEIRS + lane]
        table, their_table = lanes[TABLE + lane], lanes[THEIR_TABLE + lane]
        index = table + first_row(mine, target) * width + (theirs >> 3)
        if lanes[TOTAL + lane] != roll or (np.int64(decisions[index]) << (theirs & 7)) & 128 != 0:
            return
        # The second pass in a row, in a game that has not ended: neither strategy ever rolls at these scores.
        if passes == 1 and lanes[END + lane] == most and lanes[TURN + lane] < most:
            lanes[END + lane] = STALEMATED
        lanes[MINE + lane], lanes[THEIRS + lane] = theirs, mine
        lanes[TABLE + lane], lanes[THEIR_TABLE + lane] = their_table, table
        lanes[TURN + lane] += 1
        lanes[INDEX + lane] = their_table + (first_row(theirs, target) + roll) * width + (mine >> 3)


@kernel(borrows=True)
def start_next_games(
    lanes: Ints32,
    jobs: Ints,
    pairs: Ints,
    games: int,
    size: int,
    most: np.int32,
    outcomes: Bytes,
    start: int,
    upcoming: int,
    stop: int,
) -> int:
    """Write the outcomes of games that have ended and start the next ones in their lanes; returns the next number.

    `jobs`, shape (4, lanes), has the number of each lane's game (-1 for none), its match, the game's number in the
    match, and the blocks of dice used; `size` is the number of bytes of a strategy's decisions.
    """
    for n in range(GAME_LANES):
        number, match, game = jobs[JOB_NUMBER, n], jobs[JOB_MATCH, n], jobs[JOB_GAME, n]
        if number >= 0 and (lanes[END + n] < most or lanes[TURN + n] >= most):
            end = lanes[END + n]
            # Turn `end` won. Turns alternate from 0, and the first strategy has the even ones in even games.
            outcome = UNFINISHED if end == most else STALEMATE if end == STALEMATED else (end + game) & 1
            outcomes[number - start] = outcome
            jobs[JOB_NUMBER, n] = number = -1
        if number < 0 and upcoming < stop:
            match, game = upcoming // games, upcoming % games
            lanes[MINE + n] = lanes[THEIRS + n] = lanes[TOTAL + n] = lanes[TURN + n] = 0
            lanes[END + n] = most
            lanes[TABLE + n] = INT(pairs[match, game & 1] * size)
            lanes[THEIR_TABLE + n] = INT(pairs[match, 1 - (game & 1)] * size)
            jobs[JOB_NUMBER, n], jobs[JOB_MATCH, n], jobs[JOB_GAME, n], jobs[JOB_BLOCK, n] = upcoming, match, game, 0
            upcoming += 1
    return upcoming


@kernel(borrows=True)
def all_idle(jobs: Ints) -> bool:
    """Whether no lane has a game; a loop, because numba's `max` takes ten times as long to compile."""
    for n in range(GAME_LANES):  # noqa: SIM110  (numba compiles no generator)
        if jobs[JOB_NUMBER, n] >= 0:
            return False
    return True
