"""Cellular selection: members live on a torus, and mate with their neighbours alone."""

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
"""Where neighbours are, in rows and columns."""


@SELECTIONS.register(name="cellular", source="Manderick & Spiessens 1989, ICGA 3; Alba & Dorronsoro 2008")
@dataclass(frozen=True)
class Cellular(Selection):
    """Members live on a torus: two on each cell, of whom the better survives and mates with its best neighbour.

    With replacement=offspring two children take the cell, whatever they are worth; with survivors_and_offspring the
    parent stays and meets one child, who must have the higher score to take the cell.  The torus has half as many cells
    as there are members, and is as square as that lets it be: 5 x 2 for 20 members, 5 x 5 for 50, a ring for twice a
    prime number.  Where members meet, all meet who are on one cell or on neighbouring ones.

    Args:
        neighbourhood: the 4 cells beside one, or the 8 around it.
        k: neighbours drawn for a tournament whose best is the mate, one maybe twice; 0: the best of all.
        shuffled: whether survivors move to cells that are drawn anew in each generation: the same without structure.
    """

    neighbourhood: Literal["von_neumann", "moore"] = "von_neumann"
    k: Annotated[int, Within(0, 1000)] = 0
    shuffled: bool = False

    def pairs(self, size: int, context: Context) -> Ints:
        """All who are on one cell or on neighbouring ones: member n is on cell n, modulo the number of cells."""
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
        """The better one on each cell, cell by cell; of equal ones the first, who is the parent if it stayed."""
        first, second = scores.reshape(2, -1)
        cells = np.arange(len(first))
        better = np.where(second > first, cells + len(cells), cells)
        return better[context.draw.permutation(len(cells))] if self.shuffled else better

    def couples(self, scores: Floats, rows: Ints, context: Context) -> Ints:
        """The survivor of the child's own cell and a neighbour of that; equal neighbours in an order that is drawn."""
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
    """Of each cell of a torus its neighbours, shape (cells, m), row by row; where it is narrow, some twice.

    One alone is its own neighbour; no other cell is.
    """
    rows = max(n for n in range(1, math.isqrt(cells) + 1) if cells % n == 0)
    columns = cells // rows
    own = np.arange(cells)
    row, column = np.divmod(own, columns)
    steps = STEPS[neighbourhood]
    near = np.stack([(row + up) % rows * columns + (column + right) % columns for up, right in steps], axis=1)
    others: Ints = near[near != own[:, None]].reshape(cells, -1)  # as many of each cell: a torus has no edge
    return others if cells > 1 else near
