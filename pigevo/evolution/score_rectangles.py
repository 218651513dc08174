"""Random patches of score pairs, in cuboids of a grid: where block operators work.

In games other than races a patch lies in all that stands still during a turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Floats, Ints
from pigevo.core.portable_math import exp, log
from pigevo.games import Game
from pigevo.strategies import CubeGrid
from pigevo.strategies.grid import IN_POINTS


@dataclass(frozen=True)
class Patch:
    """A box of cuboids: along each axis that stands still during a turn, the first slice and the one after the last."""

    spans: tuple[tuple[int, int], ...]

    @property
    def row_span(self) -> tuple[int, int]:
        """The span along the last score."""
        return self.spans[-1]

    @property
    def rows(self) -> tuple[slice, ...]:
        """Those along all other axes."""
        return tuple(slice(*span) for span in self.spans[:-1])


def log_uniform(uniforms: Floats, largest: Sequence[int] | int) -> Ints:
    """Whole numbers, every order of magnitude alike.

    Args:
        uniforms: numbers in [0, 1), shape (n, m).
        largest: the largest whole number, or that of each column; the least is 1.
    """
    return np.minimum(exp(uniforms * log(np.asarray(largest) + 1.0)), largest).astype(np.int64)


def widest_of(game: Game, points: int) -> tuple[int, ...]:
    """The longest edge of a patch along each axis that stands still during a turn: so many points, or the whole axis.

    Turns that are left and who moves last are not counted in points: a patch may hold one of them, or all.
    """
    return tuple(points if axis.name in IN_POINTS else len(axis.values) for axis in game.between)


def patch_at(grid: CubeGrid, centre: Ints, edges: Sequence[int], uniforms: Floats) -> Patch:
    """A patch that holds a place.

    Args:
        grid: whose cuboids it is made of.
        centre: the place on each axis that it shall hold: own and opponent's score in a race.
        edges: of the patch along each, in points; at least a cuboid is taken.
        uniforms: a number in [0, 1) for each: where in the patch the place lies.
    """
    spans = []
    for axis, score in enumerate(centre.tolist()):
        edge, slices = grid.edges[axis], grid.slices[axis]
        width = max(1, edges[axis] // edge)
        start = score // edge - int(uniforms[axis] * width)
        spans.append((max(0, start), min(slices, start + width)))
    return Patch(tuple(spans))
