"""Random patches of score pairs, in cuboids of a grid: where block operators work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pigevo.arrays import Floats, Ints
from pigevo.elementary import exp, log
from pigevo.strategies import CubeGrid


@dataclass(frozen=True)
class Patch:
    """A rectangle of score pairs: i-slices `i` to `i_end`, j-slices `j` to `j_end`, ends excluded."""

    i: int
    i_end: int
    j: int
    j_end: int


def log_uniform(uniforms: Floats, largest: Sequence[int]) -> Ints:
    """Whole numbers, every order of magnitude alike.

    Args:
        uniforms: numbers in [0, 1), shape (n, m).
        largest: the largest whole number of each column, the least being 1.
    """
    above = np.asarray(largest) + 1.0
    return np.minimum(exp(uniforms * log(above)), largest).astype(np.int64)


def patch_at(grid: CubeGrid, centre: Ints, edges: Sequence[int], uniforms: Floats) -> Patch:
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
