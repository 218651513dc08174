"""Which islands are neighbours: none, a ring, a star, or all of each other."""

from __future__ import annotations

import numpy as np

from pigevo.core.arrays import Ints
from pigevo.evolution.migration import Islands
from pigevo.evolution.registries import ISLANDS


@ISLANDS.register(name="complete", source="Cantú-Paz 1998")
class Complete(Islands):
    """Islands as in `islands=ring`, but every island sends migrants to every other.

    Args:
        count: how many islands; each has as many members.
        interval: generations between two migrations.
        migrants: how many members an island sends to each neighbour.
        who: its best by the run's own fitness, or drawn at random.
    """

    @property
    def roads(self) -> Ints:
        """From each to each other."""
        return np.argwhere(~np.eye(self.count, dtype=bool))


@ISLANDS.register(name="none")
class OnePopulation(Islands):
    """The population is one, in which everyone can meet and mate with everyone."""

    def __init__(self) -> None:
        super().__init__(count=1)


@ISLANDS.register(name="ring", source="Tanese 1989; Cantú-Paz 1998")
class Ring(Islands):
    """Islands that evolve by themselves; each sends migrants to the next one, and the last to the first.

    Migrants are copies.  They come in the places of as many children, at most of all, and are neither crossed nor
    mutated before they have been evaluated where they are.

    Args:
        count: how many islands; each has as many members.
        interval: generations between two migrations.
        migrants: how many members an island sends to each neighbour.
        who: its best by the run's own fitness, or drawn at random.
    """

    @property
    def roads(self) -> Ints:
        """From each to the next; one alone has no neighbour."""
        islands = np.arange(self.count if self.count > 1 else 0)
        return np.stack([islands, (islands + 1) % self.count], axis=1)


@ISLANDS.register(name="star", source="Cantú-Paz 1998")
class Star(Islands):
    """Islands as in `islands=ring`, but the first one is in the middle: it and every other send each other migrants.

    Args:
        count: how many islands; each has as many members.
        interval: generations between two migrations.
        migrants: how many members an island sends to each neighbour.
        who: its best by the run's own fitness, or drawn at random.
    """

    @property
    def roads(self) -> Ints:
        """From the first to each other, and back."""
        others = np.arange(1, self.count)
        middle = np.zeros_like(others)
        return np.concatenate([np.stack([middle, others], axis=1), np.stack([others, middle], axis=1)])
