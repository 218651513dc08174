"""Everyone plays alike: as many games in every generation, or more of them the later it is."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from pigevo.checked import Within
from pigevo.evolution.registries import SPENDINGS
from pigevo.evolution.spend import Next, Seen


@SPENDINGS.register()
def fixed(seen: Seen) -> Next:
    """Everyone plays the same number of games, in every generation."""
    return _alike(seen, 1.0)


@SPENDINGS.register(source="Aizawa & Wah 1994, Evolutionary Computation 2: scheduling of samples over generations")
def growing(
    seen: Seen,
    start: Annotated[float, Within(0, 1, above=True)] = 0.5,
    over: Annotated[int, Within(1, 10**9)] = 200,
) -> Next:
    """Everyone plays alike: at first a share of the games, then more by equal steps, whose mean is all of them.

    Args:
        seen: what is known.
        start: the share in generation 0; in generation `over` and later it is 2 less that.
        over: generations until then.
    """
    return _alike(seen, start + 2 * (1 - start) * min(1.0, seen.generation / over))


def _alike(seen: Seen, share: float) -> Next:
    each = int(seen.budget * share) // seen.members if seen.round == 0 else 0
    return Next(np.full(seen.members, each), seen.tiers)
