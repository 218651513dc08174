"""Tournament selection: a few members are drawn, and the best of them survives."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from pigevo.core.arrays import Floats, Ints
from pigevo.core.checked_values import Within
from pigevo.evolution.operators import Context
from pigevo.evolution.registries import SELECTIONS
from pigevo.evolution.selection.roulette import Share, survivors_of


@SELECTIONS.register(source="Goldberg & Deb 1991, FOGA 1")
def tournament(scores: Floats, context: Context, k: Annotated[int, Within(1, 1000)] = 2, share: Share = 0.5) -> Ints:
    """Each survivor is the best of `k` members, who are drawn at random for it, each from the whole population.

    The i-th best of n is chosen with chance `((n - i + 1)^k - (n - i)^k) / n^k`, so 1 chooses all alike, and more
    choose the better ones more often.  Of equal ones the first that was drawn survives.  One may survive twice.

    Args:
        scores: how good each member is, shape (n,).
        context: with the draw.
        k: members of a tournament; one may be drawn twice.
        share: survivors, as a part of the population.

    Returns:
        One index for each survivor.
    """
    count = survivors_of(len(scores), share)
    drawn = (context.draw.uniforms(count * k) * len(scores)).astype(np.int64).reshape(count, k)
    best: Ints = drawn[np.arange(count), scores[drawn].argmax(axis=1)]
    return best
