"""The division of a generation's games among its members, which all play the same opponents.

Games come in units: two games against each of the opponents.  An allocation rule is a function
of the results so far; it is called again after each round, until it asks for no more games.
This makes sense only for absolute scores: if members play each other, a member that stops
changes the meaning of the others' scores.

The results of members that stay can be pooled: their earlier games against the same opponents count again.

The rules: equal numbers of games, optimal computing budget allocation, sequential halving, and racing.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, NamedTuple

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints, Tables
from pigevo.core.checked_values import Within
from pigevo.core.portable_math import log
from pigevo.core.registry import Registry
from pigevo.evolution.operators import Remembered

ALLOCATION_RULES = Registry("way to spend games", 1)


@dataclass(frozen=True, eq=False)
class Standings:
    """The results of all rounds before round number `round`, counted from 0.

    Args:
        means: share of games that each member has won, 0 before the first round.
        played: number of units that each member has played.
        tiers: tier of each member; members of a higher tier rank above all members of a lower tier, whatever their
            means.
        round: number of the round.
        budget: number of units for all members together.
        opponents: number of opponents.
        generation: number of the generation.
    """

    means: Floats
    played: Ints
    tiers: Ints
    round: int
    budget: int
    opponents: int = 1
    generation: int = 0

    @property
    def members(self) -> int:
        """Number of members."""
        return len(self.means)

    def wanted(self, share: float) -> int:
        """The number of members that a share amounts to, at least one."""
        return max(1, round(self.members * share))


class Next(NamedTuple):
    """The next round: units of games for each member (all 0 ends it), and the tiers."""

    more: Ints
    tiers: Ints


AllocationRule = Callable[[Standings], Next]
PlayUnits = Callable[[Ints, int], Floats]
"""Plays a number of units for each member with the dice of a round; returns games won against each opponent."""


class GamesWon(NamedTuple):
    """Results: games won, shape (n, opponents), units played, shape (n,), and tiers."""

    won: Floats
    played: Ints
    tiers: Ints


def spend(
    rule: AllocationRule, play: PlayUnits, members: int, budget: int, opponents: int = 1, generation: int = 0
) -> GamesWon:
    """Spend a budget of units of games, round after round, by an allocation rule."""
    won, played = np.zeros((members, opponents)), np.zeros(members, np.int64)
    tiers, number = np.zeros(members, np.int64), 0
    while True:
        means = won.sum(axis=1) / np.maximum(2 * opponents * played, 1)
        more, tiers = rule(Standings(means, played, tiers, number, budget, opponents, generation))
        if not more.any():
            return GamesWon(won, played, tiers)
        won, played, number = won + play(more, number), played + more, number + 1


def ranked_by_tier(scores: Floats, tiers: Ints) -> Floats:
    """Scores lowered where necessary, so that all scores of a lower tier are below those of a higher tier."""
    lowered, bar = scores.copy(), np.inf
    for tier in np.unique(tiers)[::-1]:
        members = tiers == tier
        lowered[members] = np.minimum(lowered[members], np.nextafter(bar, -np.inf))
        bar = lowered[members].min()
    return lowered


@functools.lru_cache
def allocation_rule(text: str) -> AllocationRule:
    """The allocation rule for a text: its name, with numbers after a colon, for example `racing:0.99,0.1`."""
    entry, options = ALLOCATION_RULES.spelled(text)
    rule: AllocationRule = entry.bind(options)
    return rule


OF, MET, WON, PLAYED = "pool_of", "pool_met", "pool_won", "pool_played"
BYTES = 16


def remember_results(decisions: Tables, opponents: Bytes, won: Floats, played: Ints) -> Remembered:
    """The games that members have won, with hashes of their decisions and of their opponents' decisions."""
    return {OF: decision_hashes(decisions), MET: decision_hashes(opponents), WON: won, PLAYED: played}


