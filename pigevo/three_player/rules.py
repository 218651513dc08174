"""Games for several players: which are possible, the shapes of their arrays, their throws for kernels, and orbits.

A state is given by the points that the mover, the next and the third player still need, `a`,
`b` and `c` from 1 to the target T, and by the turn total `k` from 0 to `a - 1`; with more players
there are more numbers.

If scores never fall, a hold leads to a state with a smaller total of points needed.  Only busts
lead from (a, b, c) to (b, c, a), (c, a, b) and back: these three states are an orbit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TypeVar

from pigevo.core.array_names import Bools, Floats, Ints
from pigevo.core.imports import numpy as np
from pigevo.core.machine import map_threads
from pigevo.core.text import short_repr
from pigevo.errors import InputError
from pigevo.games import Game, Race

PlainDie = tuple[Ints, Floats]
"""The points that a roll can gain and their probabilities, shape (gains,) each."""

Throws = tuple[Ints, Floats, Ints, Floats, float, float]
"""Gains and their chances; points of throws that end the turn, and their chances; the chances of bust and fall."""

LARGEST_TARGET = 150
"""The largest target: a strategy for three has about the fourth power of the target as cells, here half a GiB."""

SAFE = 1e-3
"""The smallest chance that a roll gains something; with rarer heads Piglet is solved but fails its certificate."""

CHUNK = 256  # the number of orbits that a thread solves at a time


def check_three(game: Race) -> None:
    """Refuse a game that is not supported for three players."""
    if not isinstance(game, Race):
        raise InputError(f"three players play a race with one die, such as pigevo.Pig(), not {short_repr(game)}.")
    if game.allow_pass:
        raise InputError("three players may not pass here: leave allow_pass out.")
    if game.target > LARGEST_TARGET:
        raise InputError(f"a target of {game.target} is too large for three players: at most {LARGEST_TARGET}.")
    safe = sum(chance for _, chance in game.die)
    if safe < SAFE:
        raise InputError(f"rolls gain with a chance of {safe:g}, too seldom for three players: at least {SAFE:g}.")


def shape(game: Race) -> tuple[int, int, int, int]:
    """The shape of an array over the states (a, b, c, k): (T + 1, T + 1, T + 1, T)."""
    side = game.target + 1
    return side, side, side, game.target


def alive(target: int, players: int = 3) -> Bools:
    """Where nobody has won yet, shape (T + 1, ..., T + 1), by the points that the players need."""
    living = np.zeros((target + 1,) * players, np.bool_)
    living[(slice(1, None),) * players] = True
    return living


def decision_states(game: Race) -> Bools:
    """Which states play can reach, shape (T + 1, T + 1, T + 1, T), by (a, b, c, k)."""
    a, k = np.ogrid[: game.target + 1, : game.target]
    return alive(game.target)[:, :, :, None] & (k < a)[:, None, None, :]


@lru_cache(maxsize=64)
def throws_of(game: Game) -> Throws:
    """The outcomes of a throw as arguments of kernels; gains that reach the target are merged."""
    gains: dict[int, float] = {}
    scoring: dict[int, float] = {}
    for throw in game.effective_throws:
        if not throw.ends:
            gain = min(throw.points, game.target)
            gains[gain] = gains.get(gain, 0.0) + throw.chance
        elif throw.ends == "turn" and throw.points:
            scoring[throw.points] = scoring.get(throw.points, 0.0) + throw.chance
    bust = sum(t.chance for t in game.effective_throws if t.ends == "turn" and not t.points)
    fall = sum(t.chance for t in game.effective_throws if t.ends == "score")
    points = [np.array(list(outcomes), np.int64) for outcomes in (gains, scoring)]
    chances = [np.array(list(outcomes.values()), np.float64) for outcomes in (gains, scoring)]
    return points[0], chances[0], points[1], chances[1], float(bust), float(fall)


def plain_die(game: Race) -> PlainDie:
    """The gains and their probabilities; gains that reach the target are merged."""
    return throws_of(game)[:2]


Needs = tuple[int, int, int]
"""Points needed by three players, in the order of their turns."""


def count_orbits(target: int, players: int = 3) -> int:
    """The number of orbits: necklaces of n beads, one for each player, in T colours (Burnside)."""
    return sum(int(target ** math.gcd(shift, players)) for shift in range(players)) // players


def orbits_by_total(target: int, players: int = 3) -> Iterator[Ints]:
    """All orbits by the total of points needed, the smallest total first, shape (m, players) each.

    An orbit is given by its first state in lexicographic order.
    """
    grid = np.arange(target**players).reshape((target,) * players)
    first = np.ones(grid.shape, np.bool_)
    for shift in range(1, players):
        first &= grid <= grid.transpose(np.roll(np.arange(players), shift))
    orbits = np.argwhere(first) + 1
    totals = orbits.sum(axis=1)
    order = np.argsort(totals, kind="stable")
    yield from np.split(orbits[order], np.flatnonzero(np.diff(totals[order])) + 1)


Result = TypeVar("Result")


def map_orbits(function: Callable[[Ints], Result], orbits: Ints, workers: int) -> list[Result]:
    """The function's results for consecutive parts of the orbits, on up to `workers` threads, in order."""
    return map_threads(function, [orbits[i : i + CHUNK] for i in range(0, len(orbits), CHUNK)], workers)


def rotated(needs: Needs, m: int) -> Needs:
    """The state of an orbit when its player `m` (0, 1 or 2) is to move."""
    return needs[m], needs[(m + 1) % 3], needs[(m + 2) % 3]


def won_values(target: int, players: int = 3, rest: float = 0.0) -> Floats:
    """Win probabilities before anything is solved: 1 for a player who needs nothing, `rest` where nobody has won.

    Shape (players, T + 1, ..., T + 1), by player (0 the mover, 1 the next, ...) and the points that each needs.
    """
    values = np.full((players, *(target + 1,) * players), rest)
    for winner in reversed(range(players)):
        by_points = np.moveaxis(values, 1 + winner, 1)
        by_points[:, 0] = 0.0
        by_points[winner, 0] = 1.0
    return values
