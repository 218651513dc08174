"""Random patches of score pairs, in cuboids of a grid: where block operators work."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pigevo.arrays import Floats, Ints
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