def pooled(decisions: Tables, opponents: Bytes, won: Floats, played: Ints, state: Remembered) -> tuple[Floats, Ints]:
    """New results plus earlier ones of the same members against the same opponents.

    A member is identified by its decisions.  The luck by which it was selected remains in its mean, but matters less as
    more games are added.  `won` has the shape (n, opponents); `played` are games against each opponent, shape (n,).
    """
    if OF not in state or not np.array_equal(state[MET], decision_hashes(opponents)):
        return won, played
    before, now = (
        np.ascontiguousarray(hashes).view(f"V{BYTES}").ravel() for hashes in (state[OF], decision_hashes(decisions))
    )
    known, first = np.unique(before, return_index=True)
    indices = np.minimum(np.searchsorted(known, now), len(known) - 1)
    same = known[indices] == now
    earlier = first[indices]
    return won + np.where(same[:, None], state[WON][earlier], 0), played + np.where(same, state[PLAYED][earlier], 0)


def decision_hashes(tables: Tables) -> Bytes:
    """A hash of each strategy's decisions, shape (n, 16)."""
    hashes = [hashlib.blake2b(np.packbits(tables[n]).tobytes(), digest_size=BYTES).digest() for n in range(len(tables))]
    return np.frombuffer(b"".join(hashes), np.uint8).reshape(-1, BYTES)


CLOSEST = 1e-4  # the smallest difference of means that counts: equal means would take all games


