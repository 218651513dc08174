"""Islands: the division of a population, the neighbours of each island, and the migration between them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from pigevo.core.arrays import Ints
from pigevo.core.checked_values import Within
from pigevo.core.registry import Registry

ISLANDS = Registry("islands", 0)


@dataclass(frozen=True)
class Islands:
    """The base class of all islands; a topology defines the neighbours in `roads`.

    Args:
        count: number of islands; all have the same number of members.
        interval: number of generations between two migrations.
        migrants: number of members that an island sends to each neighbour.
        who: which members migrate: the best by the run's own fitness, or random ones.
    """

    count: Annotated[int, Within(1, 5000)] = 5
    interval: Annotated[int, Within(1, 10**9)] = 10
    migrants: Annotated[int, Within(0, 10_000)] = 1
    who: Literal["best", "random"] = "best"

    @property
    def roads(self) -> Ints:
        """The pairs of islands between which members move, from and to, shape (m, 2)."""
        return np.empty((0, 2), np.int64)


@ISLANDS.register(name="complete", source="Cantú-Paz 1998")
class Complete(Islands):
    """Islands as in `islands=ring`, but every island sends migrants to every other island."""

    @property
    def roads(self) -> Ints:
        """From each island to each other island."""
        return np.argwhere(~np.eye(self.count, dtype=bool))


@ISLANDS.register(name="none")
class OnePopulation(Islands):
    """A single population, in which all members can meet and mate with each other."""

    def __init__(self) -> None:
        super().__init__(count=1)


@ISLANDS.register(name="ring", source="Tanese 1989; Cantú-Paz 1998")
class Ring(Islands):
    """Islands that evolve separately; each sends migrants to the next island, and the last to the first.

    Migrants are copies.  Each takes the place of a child, as long as there are places for children.  They are neither
    crossed nor mutated before they have been evaluated on their new island.
    """

    @property
    def roads(self) -> Ints:
        """From each island to the next; a single island has no neighbour."""
        islands = np.arange(self.count if self.count > 1 else 0)
        return np.stack([islands, (islands + 1) % self.count], axis=1)


@ISLANDS.register(name="star", source="Cantú-Paz 1998")
class Star(Islands):
    """Islands as in `islands=ring`, but the first island is the centre: it exchanges migrants with all others."""

    @property
    def roads(self) -> Ints:
        """From the first island to each other island, and back."""
        others = np.arange(1, self.count)
        middle = np.zeros_like(others)
        return np.concatenate([np.stack([middle, others], axis=1), np.stack([others, middle], axis=1)])
