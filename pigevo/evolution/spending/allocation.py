"""Optimal computing budget allocation: most games go to those of whom it is hardest to say whether they are best."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from pigevo.arrays import Floats
from pigevo.checked import Within
from pigevo.evolution.registries import SPENDINGS
from pigevo.evolution.spend import Next, Seen

CLOSEST = 1e-4
"""Differences below this count as this: equal means would take everything."""


@SPENDINGS.register(
    source="Chen, Lin, Yucesan & Chick 2000, Discrete Event Dynamic Systems 10; of several: Chen, He, Fu & Lee 2008"
)
def allocation(
    seen: Seen,
    share: Annotated[float, Within(0, 1, above=True)] = 0.1,
    first: Annotated[float, Within(0, 1, above=True)] = 0.2,
    rounds: Annotated[int, Within(1, 10**6)] = 10,
) -> Next:
    """After a first part alike, games are shared out as the means so far say that they should have been.

    Args:
        seen: what is known.
        share: of the members that shall be selected, at least one.
        first: the part of the budget that everyone plays alike.
        rounds: in which the rest is spent.
    """
    n = seen.members
    alike = max(1, int(first * seen.budget) // n)
    if seen.round == 0:
        return Next(np.full(n, alike), seen.tiers)
    if seen.round > rounds:
        return Next(np.zeros(n, np.int64), seen.tiers)
    until = n * alike + (seen.budget - n * alike) * seen.round // rounds
    parts = shares(seen.means, np.maximum(seen.means * (1 - seen.means), 1e-9), seen.wanted(share))
    lacking = np.maximum(until * parts - seen.played, 0)
    left = max(0, until - int(seen.played.sum()))
    return Next(np.floor(lacking * min(1.0, left / max(lacking.sum(), 1e-9))).astype(np.int64), seen.tiers)


def shares(means: Floats, variances: Floats, wanted: int) -> Floats:
    """The shares of games that each should have, which add up to 1.

    Of one, N_i is as (s_i / d_i)^2, where d_i is what the mean lacks of the best, and the best one's is s times the
    root of the sum of (N_i / s_i)^2 over all others.  Of several, d_i is the distance from a mean between the last who
    is selected and the first who is not.

    Args:
        means: so far, shape (n,).
        variances: of single results, shape (n,).
        wanted: how many are selected.
    """
    order = np.argsort(-means, kind="stable")
    if wanted >= len(means):
        return np.full(len(means), 1 / len(means))
    last, following = order[wanted - 1], order[wanted]
    deviations = np.sqrt(variances)
    if wanted == 1:
        border = means[last]
    else:
        both = deviations[last] + deviations[following]
        border = (deviations[following] * means[last] + deviations[last] * means[following]) / both
    found = variances / np.square(np.maximum(np.abs(means - border), CLOSEST))
    if wanted == 1:
        others = np.delete(np.arange(len(means)), last)
        found[last] = deviations[last] * np.sqrt((np.square(found[others]) / variances[others]).sum())
    parts: Floats = found / found.sum()
    return parts
