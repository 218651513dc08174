"""Cellular selection: members live on a torus and mate only with their neighbours."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from pigevo.core.arrays import Floats, Ints
from pigevo.core.checked_values import Within
from pigevo.errors import InputError
from pigevo.evolution.evaluation import ranking
from pigevo.evolution.operators import Context, Selection
from pigevo.evolution.selection import SELECTIONS

STEPS = {
    "von_neumann": ((-1, 0), (0, -1), (0, 1), (1, 0)),
    "moore": ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)),
}
"""The offsets of neighbours, in rows and columns."""


@SELECTIONS.register(name="cellular", source="Manderick & Spiessens 1989, ICGA 3; Alba & Dorronsoro 2008")
@dataclass(frozen=True)
class Cellular(Selection):
    """Members live on a torus, two on each cell; the better of the two survives and mates with its best neighbour.

    With replacement=offspring two children take the cell, whatever their scores.  With survivors_and_offspring the
    parent stays and is compared with one child, which takes the cell only with a higher score.  The number of cells is
    half the number of members, and the torus is as square as possible: 5 x 2 for 20 members, 5 x 5 for 50, a ring for
    twice a prime number.  If members play each other, all pairs on the same or on neighbouring cells meet.

    Args:
        neighbourhood: von_neumann for the 4 cells beside a cell, moore for the 8 cells around it.
        k: number of neighbours drawn for a tournament, whose best is the mate; a neighbour may be drawn twice. With 0
            the mate is the best of all neighbours.
        shuffled: whether survivors move to random cells in each generation, for comparison without a structure.
    """

    neighbourhood: Literal["von_neumann", "moore"] = "von_neumann"
    k: Annotated[int, Within(0, 1000)] = 0
    shuffled: bool = False

    def pairs(self, size: int, context: Context) -> Ints:
        """All pairs on the same or on neighbouring cells; member n is on cell n, modulo the number of cells."""
        if size % 2:
            raise InputError(
                f"population.size = {size} is odd: selection=cellular has two members on each cell, so it must be even."
            )
        cells = size // 2
        near = neighbours(cells, self.neighbourhood)
        own = np.repeat(np.arange(cells), near.shape[1])
        borders = np.unique(np.stack([own, near.ravel()], axis=1)[own < near.ravel()], axis=0)
        across = [borders + np.array([first, second]) for first in (0, cells) for second in (0, cells)]
        return np.concatenate([np.arange(size).reshape(2, cells).T, *across]).astype(np.int64)

    def __call__(self, scores: Floats, context: Context) -> Ints:
        """The better member of each cell, in order; of equal members the first, which is the parent if it stayed."""
        first, second = scores.reshape(2, -1)
        cells = np.arange(len(first))
        better = np.where(second > first, cells + len(cells), cells)
        return better[context.draw.permutation(len(cells))] if self.shuffled else better

    def couples(self, scores: Floats, rows: Ints, context: Context) -> Ints:
        """The survivor of the child's cell and a neighbour of it; neighbours with equal scores are in random order."""
        draw, cells = context.draw, np.arange(len(scores))
        near = neighbours(len(scores), self.neighbourhood)[rows % len(scores)]
        rank = np.empty(len(scores), np.int64)
        rank[ranking(scores, draw)] = cells
        if self.k:
            drawn = draw.at(pair=1, part=draw.part).uniforms(len(near) * self.k).reshape(-1, self.k) * near.shape[1]
            near = np.take_along_axis(near, drawn.astype(np.int64), axis=1)
        best = rank[near].argmin(axis=1)
        return np.stack([rows % len(scores), near[np.arange(len(near)), best]], axis=1)


def neighbours(cells: int, neighbourhood: str) -> Ints:
    """The neighbours of each cell of a torus, shape (cells, m), row by row; on a narrow torus some appear twice.

    A single cell is its own neighbour; otherwise no cell is.
    """
    rows = max(n for n in range(1, math.isqrt(cells) + 1) if cells % n == 0)
    columns = cells // rows
    own = np.arange(cells)
    row, column = np.divmod(own, columns)
    steps = STEPS[neighbourhood]
    near = np.stack([(row + up) % rows * columns + (column + right) % columns for up, right in steps], axis=1)
    around: Ints = near[near != own[:, None]].reshape(cells, -1)  # the same number for each cell: a torus has no edge
    return around if cells > 1 else near