@ALLOCATION_RULES.register(
    source="Chen, Lin, Yucesan & Chick 2000, Discrete Event Dynamic Systems 10; of several: Chen, He, Fu & Lee 2008"
)
def allocation(
    standings: Standings,
    share: Annotated[float, Within(0, 1, above=True)] = 0.1,
    first: Annotated[float, Within(0, 1, above=True)] = 0.2,
    rounds: Annotated[int, Within(1, 10**6)] = 10,
) -> Next:
    """After an equal first part, games are allocated by the means so far (optimal computing budget allocation).

    Args:
        share: the share of the members to be selected, at least one member.
        first: the part of the budget that is divided equally among the members.
        rounds: number of rounds in which the rest is spent.
    """
    n = standings.members
    each = max(1, int(first * standings.budget) // n)  # the units of each member in the first round
    if standings.round == 0:
        return Next(np.full(n, each), standings.tiers)
    rest = standings.budget - n * each
    rounds = min(rounds, rest)  # each has at least one unit
    if standings.round > rounds:
        return Next(np.zeros(n, np.int64), standings.tiers)
    until = n * each + rest * standings.round // rounds
    parts = shares(standings.means, np.maximum(standings.means * (1 - standings.means), 1e-9), standings.wanted(share))
    lacking = np.maximum(until * parts - standings.played, 0)
    left = max(0, until - int(standings.played.sum()))
    wanted = lacking * min(1.0, left / max(lacking.sum(), 1e-9))
    more = np.floor(wanted).astype(np.int64)
    if not more.any():  # nobody has a whole unit, and the rule would end
        more[np.argsort(-wanted, kind="stable")[:left]] = 1
    return Next(more, standings.tiers)


def shares(means: Floats, variances: Floats, wanted: int) -> Floats:
    """The share of all games that each member should have, to select the `wanted` best.

    To select one member, N_i is proportional to (s_i / d_i)^2, where s_i is the standard deviation and d_i the distance
    of the mean from the best mean; for the best member b, N_b = s_b * sqrt(sum of (N_i / s_i)^2 over all others).  To
    select several, d_i is the distance from a border between the last selected and the first rejected member.
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
    weights = variances / np.square(np.maximum(np.abs(means - border), CLOSEST))
    if wanted == 1:
        rest = np.delete(np.arange(len(means)), last)
        weights[last] = deviations[last] * np.sqrt((np.square(weights[rest]) / variances[rest]).sum())
    parts: Floats = weights / weights.sum()
    return parts


@ALLOCATION_RULES.register()
def fixed(standings: Standings) -> Next:
    """All members play the same number of games, in every generation."""
    return _equal_units(standings, 1.0)


@ALLOCATION_RULES.register(
    source="Aizawa & Wah 1994, Evolutionary Computation 2: scheduling of samples over generations"
)
def growing(
    standings: Standings,
    start: Annotated[float, Within(0, 1, above=True)] = 0.5,
    over: Annotated[int, Within(1, 10**9)] = 200,
) -> Next:
    """All members play the same number of games, fewer in early and more in late generations.

    A run of `over` generations plays about as many games in all as with `fixed`, if they are many.

    Args:
        start: the share of the usual number of games in generation 0; from generation `over` on it is `2 - start`.
        over: number of generations until the share is `2 - start`.
    """
    return _equal_units(standings, start + 2 * (1 - start) * min(1.0, standings.generation / over))


def _equal_units(standings: Standings, share: float) -> Next:
    units = max(1, int(standings.budget * share) // standings.members) if standings.round == 0 else 0
    return Next(np.full(standings.members, units), standings.tiers)


@ALLOCATION_RULES.register(source="Karnin, Koren & Somekh 2013, ICML 30")
def halving(standings: Standings, share: Annotated[float, Within(0, 1, above=True)] = 0.1) -> Next:
    """The better half plays on, round after round, until only the number of members to be selected is left.

    Each round has the same part of the budget, and a member's results in all rounds count.  Everyone in a round plays,
    even if that takes more than its part, until the budget is spent.

    Args:
        share: the share of the members to be selected, at least one member.
    """
    wanted = standings.wanted(share)
    rounds = max(1, (-(-standings.members // wanted) - 1).bit_length())  # halvings until `wanted` are left
    more = np.zeros(standings.members, np.int64)
    if standings.round >= rounds:
        return Next(more, standings.tiers)
    left = max(wanted, -(-standings.members >> standings.round))
    among = np.flatnonzero(standings.tiers == standings.tiers.max())
    units = max(1, standings.budget // (rounds * left))
    units = min(units, (standings.budget - int(standings.played.sum())) // left)
    more[among[np.argsort(-standings.means[among], kind="stable")[:left]]] = units
    return Next(more, np.where(more > 0, standings.round, standings.tiers))


IN, OUT = 1, -1


@ALLOCATION_RULES.register(
    source="Hoeffding races: Maron & Moore 1994, NIPS 6; to select several: Heidrich-Meisner & Igel 2009, ICML 26"
)
def racing(
    standings: Standings,
    confidence: Annotated[float, Within(0.5, 0.999999)] = 0.95,
    share: Annotated[float, Within(0, 1, above=True)] = 0.1,
    rounds: Annotated[int, Within(1, 10**6)] = 10,
) -> Next:
    """A member leaves the race when its Hoeffding interval decides whether it is selected.

    The games of members that have left are given to the others, until the budget is spent.  The confidence holds for
    all intervals of all rounds together, however the results of different members depend on each other.

    Args:
        confidence: the probability that no decision of the race is wrong.
        share: the share of the members to be selected, at least one member.
        rounds: number of rounds in which the budget would be spent if no member left.
    """
    tiers = decided(standings, confidence, standings.wanted(share)) if standings.round else standings.tiers
    racers = tiers == 0
    units = min(
        max(1, standings.budget // (standings.members * rounds)),
        (standings.budget - int(standings.played.sum())) // max(1, int(racers.sum())),
    )
    return Next(np.where(racers, units, 0), tiers)


def decided(standings: Standings, confidence: float, wanted: int) -> Ints:
    """For each member 1 if it is selected, -1 if it is rejected, 0 if undecided, after the intervals of this round."""
    radius = radii(standings.played * standings.opponents, standings.round, standings.members, 1 - confidence)
    low, high = standings.means - radius, standings.means + radius
    above = (low[:, None] > high).sum(axis=1)  # number of members that this member is known to beat
    below = (high[:, None] < low).sum(axis=1)
    decisions = np.where(above >= standings.members - wanted, IN, np.where(below >= wanted, OUT, 0))
    return np.where(standings.tiers != 0, standings.tiers, decisions)


def radii(trials: Ints, number: int, members: int, error: float) -> Floats:
    """Half widths of intervals (Hoeffding 1963) that all hold in all rounds with probability 1 - `error`.

    `trials` are the numbers of independent results in [0, 1] (pairs of games) behind each mean.  Round t = 1, 2, ...
    has the share 6 / (pi t)^2 of the error probability; the shares of all rounds add up to 1.
    """
    spent = 6 * error / np.square(np.pi * number) / members
    widths: Floats = np.sqrt(log(2 / spent) / (2 * np.maximum(trials, 1)))
    return widths
