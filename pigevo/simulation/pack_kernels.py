"""Decisions as bits, so that both players' tables fit into the processor's cache."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.compiled.simd import CELLS, COINS, copy_bytes, pack_cells
from pigevo.core.arrays import Bools, Bytes, Ints, Tables
from pigevo.core.machine import PIECE
from pigevo.strategies.grid import decision_rows

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
    n, row_of_cell = len(strategies if which is None else which), decision_rows(strategies, slice(0, 1))[1]
    target = len(row_of_cell)
    width, total = -(-target // 8), np.arange(target)
    size = packed_bytes(target)
    differs = row_of_cell != np.roll(row_of_cell, 1, axis=0)
    is_new = (differs & (np.add.outer(total, total) < target)).any(axis=1)
    decisions = np.empty(n * size + target * width, np.uint8)
    together = max(1, PACKED_AT_ONCE // target**3)
    for place in range(0, n, together):
        part = slice(place, place + together)
        rows = decision_rows(strategies, part if which is None else which[part])[0]
        pack_rows(rows, row_of_cell, is_new, decisions[place * size :])
    starts = decisions[: n * size].reshape(n, -1, width)[:, total * (2 * target + 1 - total) // 2]
    every = np.packbits(np.ones(target, np.uint8))
    return PackedTables(decisions, size, target, width, bool((~starts & every).any()))


@kernel()
def pack_rows(rows: Bytes, row_of_cell: Ints, is_new: Bools, decisions: Bytes) -> None:
    """Write the decisions of each own score and turn total as bits, in the order of `PackedTables`.

    `rows`, shape (n, m, T), and `row_of_cell`, shape (T, T), are those of `decision_rows`. `is_new`, shape (T,), is
    false for an own score with the rows of the one before.
    """
    n, count, T = rows.shape
    width, words = -(-T // CELLS), -(-T // COINS) * COINS
    place = 0
    for strategy in range(n):
        for own in range(T):
            if own > 0 and not is_new[own]:
                copy_bytes(decisions, place - (T - own + 1) * width, (T - own) * width, decisions[place:])
                place += (T - own) * width
                continue
            for k in range(T - own):
                row = row_of_cell[own, k]
                cells = (strategy * count + row) * T
                if row >= count:
                    for byte in range(width):
                        decisions[place + byte] = 255 * (row - count)
                elif cells + words <= rows.size and place + words // CELLS <= decisions.size:
                    # bytes written past a row are overwritten by the next one, or never read
                    for cell in range(0, T, COINS):
                        pack_cells(rows, cells + cell, decisions, place + cell // CELLS)
                else:
                    for byte in range(width):
                        packed = 0
                        for j in range(byte * CELLS, min(byte * CELLS + CELLS, T)):
                            packed |= (rows[strategy, row, j] != 0) << (CELLS - 1 - j % CELLS)
                        decisions[place + byte] = packed
                place += width
