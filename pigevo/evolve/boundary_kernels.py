"""The compiled loop that moves the roll/hold boundary of a genome."""

from __future__ import annotations

from pigevo.arrays import Bytes, Ints
from pigevo.compiled import kernel


@kernel()
def move_boundary(
    genes: Bytes, numbers: Ints, i_begin: int, i_end: int, j_begin: int, j_end: int, by: int, past: int
) -> None:
    """Let holding begin `by` slices of the turn total later in a patch of score pairs, in place.

    Where no gene decides, a turn's start rolls and all else holds, as the game has it.

    Args:
        genes: of one genome, shape (rows, j-slices).
        numbers: the row of an i-slice and a k-slice, -1 if there is none, shape (i-slices, k-slices).
        i_begin, i_end, j_begin, j_end: the patch, ends excluded.
        by: slices along k; earlier if negative, but never before the first slice.
        past: slices from the new boundary on that shall hold: those that one roll can reach.
    """
    slices = numbers.shape[1]
    for i in range(i_begin, i_end):
        for j in range(j_begin, j_end):
            first = 0
            while first < slices and _rolls(genes, numbers[i, first], j, first):
                first += 1
            new = max(first + by, 0)
            for k in range(first, min(new, slices)):
                if numbers[i, k] >= 0:
                    genes[numbers[i, k], j] = 1
            for k in range(new, min(max(new + past, first), slices)):
                if numbers[i, k] >= 0:
                    genes[numbers[i, k], j] = 0


@kernel(forceinline=True)
def _rolls(genes: Bytes, row: int, j: int, k: int) -> bool:
    return genes[row, j] != 0 if row >= 0 else k == 0
