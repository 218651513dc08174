"""Results that those who stay take along: games that they have played against the same opponents count again."""

from __future__ import annotations

import hashlib

import numpy as np

from pigevo.arrays import Bytes, Floats, Ints, Tables
from pigevo.evolution.operators import State

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
