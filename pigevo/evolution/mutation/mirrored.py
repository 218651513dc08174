"""Mutation by twins: the whole roll/hold boundary takes a random step, and the twin the opposite one."""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np

from pigevo.core.arrays import Bytes, Floats
from pigevo.core.checked_values import Within
from pigevo.evolution.hold_boundary import genomes_of, holds_of, most_of
from pigevo.evolution.mutation.scheduled import rate_at
from pigevo.evolution.operators import Context
from pigevo.evolution.registries import MUTATORS
from pigevo.evolution.score_rectangles import log_uniform

Points = Annotated[float, Within(0, 1000, above=True)]


@MUTATORS.register(source="mirrored sampling: Brockhoff, Auger, Hansen, Arnold & Hohm 2010, PPSN XI")
def mirrored(
    genomes: Bytes,
    context: Context,
    step: Points = 30.0,
    end: Points = 2.5,
    over: Annotated[int, Within(1, 10**9)] = 200,
    until: Annotated[int, Within(0, 10**9)] = 497,
    widest: Annotated[int, Within(1, 10**6)] = 1,
) -> Bytes:
    """Children in twins: a genome whose boundary takes a random step in each cuboid, and one that steps the other way.

    Genomes 0, 2, 4, ... are changed; genome 1 becomes the twin of 0, and so on.  Which of two twins is better tells
    of every part of the step, and nothing else differs between them.

    Args:
        genomes: zeros and ones, shape (n, genes).
        context: with the generation and the draw.
        step: the standard deviation in points of the turn total, in each cuboid, at the beginning; all lengths up to
            the longest, 1.73 times as long, are alike.
        end: that from generation `over` on; between them it changes by equal factors.
        over: generations until then.
        until: the generation from which on nothing is changed any more, so that a run can hand over what its last
            parents have in common.
        widest: the longest edge, in cuboids, of patches that step as one; each couple of twins has patches of one size,
            log-uniform, which begin anywhere.
    """
    grid, n = context.grid, len(genomes)
    if not genomes.size or context.generation >= until:
        return genomes
    deviation = rate_at(min(1.0, context.generation / over), step, end, "exponential")
    slices = deviation / grid.edges[len(grid.game.between)]
    bases = holds_of(grid, genomes[::2])
    even = 2.0 * in_patches(context.draw.at(part=4).uniforms(bases.size).reshape(bases.shape), context, widest) - 1.0
    steps = np.rint(math.sqrt(3.0) * slices * even).astype(np.int64)
    room = most_of(grid)[:, None] - bases  # a step that ends where there is nothing more to roll for would not be even
    steps = np.clip(steps, -room, room)
    holds = np.stack([bases + steps, bases - steps], axis=1).reshape(-1, *bases.shape[1:])[:n]
    return genomes_of(grid, np.maximum(holds, 0))


def in_patches(uniforms: Floats, context: Context, widest: int) -> Floats:
    """Numbers of which neighbours in a patch are the same, shape (n, places, lanes), as those that are given."""
    n, places, lanes = uniforms.shape
    if widest == 1:
        return uniforms
    sizes, *begins = context.draw.at(part=5).uniforms(3 * n).reshape(3, n)
    edges = log_uniform(sizes, widest)[:, None]
    place, lane = (
        (np.arange(length) + (begin[:, None] * edges).astype(np.int64)) // edges
        for length, begin in zip((places, lanes), begins, strict=True)
    )
    found: Floats = uniforms[np.arange(n)[:, None, None], place[:, :, None], lane[:, None, :]]
    return found
