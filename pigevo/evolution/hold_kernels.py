"""The compiled loops that read the roll/hold boundary of whole genomes, and write it."""

from __future__ import annotations

from pigevo.arrays import Bytes, Ints
from pigevo.compiled import kernel


@kernel()
def read_holds(genes: Bytes, numbers: Ints, holds: Ints) -> None:
    """The first slice of the turn total that holds, for every genome and place; their number where none does.

    Where no gene decides, a turn's start rolls and all else holds, as the game has it.

    Args:
        genes: of genomes, shape (n, rows, lanes).
        numbers: the row of a place and a slice, -1 if there is none, shape (places, slices).
        holds: to be filled, shape (n, places, lanes).
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
    """Let every genome roll below its boundary and hold from there on.

    Args:
        holds: the first slice that holds, shape (n, places, lanes).
        numbers: the row of a place and a slice, -1 if there is none, shape (places, slices).
        genes: to be filled, shape (n, rows, lanes).
    """
    for n in range(holds.shape[0]):
        for place in range(holds.shape[1]):
            for k in range(numbers.shape[1]):
                row = numbers[place, k]
                if row >= 0:
                    for lane in range(holds.shape[2]):
                        genes[n, row, lane] = 1 if k < holds[n, place, lane] else 0
