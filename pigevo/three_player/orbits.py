"""Orbits: the states that busts lead around, in the order in which they can be solved."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pigevo.arrays import Floats, Ints


def orbits_by_total(target: int) -> Iterator[Ints]:
    """All orbits whose points needed add up to 3, 4, ..., shape (n, 3) each.

    An orbit is named by its first state in lexicographic order: of (a, b, c), (b, c, a), (c, a, b).
    """
    a, b, c = np.ogrid[1 : target + 1, 1 : target + 1, 1 : target + 1]
    first = (a <= b) & (a <= c) & ((a < c) | (a == b))
    orbits = np.argwhere(first) + 1
    totals = orbits.sum(axis=1)
    order = np.argsort(totals, kind="stable")
    yield from np.split(orbits[order], np.flatnonzero(np.diff(totals[order])) + 1)


def count_orbits(target: int) -> int:
    """How many orbits a game to `target` points has: the cyclic triples of 1 .. target."""
    return (target**3 + 2 * target) // 3


def rotated(needs: tuple[int, int, int], m: int) -> tuple[int, int, int]:
    """The state with player `m` of the orbit to move."""
    return needs[m], needs[(m + 1) % 3], needs[(m + 2) % 3]


def won_values(target: int) -> Floats:
    """Win probabilities in the making: 1 for a player who needs nothing, 0 else, shape (3, T + 1, T + 1, T + 1)."""
    values = np.zeros((3, target + 1, target + 1, target + 1))
    values[2, :, :, 0] = 1
    values[:, :, 0] = np.array([0, 1, 0])[:, None, None]
    values[:, 0] = np.array([1, 0, 0])[:, None, None]
    return values
