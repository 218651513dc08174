"""Who beats whom: cycles of three strategies, and whether the order is transitive."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pigevo.arrays import Bools, Floats, Ints

LEVEL = 1e-12
"""A margin below it is rounding: the two are level."""


@dataclass(frozen=True, eq=False)
class Cycles:
    """Every three strategies of which each beats the next, and the last the first; the strongest cycle first.

    Args:
        members: indices of the strategies, shape (cycles, 3); the smallest comes first.
        margins: by how much each beats the next, shape (cycles, 3).
    """

    members: Ints
    margins: Floats

    def __len__(self) -> int:
        return len(self.members)

    @property
    def strengths(self) -> Floats:
        """The smallest margin of each cycle, shape (cycles,)."""
        strengths: Floats = self.margins.min(axis=1)
        return strengths


def margins_of(overall: Floats) -> Floats:
    """By how much the row beats the column: its overall win probability less a half, where nobody draws.

    Args:
        overall: win probability of the row against the column in both seats, shape (n, n).

    Returns:
        Half of what the row wins more often than the column, shape (n, n); the negative of its transpose.
    """
    margins: Floats = (overall - overall.T) / 2
    return margins


def beats_of(overall: Floats) -> Bools:
    """Whether the row beats the column, shape (n, n); level strategies beat each other neither way."""
    return margins_of(overall) > LEVEL


def cycles_of(overall: Floats) -> Cycles:
    """All cycles of three, the one with the largest smallest margin first.

    Args:
        overall: win probability of the row against the column in both seats, shape (n, n).
    """
    margins, beats = margins_of(overall), beats_of(overall)
    found = [np.empty((0, 3), np.int64)]
    for a in range(len(beats)):
        later = np.arange(a + 1, len(beats))
        round_trips = beats[a, later][:, None] & beats[np.ix_(later, later)] & beats[later, a][None, :]
        b, c = np.nonzero(round_trips)
        found.append(np.stack([np.full(len(b), a), later[b], later[c]], axis=1))
    members = np.concatenate(found)
    a, b, c = members.T
    cycles = Cycles(members, np.stack([margins[a, b], margins[b, c], margins[c, a]], axis=1))
    order = np.argsort(-cycles.strengths, kind="stable")
    return Cycles(members[order], cycles.margins[order])


def is_transitive(overall: Floats) -> bool:
    """Whether who beats a strategy also beats every strategy that this one beats.

    Args:
        overall: win probability of the row against the column in both seats, shape (n, n).
    """
    beats = beats_of(overall)
    through = beats.astype(np.float32) @ beats.astype(np.float32) > 0
    return not bool((through & ~beats).any())
