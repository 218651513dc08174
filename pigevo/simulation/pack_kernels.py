"""The compiled loop that writes decisions as bits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pigevo.compiled.kernel import kernel
from pigevo.compiled.simd_bits import CELLS, COINS, eight, pack_cells
from pigevo.core.arrays import Bytes, Ints


def _examples() -> Iterator[tuple[Any, ...]]:
    for T in (11, COINS + 3):  # by bytes, and by words
        rows = (np.arange(2 * (T + 2) * T) % 7 % 2).astype(np.uint8).reshape(2, T + 2, T)
        width = -(-T // CELLS)
        yield rows, np.arange(T * T).reshape(T, T) % (T + 4), width, np.zeros(2 * T * T * width, np.uint8)


@kernel(_examples)
def pack_rows(rows: Bytes, row_of_cell: Ints, width: int, decisions: Bytes) -> None:
    """Write the decisions of each own score and turn total as bits, a row of opponent's scores in `width` bytes.

    Bit `7 - j % 8` of byte `j // 8` of a row is the decision at opponent's score j.  What
    stands in rows in which the turn has won means nothing: nobody asks them.

    Args:
        rows: decisions of n strategies by opponent's score, shape (n, m, T), contiguous.
        row_of_cell: which of the m is at an own score and a turn total, shape (T, T); m for zeros, m + 1 for ones.
        width: bytes of a row.
        decisions: to be filled, n T T `width` bytes; past an asked row others may be written that are not.
    """
    n, count, T = rows.shape
    whole, words = T // CELLS, -(-T // COINS) * COINS
    for strategy in range(n):
        for own in range(T):
            for k in range(T - own):
                row, place = row_of_cell[own, k], ((strategy * T + own) * T + k) * width
                cells = (strategy * count + row) * T
                if row >= count:
                    for byte in range(width):
                        decisions[place + byte] = 255 * (row - count)
                elif T >= COINS and cells + words <= rows.size:
                    # what is written past a row is overwritten by the next one, or not asked
                    for cell in range(0, T, COINS):
                        pack_cells(rows, cells + cell, decisions, place + cell // CELLS)
                else:
                    for byte in range(whole):
                        decisions[place + byte] = eight(rows, cells + byte * CELLS)
                    if whole < width:
                        last = 0
                        for j in range(whole * CELLS, T):
                            last |= (rows[strategy, row, j] != 0) << (CELLS - 1 - j % CELLS)
                        decisions[place + whole] = last
