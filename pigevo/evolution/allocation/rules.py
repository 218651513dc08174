"""How games are allotted: evenly, by optimal computing budget allocation, sequential halving, or racing."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from pigevo.core.arrays import Floats, Ints
from pigevo.core.checked_values import Within
from pigevo.core.portable_math import log
from pigevo.evolution.game_allocation import Next, Seen
from pigevo.evolution.registries import SPENDINGS

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


IN, OUT = 1, -1


@SPENDINGS.register(
    source="Hoeffding races: Maron & Moore 1994, NIPS 6; to select several: Heidrich-Meisner & Igel 2009, ICML 26"
)
def racing(
    seen: Seen,
    confidence: Annotated[float, Within(0.5, 0.999999)] = 0.95,
    share: Annotated[float, Within(0, 1, above=True)] = 0.1,
    rounds: Annotated[int, Within(1, 10**6)] = 10,
) -> Next:
    """A member leaves the race when its Hoeffding interval says that it is in, or that it is out.

    What those who have left would have played goes to the others, until the budget is spent.  All intervals of all
    rounds hold together with the confidence, whatever the results of different members have to do with each other.

    Args:
        seen: what is known.
        confidence: with which no decision of the race is wrong.
        share: of the members that shall be selected, at least one.
        rounds: in which the budget would be spent if nobody left.
    """
    tiers = decided(seen, confidence, seen.wanted(share)) if seen.round else seen.tiers
    racers = tiers == 0
    each = min(
        max(1, seen.budget // (seen.members * rounds)),
        (seen.budget - int(seen.played.sum())) // max(1, int(racers.sum())),
    )
    return Next(np.where(racers, each, 0), tiers)


def decided(seen: Seen, confidence: float, wanted: int) -> Ints:
    """Who is in (1) and who is out (-1), as was decided before, or as the intervals of this round decide."""
    radius = radii(seen.trials, seen.round, seen.members, 1 - confidence)
    low, high = seen.means - radius, seen.means + radius
    above = (low[:, None] > high).sum(axis=1)  # those whom a member is known to be better than
    below = (high[:, None] < low).sum(axis=1)
    found = np.where(above >= seen.members - wanted, IN, np.where(below >= wanted, OUT, 0))
    return np.where(seen.tiers != 0, seen.tiers, found)


def radii(trials: Ints, number: int, members: int, error: float) -> Floats:
    """Half the widths of intervals (Hoeffding 1963) of which all hold, in all rounds, but for a chance of `error`.

    Args:
        trials: independent results in [0, 1] behind each mean, shape (n,).
        number: of the round, from 1; round t has 6 / (pi t)^2 of the chance, whose sum over all rounds is 1.
        members: how many intervals there are.
        error: the chance that any of them does not hold.
    """
    spent = 6 * error / np.square(np.pi * number) / members
    found: Floats = np.sqrt(log(2 / spent) / (2 * np.maximum(trials, 1)))
    return found
