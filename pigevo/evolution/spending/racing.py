"""Racing: a member plays until it is known, with a stated confidence, whether it is among the best."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from pigevo.arrays import Floats, Ints
from pigevo.checked import Within
from pigevo.elementary import log
from pigevo.evolution.registries import SPENDINGS
from pigevo.evolution.spend import Next, Seen

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
