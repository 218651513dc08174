"""Uniform crossover: a coin, fair or not, for each gene."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from pigevo.arrays import Bytes
from pigevo.checked import Within
from pigevo.evolution.operators import Context
from pigevo.evolution.registries import CROSSOVERS
from pigevo.memory import PIECE

WORDS = 4
"""In a block of the generator: pieces begin with a block."""


@CROSSOVERS.register(source="Syswerda 1989, ICGA 3; another share than a half: Spears & De Jong 1991, ICGA 4")
def uniform(
    first: Bytes,
    second: Bytes,
    context: Context,
    share: Annotated[float, Within(0, 1)] = 0.5,
    chance: Annotated[float, Within(0, 1)] = 1.0,
) -> Bytes:
    """Children that take each gene by itself from one parent with chance `share`, and else from the other.

    A fair coin for each child says which parent is the one.

    Args:
        first: one parent of each child, shape (n, genes).
        second: the other ones.
        context: with the draw.
        share: the chance of a gene to come from the one parent.
        chance: how likely a child is crossed at all; others are copies of one parent.
    """
    (n, genes), draw = first.shape, context.draw
    swapped, crossed = draw.at(part=1).bits(n), draw.at(part=2).uniforms(n) < chance
    limits = np.where(crossed, np.uint64(share * 2.0**53), np.uint64(0))
    children = np.empty((n, genes), np.uint8)
    together = WORDS * max(1, PIECE // (64 * WORDS * max(1, genes)))
    for start in range(0, n if genes else 0, together):
        rows = slice(start, start + together)
        words = draw.words(children[rows].size, block=start * genes // WORDS).reshape(-1, genes)
        taken = (words >> np.uint64(11)) < limits[rows, None]
        children[rows] = np.where(taken ^ swapped[rows, None], second[rows], first[rows])
    return children
