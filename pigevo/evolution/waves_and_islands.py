"""Waves and islands: the division of the array into genes, and of the population into parts that evolve separately.

The waves of smaller and smaller cubes are those of Exeter 2016.  A topology of islands defines the neighbours of each
island, with which it exchanges migrants; `pigevo.evolution.island_model` carries them out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from pigevo.core.arrays import Ints
from pigevo.core.checked_values import Filled, JsonObject, Within
from pigevo.core.registry import Registry
from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.strategies import CubeGrid

CUBES = Registry("cubes", 2)
"""Functions of the game and of the setting `generations`, which is None if they do not use it."""

Generations = Annotated[int, Within(1, 10**9)]


@dataclass(frozen=True)
class Wave:
    """A stretch of generations on one cube grid."""

    grid: CubeGrid
    generations: int


@CUBES.register(name="none", uses=("generations",))
def single_cells(game: Game, total: int | None) -> tuple[Wave, ...]:
    """One wave in which every decision state is a gene; the setting `generations` is its number of generations."""
    return (Wave(CubeGrid(game, 1), total or 0),)


def _settled(options: JsonObject) -> JsonObject:
    """Each size and each number of generations in its shortest form."""
    sizes, lengths = options["sizes"], options["generations"]
    cubes = tuple(size[0] if not isinstance(size, int) and len(set(size)) == 1 else size for size in sizes)
    alike = not isinstance(lengths, int) and len(lengths) == len(sizes) and len(set(lengths)) == 1
    return {**options, "sizes": cubes, "generations": lengths[0] if alike else lengths}


@CUBES.register(source="Exeter 2016, section 3.4.4", complete=_settled)
def waves(
    game: Game,
    total: int | None,
    sizes: Annotated[Sequence[int | Sequence[int]], Filled("[20,10,5]")] = (20, 10, 5),
    generations: Generations | Sequence[Generations] = 100,
) -> tuple[Wave, ...]:
    """One wave for each size of the cubes; between waves each gene is copied into the smaller cubes inside its own.

    A few large cubes soon find a rough strategy, and smaller ones refine it.  No decision changes where a size divides
    the one before; otherwise a new cube takes the gene of the old one at its lowest cell.

    Args:
        sizes: edges of the cubes in points for each wave: a number, or three numbers for i, j and k.
        generations: the number of generations of each wave, or one number for all waves.
    """
    lengths = [generations] * len(sizes) if isinstance(generations, int) else list(generations)
    if not sizes or len(lengths) != len(sizes):
        raise InputError(
            f"cubes.sizes has {len(sizes)} sizes, but cubes.generations has {len(lengths)} numbers: give one for each "
            "size."
        )
    return tuple(Wave(CubeGrid(game, size), n) for size, n in zip(sizes, lengths, strict=True))


ISLANDS = Registry("islands", 0)


@dataclass(frozen=True)
class Islands:
    """The base class of all islands; a topology defines the neighbours in `routes`.

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
    def routes(self) -> Ints:
        """The pairs of islands between which members move, from and to, shape (m, 2)."""
        return np.empty((0, 2), np.int64)


@ISLANDS.register(name="complete", source="Cantú-Paz 1998")
class Complete(Islands):
    """Islands as in `islands=ring`, but every island sends migrants to every other island."""

    @property
    def routes(self) -> Ints:
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

    Migrants are copies.  Each replaces a child, as long as there are children.  They are neither
    crossed nor mutated before they have been evaluated on their new island.
    """

    @property
    def routes(self) -> Ints:
        """From each island to the next; a single island has no neighbour."""
        islands = np.arange(self.count if self.count > 1 else 0)
        return np.stack([islands, (islands + 1) % self.count], axis=1)


@ISLANDS.register(name="star", source="Cantú-Paz 1998")
class Star(Islands):
    """Islands as in `islands=ring`, but the first island is the centre: it exchanges migrants with all others."""

    @property
    def routes(self) -> Ints:
        """From the first island to each other island, and back."""
        outer = np.arange(1, self.count)
        middle = np.zeros_like(outer)
        return np.concatenate([np.stack([middle, outer], axis=1), np.stack([outer, middle], axis=1)])
