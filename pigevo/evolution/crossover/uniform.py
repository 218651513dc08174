"""Uniform crossover: a coin, fair or not, for each gene."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from pigevo.core.arrays import Bytes
from pigevo.core.checked_values import Within
from pigevo.core.memory import PIECE
from pigevo.evolution.operators import Context
from pigevo.evolution.registries import CROSSOVERS

NUMBERS = 8
"""Of 32 bits in a block of the generator: pieces begin with a block."""


@CROSSOVERS.register(source="Syswerda 1989, ICGA 3; another share than a half: Spears & De Jong 1991, ICGA 4")
def uniform(
    first: Bytes,
    second: Bytes,
    context: Context,
    share: Annotated[float, Within(0, 0.5)] = 0.5,
    chance: Annotated[float, Within(0, 1)] = 1.0,
) -> Bytes:
    """Children that take each gene by itself from one parent with chance `share`, and else from the other.

    A fair coin for each child says which parent is the one, so that a share of more than a half would be the same as
    what is left of it.

    Args:
        first: one parent of each child, shape (n, genes).
        second: the other ones.
        context: with the draw.
        share: the chance of a gene to come from the one parent.
        chance: how likely a child is crossed at all; others are copies of one parent.
    """
    (n, genes), draw = first.shape, context.draw
    swapped, crossed = draw.at(part=1).bits(n).view(np.bool_), draw.at(part=2).uniforms(n) < chance
    limits = np.where(crossed, np.uint32(share * 2.0**32), np.uint32(0))[:, None]
    children = np.empty((n, genes), np.uint8)
    together = NUMBERS * max(1, PIECE // (32 * NUMBERS * max(1, genes)))
    for start in range(0, n if genes else 0, together):
        rows = slice(start, start + together)
        size = children[rows].size
        words = draw.words(-(-size // 2), block=start * genes // NUMBERS).astype("<u8", copy=False)
        taken = words.view("<u4")[:size].reshape(-1, genes) < limits[rows]
        children[rows] = np.where(taken ^ swapped[rows, None], second[rows], first[rows])
    return children
