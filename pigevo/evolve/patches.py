"""Random patches of score pairs, in cuboids of a grid: where block operators work."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pigevo.arrays import Bytes, Floats, Ints
from pigevo.strategies import CubeGrid


@dataclass(frozen=True)
class Patch:
    """A rectangle of score pairs: i-slices `i` to `i_end`, j-slices `j` to `j_end`, ends excluded."""

    i: int
    i_end: int
    j: int
    j_end: int


def log_uniform(uniform: float, largest: float) -> int:
    """A whole number from 1 to `largest`, every order of magnitude alike, from a number in [0, 1)."""
    return int(np.exp(uniform * np.log(largest + 1.0)))


def patch_at(grid: CubeGrid, centre: Ints, edges: tuple[int, int], uniforms: Floats) -> Patch:
    """A patch that holds a score pair.

    Args:
        grid: whose cuboids it is made of.
        centre: own and opponent's score that it shall hold.
        edges: of the patch along both, in points; at least a cuboid is taken.
        uniforms: two numbers in [0, 1): where in the patch the pair lies.
    """
    spans = []
    for axis, score in enumerate(centre.tolist()):
        edge, slices = grid.edges[axis], grid.slices[axis]
        width = max(1, edges[axis] // edge)
        start = score // edge - int(uniforms[axis] * width)
        spans += [max(0, start), min(slices, start + width)]
    return Patch(*spans)


def read_patch(grid: CubeGrid, genome: Bytes, patch: Patch) -> tuple[Bytes, Ints]:
    """The genes of a patch as an array, and the rows of the genome that they come from.

    Returns:
        Zeros and ones, shape (i-slices, k-slices, j-slices): where nothing is asked a roll at
        the start of a turn and a hold beyond the target; and row numbers, shape (i-slices,
        k-slices), -1 where there is no gene.
    """
    numbers = grid.row_numbers[patch.i : patch.i_end]
    cells = genome.reshape(-1, grid.slices[1])[numbers, patch.j : patch.j_end]
    cells[numbers < 0] = 0
    cells[:, 0][numbers[:, 0] < 0] = 1
    return cells, numbers


def write_patch(grid: CubeGrid, genome: Bytes, patch: Patch, cells: Bytes, numbers: Ints) -> None:
    """Put what `read_patch` gave, changed, back into the genome."""
    told = numbers >= 0
    genome.reshape(-1, grid.slices[1])[numbers[told], patch.j : patch.j_end] = cells[told]
