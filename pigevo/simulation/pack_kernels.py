"""The compiled loop that writes decisions as bits."""

from __future__ import annotations

from pigevo.compiled.kernel import kernel
from pigevo.compiled.simd import CELLS, COINS, pack_cells
from pigevo.core.arrays import Bytes, Ints


@kernel()
def pack_rows(rows: Bytes, row_of_cell: Ints, width: int, decisions: Bytes) -> None:
    """Write the decisions of each own score and turn total as bits, a row of opponent's scores in `width` bytes.

    Bit `7 - j % 8` of byte `j // 8` of a row is the decision at opponent's score j. `rows` has shape (n, m, T);
    `row_of_cell`, shape (T, T), tells which of the m is at an own score and a turn total: m for zeros, m + 1 for ones.
    Rows in which the turn has won are never read, and mean nothing.
    """
    n, count, T = rows.shape
    words = -(-T // COINS) * COINS
    for strategy in range(n):
        for own in range(T):
            for k in range(T - own):
                row, place = row_of_cell[own, k], ((strategy * T + own) * T + k) * width
                cells = (strategy * count + row) * T
                if row >= count:
                    for byte in range(width):
                        decisions[place + byte] = 255 * (row - count)
                elif cells + words <= rows.size and place + words // CELLS <= decisions.size:
                    # what is written past a row is overwritten by the next one, or not asked
                    for cell in range(0, T, COINS):
                        pack_cells(rows, cells + cell, decisions, place + cell // CELLS)
                else:
                    for byte in range(width):
                        packed = 0
                        for j in range(byte * CELLS, min(byte * CELLS + CELLS, T)):
                            packed |= (rows[strategy, row, j] != 0) << (CELLS - 1 - j % CELLS)
                        decisions[place + byte] = packed
