"""Orbits: the states that busts lead around, in the order in which they can be solved.

Scores never fall, so a hold leads to a state with a smaller total of points needed.  Only
busts lead from (a, b, c) to (b, c, a), (c, a, b) and back: these three states are an orbit.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pigevo.core.arrays import Floats, Ints

Needs = tuple[int, int, int]
"""Points needed by three players, in the order of their turns."""


def count_orbits(target: int) -> int:
    """How many orbits a game to `target` points has.

    Args:
        target: points of the game.
    """
    return (target**3 + 2 * target) // 3


def orbits_by_total(target: int) -> Iterator[Ints]:
    """All orbits by the total of points needed: those of total 3, then those of total 4, and so on.

    Args:
        target: points of the game.

    Yields:
        The orbits of one total, shape (n, 3), each by its first state in lexicographic order.
    """
    a, b, c = np.ogrid[1 : target + 1, 1 : target + 1, 1 : target + 1]
    first = (a <= b) & (a <= c) & ((a < c) | (a == b))
    orbits = np.argwhere(first) + 1
    totals = orbits.sum(axis=1)
    order = np.argsort(totals, kind="stable")
    yield from np.split(orbits[order], np.flatnonzero(np.diff(totals[order])) + 1)


def rotated(needs: Needs, m: int) -> Needs:
    """The state of an orbit in which its player `m` (0, 1 or 2) is to move.

    Args:
        needs: points needed by players 0, 1 and 2.
        m: the player.
    """
    return needs[m], needs[(m + 1) % 3], needs[(m + 2) % 3]


def won_values(target: int) -> Floats:
    """Win probabilities before anything is solved: 1 for a player who needs nothing, 0 elsewhere.

    Args:
        target: points of the game.

    Returns:
        Shape (3, T + 1, T + 1, T + 1), by the player (0 the mover, 1 the next, 2 the third) and the points
        needed by mover, next and third.
    """
    values = np.zeros((3, target + 1, target + 1, target + 1))
    values[2, :, :, 0] = 1
    values[:, :, 0] = np.array([0, 1, 0])[:, None, None]
    values[:, 0] = np.array([1, 0, 0])[:, None, None]
    return values
