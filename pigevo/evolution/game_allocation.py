"""How the games of a generation are spent on its members, against opponents whom all of them meet.

Games come in units: a couple of games against each of the opponents.  A way to spend them
is a function of what was seen so far; it is asked again after each round, until it wants no
more.  Only where scores are absolute does this make sense: where members meet each other, one
who stops changes what the others' scores mean.

Results that those who stay take along: games that they have played against the same opponents count again.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints, Tables
from pigevo.errors import InputError
from pigevo.evolution.operators import State
from pigevo.evolution.registries import SPENDINGS


@dataclass(frozen=True, eq=False)
class Seen:
    """What is known between two rounds.

    Args:
        means: the share of its games that each member has won, shape (n,); 0 before the first round.
        played: units that each has played, shape (n,).
        tiers: members of a higher tier rank above all of a lower one, whatever their means, shape (n,).
        round: the number of the next round, from 0.
        budget: units of all members together.
        opponents: how many there are.
        generation: the number of the population.
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
        """How many there are."""
        return len(self.means)

    @property
    def trials(self) -> Ints:
        """Independent results, couples of games, behind each mean, shape (n,)."""
        return self.played * self.opponents

    def wanted(self, share: float) -> int:
        """How many are a share of the members, at least one."""
        return max(1, round(self.members * share))

    def best(self, among: Ints, count: int) -> Ints:
        """So many of some members, by their means."""
        return among[np.argsort(-self.means[among], kind="stable")[:count]]


class Next(NamedTuple):
    """What a way to spend games wants.

    Args:
        more: units that each member plays next, shape (n,); none at all is the end.
        tiers: as they are now.
    """

    more: Ints
    tiers: Ints


Way = Callable[[Seen], Next]
Play = Callable[[Ints, int], Floats]
"""Plays units with the dice of a round; returns how many of its games each member won against each opponent."""


class PlayedGames(NamedTuple):
    """What came out.

    Args:
        won: games won, shape (n, opponents).
        played: units played, shape (n,).
        tiers: members of a higher tier rank above all of a lower one.
    """

    won: Floats
    played: Ints
    tiers: Ints


def spend(way: Way, play: Play, members: int, budget: int, opponents: int = 1, generation: int = 0) -> PlayedGames:
    """Spend units of games, round after round.

    Args:
        way: who plays how many.
        play: plays them.
        members: how many there are.
        budget: units of all of them together.
        opponents: whom each meets in a unit.
        generation: the number of the population.

    Raises:
        InputError: there is a member who would not play at all.
    """
    won, played = np.zeros((members, opponents)), np.zeros(members, np.int64)
    tiers, number = np.zeros(members, np.int64), 0
    while True:
        means = won.sum(axis=1) / np.maximum(2 * opponents * played, 1)
        more, tiers = way(Seen(means, played, tiers, number, budget, opponents, generation))
        if number == 0 and not more.all():
            raise InputError(f"fitness.games is too small for {members} members: some would not play at all.")
        if not more.any():
            return PlayedGames(won, played, tiers)
        won, played, number = won + play(more, number), played + more, number + 1


def in_order(scores: Floats, tiers: Ints) -> Floats:
    """Scores of which those of a lower tier are below all of a higher one: lowered, where they are not."""
    found, bar = scores.copy(), np.inf
    for tier in np.unique(tiers)[::-1]:
        members = tiers == tier
        found[members] = np.minimum(found[members], np.nextafter(bar, -np.inf))
        bar = found[members].min()
    return found


@functools.lru_cache
def way_of(text: str) -> Way:
    """The way that a word says: its name, and numbers after a colon, as `racing:0.99,0.1`.

    Raises:
        InputError: there is no such one, or it takes other numbers.
    """
    entry, options = SPENDINGS.spelled(text)
    found: Way = entry.bind(options)
    return found


OF, MET, WON, PLAYED = "pool_of", "pool_met", "pool_won", "pool_played"
BYTES = 16


def remember_results(own: Tables, opponents: Bytes, won: Floats, played: Ints) -> State:
    """What a generation's members have won, with the marks of their decisions and of their opponents'.

    Args:
        own: the members' decisions.
        opponents: those of whom they met.
        won: games won, shape (n, m).
        played: games against each opponent, shape (n,).
    """
    return {OF: marks(own), MET: marks(opponents), WON: won, PLAYED: played}


def pooled(own: Tables, opponents: Bytes, won: Floats, played: Ints, state: State) -> tuple[Floats, Ints]:
    """New results with those added that the same members have won against the same opponents before.

    A member is known by its decisions.  The luck with which it was selected stays in its mean, the less the more games
    are added.

    Args:
        own: the members' decisions.
        opponents: those of whom they meet.
        won: games won now, shape (n, m).
        played: games against each opponent now, shape (n,).
        state: what was remembered.

    Returns:
        Games won and played.
    """
    if OF not in state or not np.array_equal(state[MET], marks(opponents)):
        return won, played
    before, now = (np.ascontiguousarray(one).view(f"V{BYTES}").ravel() for one in (state[OF], marks(own)))
    known, first = np.unique(before, return_index=True)
    places = np.minimum(np.searchsorted(known, now), len(known) - 1)
    same = known[places] == now
    of = first[places]
    return won + np.where(same[:, None], state[WON][of], 0), played + np.where(same, state[PLAYED][of], 0)


def marks(tables: Tables) -> Bytes:
    """A hash of each strategy's decisions, shape (n, 16)."""
    found = [hashlib.blake2b(np.packbits(tables[n]).tobytes(), digest_size=BYTES).digest() for n in range(len(tables))]
    return np.frombuffer(b"".join(found), np.uint8).reshape(-1, BYTES)
