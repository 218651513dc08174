"""Sequential halving: in each round the better half plays on, with twice the games."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from pigevo.checked import Within
from pigevo.evolution.registries import SPENDINGS
from pigevo.evolution.spend import Next, Seen


@SPENDINGS.register(source="Karnin, Koren & Somekh 2013, ICML 30")
def halving(seen: Seen, share: Annotated[float, Within(0, 1, above=True)] = 0.1) -> Next:
    """The better half plays on, round after round, until as many are left as shall be selected.

    Each round has the same part of the budget, and what a member has won in all rounds counts.

    Args:
        seen: what is known.
        share: of the members that shall be selected, at least one.
    """
    wanted = seen.wanted(share)
    rounds = max(1, (-(-seen.members // wanted) - 1).bit_length())  # halvings until so many are left
    more = np.zeros(seen.members, np.int64)
    if seen.round >= rounds:
        return Next(more, seen.tiers)
    left = max(wanted, -(-seen.members >> seen.round))
    on = seen.best(np.flatnonzero(seen.tiers == seen.tiers.max()), left)
    more[on] = seen.budget // (rounds * left)
    return Next(more, np.where(more > 0, seen.round, seen.tiers))
