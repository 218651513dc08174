"""How a population is divided into islands, which of them are neighbours, and who moves when."""

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
    """The base of all islands; a topology gives the neighbours in `roads`.

    Args:
        count: how many islands; each has as many members.
        interval: generations between two migrations.
        migrants: how many members an island sends to each neighbour.
        who: its best by the run's own fitness, or drawn at random.
    """

    count: Annotated[int, Within(1, 2500)] = 5
    interval: Annotated[int, Within(1, 10**9)] = 10
    migrants: Annotated[int, Within(0, 5000)] = 1
    who: Literal["best", "random"] = "best"

    @property
    def roads(self) -> Ints:
        """From which island to which members move, shape (m, 2)."""
        return np.empty((0, 2), np.int64)


@ISLANDS.register(name="complete", source="Cantú-Paz 1998")
class Complete(Islands):
    """Islands as in `islands=ring`, but every island sends migrants to every other."""

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
    """

    @property
    def roads(self) -> Ints:
        """From each to the next; one alone has no neighbour."""
        islands = np.arange(self.count if self.count > 1 else 0)
        return np.stack([islands, (islands + 1) % self.count], axis=1)


@ISLANDS.register(name="star", source="Cantú-Paz 1998")
class Star(Islands):
    """Islands as in `islands=ring`, but the first one is in the middle: it and every other send each other migrants."""

    @property
    def roads(self) -> Ints:
        """From the first to each other, and back."""
        others = np.arange(1, self.count)
        middle = np.zeros_like(others)
        return np.concatenate([np.stack([middle, others], axis=1), np.stack([others, middle], axis=1)])
