"""The roll/hold boundary of a genome as numbers: at which slice of the turn total holding begins.

Where decisions depend on the number of rolls too, each number of rolls has a boundary of its own.
"""

from __future__ import annotations

import numpy as np

from pigevo.core.arrays import Bytes, Ints, read_only
from pigevo.strategies import CubeGrid


def places_of(grid: CubeGrid) -> Ints:
    """The row of genes of each place and slice of the turn total, -1 if there is none, shape (places, slices).

    Args:
        grid: where genomes live; a place is all but the turn total and the last score.
    """
    d = len(grid.game.between)
    numbers = grid.row_numbers
    stacked = np.moveaxis(numbers.reshape(*numbers.shape[:d], -1), d - 1, -1)
    return np.ascontiguousarray(stacked.reshape(-1, numbers.shape[d - 1]))


def most_of(grid: CubeGrid) -> Ints:
    """Where one holds at last who rolls wherever a gene decides, in slices of the turn total, shape (places,)."""
    numbers = places_of(grid)
    decided = np.where(numbers >= 0, np.arange(numbers.shape[1]) + 1, 0)
    return np.asarray(decided.max(axis=1))


def holds_of(grid: CubeGrid, genomes: Bytes) -> Ints:
    """Where holding begins.

    Args:
        grid: where the genomes live.
        genomes: zeros and ones, shape (n, genes).

    Returns:
        Slices of the turn total, shape (n, places, lanes): the first that holds, or their number if none does.
    """
    from pigevo.evolution.hold_boundary_kernels import read_holds

    numbers = places_of(grid)
    holds = np.zeros((len(genomes), len(numbers), grid.row_genes), np.int64)
    read_holds(read_only(np.ascontiguousarray(genomes)).reshape(len(genomes), -1, grid.row_genes), numbers, holds)
    return holds


def genomes_of(grid: CubeGrid, holds: Ints) -> Bytes:
    """Genomes that roll before their boundary and hold from there on, shape (n, genes): what `holds_of` reads.

    Args:
        grid: where the genomes live.
        holds: slices of the turn total, shape (n, places, lanes).
    """
    from pigevo.evolution.hold_boundary_kernels import write_holds

    genomes = np.zeros((len(holds), grid.genes), np.uint8)
    write_holds(np.ascontiguousarray(holds), places_of(grid), genomes.reshape(len(holds), -1, grid.row_genes))
    return genomes
