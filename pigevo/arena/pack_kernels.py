"""The compiled loop that writes decisions as bits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pigevo.arrays import Bytes
from pigevo.bit_lanes import CELLS, COINS, eight, pack_cells
from pigevo.compiled import kernel


def _examples() -> Iterator[tuple[Any, ...]]:
    for T in (11, COINS + 3):  # what `pack_rows` does with bytes, and `_pack_long_rows` with longer rows
        rows = (np.arange(T**3) % 7 % 2).astype(np.uint8).reshape(T, T, T)
        width = -(-T // CELLS)
        yield rows, width, np.zeros(T * T * width, np.uint8)


@kernel(_examples)
def pack_rows(rows: Bytes, width: int, decisions: Bytes) -> None:
    """Write the decisions `[own, turn total, opponent]` as bits, a row of opponent's scores in `width` bytes.

    Bit `7 - j % 8` of byte `j // 8` of a row is the decision at opponent's score j.  What
    stands in rows in which the turn has won means nothing: nobody asks them.
    """
    T = rows.shape[0]
    if T >= COINS:
        _pack_long_rows(rows, width, decisions)
        return
    whole = T // CELLS
    for own in range(T):
        for k in range(T - own):
            row = own * T + k
            for byte in range(whole):
                decisions[row * width + byte] = eight(rows, row * T + byte * CELLS)
            if whole < width:
                last = 0
                for j in range(whole * CELLS, T):
                    last |= (rows[own, k, j] != 0) << (CELLS - 1 - j % CELLS)
                decisions[row * width + whole] = last


@kernel()
def _pack_long_rows(rows: Bytes, width: int, decisions: Bytes) -> None:
    """`pack_rows` by 64 cells: what is written past a row is overwritten by the next one, or not asked."""
    T = rows.shape[0]
    for own in range(T):
        for k in range(T - own):
            row = own * T + k
            for cell in range(0, T, COINS):
                pack_cells(rows, row * T + cell, decisions, row * width + cell // CELLS)
