"""The compiled loop that writes decisions as bits."""

from __future__ import annotations

from pigevo.arrays import Bytes
from pigevo.bit_lanes import CELLS, eight
from pigevo.compiled import kernel


@kernel()
def pack_rows(rows: Bytes, width: int, decisions: Bytes) -> None:
    """Write the decisions `[own, turn total, opponent]` as bits, a row of opponent's scores in `width` bytes.

    Bit `7 - j % 8` of byte `j // 8` of a row is the decision at opponent's score j.  Rows
    in which the turn has won are left as they are: nobody asks them.
    """
    T = rows.shape[0]
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
