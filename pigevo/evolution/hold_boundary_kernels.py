"""The compiled loops that read, write and move the roll/hold boundary of genomes."""

from __future__ import annotations

from pigevo.compiled.kernel import kernel
from pigevo.core.arrays import Bytes, Ints


@kernel()
def read_holds(genes: Bytes, numbers: Ints, holds: Ints) -> None:
    """Find the first slice of the turn total that holds, for every genome and place; the number of slices if none does.

    Where no gene decides, the start of a turn rolls and all other slices hold, by the rules of the game.

    Args:
        genes: genes of the genomes, shape (n, rows, lanes).
        numbers: the row of each place and slice, -1 if no row exists, shape (places, slices).
        holds: the array to fill, shape (n, places, lanes).
    """
    slices = numbers.shape[1]
    for n in range(holds.shape[0]):
        for place in range(holds.shape[1]):
            for lane in range(holds.shape[2]):
                first = slices
                for k in range(slices):
                    row = numbers[place, k]
                    if (genes[n, row, lane] == 0) if row >= 0 else (k > 0):
                        first = k
                        break
                holds[n, place, lane] = first


@kernel()
def write_holds(holds: Ints, numbers: Ints, genes: Bytes) -> None:
    """Make every genome roll below its boundary and hold from there on.

    Args:
        holds: the first slice that holds, shape (n, places, lanes).
        numbers: the row of each place and slice, -1 if no row exists, shape (places, slices).
        genes: the array to fill, shape (n, rows, lanes).
    """
    for n in range(holds.shape[0]):
        for place in range(holds.shape[1]):
            for k in range(numbers.shape[1]):
                row = numbers[place, k]
                if row >= 0:
                    for lane in range(holds.shape[2]):
                        genes[n, row, lane] = 1 if k < holds[n, place, lane] else 0


@kernel()
def move_boundary(
    genes: Bytes, numbers: Ints, i_begin: int, i_end: int, j_begin: int, j_end: int, level: int, by: int, past: int
) -> None:
    """Move the boundary in a patch to `by` slices of the turn total after its old place, or after `level`, in place.

    Where no gene decides, the start of a turn rolls and all other slices hold, by the rules of the game.

    Args:
        genes: genes of a genome, shape (rows, j-slices).
        numbers: the row of each i-slice and k-slice, -1 if no row exists, shape (i-slices, k-slices).
        i_begin, i_end, j_begin, j_end: the patch of score pairs, ends excluded.
        level: the slice from which `by` is counted; with -1 it is counted from each pair's own first hold.
        by: number of slices along k; negative means earlier, but never before the first slice.
        past: number of slices, from the new boundary on, that must hold: those that one roll can reach.
    """
    slices = numbers.shape[1]
    for i in range(i_begin, i_end):
        for j in range(j_begin, j_end):
            first = first_hold(genes, numbers, i, j)
            new = max((first if level < 0 else level) + by, 0)
            for k in range(first, min(new, slices)):
                if numbers[i, k] >= 0:
                    genes[numbers[i, k], j] = 1
            for k in range(new, min(max(new + past, first), slices)):
                if numbers[i, k] >= 0:
                    genes[numbers[i, k], j] = 0


@kernel()
def first_hold(genes: Bytes, numbers: Ints, i: int, j: int) -> int:
    """The first slice of the turn total that holds at a pair of scores, or the number of slices if none does."""
    for k in range(numbers.shape[1]):
        row = numbers[i, k]
        if (genes[row, j] == 0) if row >= 0 else (k > 0):
            return k
    return int(numbers.shape[1])
