"""Which games three can play, the shapes of their arrays, their die as the kernels take it, and their orbits.

A state is given by the points that the mover, the next and the third player still need,
`a`, `b` and `c` from 1 to the target T, and by the turn total `k` from 0 to `a - 1`.

Scores never fall, so a hold leads to a state with a smaller total of points needed.  Only
busts lead from (a, b, c) to (b, c, a), (c, a, b) and back: these three states are an orbit.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from pigevo.core.arrays import Bools, Floats, Ints
from pigevo.errors import InputError
from pigevo.games import Race

PlainDie = tuple[Ints, Floats]
"""The points that a roll can gain and their probabilities, shape (gains,) each."""

LARGEST_TARGET = 150
"""A strategy for three has the fourth power of the target as cells, here half a GiB."""

SAFE = 1e-3
"""The least chance that a roll gains something; Piglet with rarer heads is solved, but fails its certificate."""


def check_three(game: Race) -> None:
    """Refuse a game that three cannot play here."""
    if game.allow_pass:
        raise InputError("three players may not pass here: leave allow_pass away.")
    if game.target > LARGEST_TARGET:
        raise InputError(f"a target of {game.target} is too large for three players: at most {LARGEST_TARGET}.")
    safe = sum(chance for _, chance in game.die)
    if safe < SAFE:
        raise InputError(f"rolls gain with a chance of {safe:g}, too seldom for three players: at least {SAFE:g}.")


def shape(game: Race) -> tuple[int, int, int, int]:
    """The shape of an array over the states (a, b, c, k): (T + 1, T + 1, T + 1, T)."""
    side = game.target + 1
    return side, side, side, game.target


def alive(game: Race) -> Bools:
    """Where nobody has won yet, shape (T + 1, T + 1, T + 1) by (a, b, c)."""
    a, b, c = np.ogrid[: game.target + 1, : game.target + 1, : game.target + 1]
    return (a > 0) & (b > 0) & (c > 0)


def decision_states(game: Race) -> Bools:
    """Which states play can reach, shape (T + 1, T + 1, T + 1, T) by (a, b, c, k)."""
    a, k = np.ogrid[: game.target + 1, : game.target]
    return alive(game)[:, :, :, None] & (k < a)[:, None, None, :]


@lru_cache(maxsize=64)
def plain_die(game: Race) -> PlainDie:
    """The gains and their probabilities; all gains that reach the target are one."""
    merged: dict[int, float] = {}
    for points, chance in game.die:
        merged[min(points, game.target)] = merged.get(min(points, game.target), 0.0) + chance
    return np.array(list(merged), dtype=np.int64), np.array(list(merged.values()))


Needs = tuple[int, int, int]
"""Points needed by three players, in the order of their turns."""


def count_orbits(target: int) -> int:
    """How many orbits a game to `target` points has."""
    return (target**3 + 2 * target) // 3


def orbits_by_total(target: int) -> Iterator[Ints]:
    """All orbits by the total of points needed: those of total 3, then those of total 4, and so on, shape (n, 3) each.

    An orbit is given by its first state in lexicographic order.
    """
    a, b, c = np.ogrid[1 : target + 1, 1 : target + 1, 1 : target + 1]
    first = (a <= b) & (a <= c) & ((a < c) | (a == b))
    orbits = np.argwhere(first) + 1
    totals = orbits.sum(axis=1)
    order = np.argsort(totals, kind="stable")
    yield from np.split(orbits[order], np.flatnonzero(np.diff(totals[order])) + 1)


def rotated(needs: Needs, m: int) -> Needs:
    """The state of an orbit in which its player `m` (0, 1 or 2) is to move."""
    return needs[m], needs[(m + 1) % 3], needs[(m + 2) % 3]


def won_values(target: int) -> Floats:
    """Win probabilities before anything is solved: 1 for a player who needs nothing, 0 elsewhere.

    Shape (3, T + 1, T + 1, T + 1), by the player (0 the mover, 1 the next, 2 the third) and the points that each needs.
    """
    values = np.zeros((3, target + 1, target + 1, target + 1))
    values[2, :, :, 0] = 1
    values[:, :, 0] = np.array([0, 1, 0])[:, None, None]
    values[:, 0] = np.array([1, 0, 0])[:, None, None]
    return values
