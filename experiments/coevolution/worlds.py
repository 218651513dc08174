"""The small games of the study, whose whole truth can be computed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pigevo import best_response, optimal
from pigevo.arrays import Bools, Bytes, Floats
from pigevo.dice import Draw
from pigevo.evolution.referee import referee
from pigevo.exact import matrix_of_tables
from pigevo.games import GAMES
from pigevo.strategies import CubeGrid

LEVEL = 1e-12
"""Win probabilities that differ by less are the same: strategies may differ only where play never comes."""


@dataclass(frozen=True)
class World:
    """A game, and what a gene decides in it.

    Args:
        name: in words.
        game: the name of its rules.
        target: points to reach.
        size: edges of a cuboid.
    """

    name: str
    game: str
    target: int
    size: int | tuple[int, int, int] = 1

    @cached_property
    def grid(self) -> CubeGrid:
        """The cuboids."""
        return CubeGrid(GAMES[self.game].bind({"target": self.target}), self.size)

    @property
    def genes(self) -> int:
        """The length of a genome."""
        return self.grid.genes

    @cached_property
    def best(self) -> Bytes:
        """The genome nearest to the optimum."""
        found: Bytes = self.grid.from_strategies([optimal(self.grid.game).strategy])[0]
        return found

    def matrix(self, genomes: Bytes) -> Floats:
        """The exact overall win probability of each genome against each, shape (n, n)."""
        found: Floats = matrix_of_tables(self.grid.game, self.grid.to_tables(genomes))
        return found

    def against_optimum(self, genomes: Bytes) -> Floats:
        """The exact overall win probability of each genome against the optimum, shape (n,)."""
        return referee(self.grid.game, self.grid.to_tables(genomes))

    def exploitability(self, genome: Bytes) -> float:
        """What the best response wins against a genome, less a half."""
        return float(best_response(self.grid.strategy(genome)).overall) - 0.5

    def everything(self) -> Bytes:
        """All genomes there are, shape (2**genes, genes)."""
        numbers = np.arange(2**self.genes, dtype=np.int64)
        return ((numbers[:, None] >> np.arange(self.genes)) & 1).astype(np.uint8)


WHOLE = World("Piglet to 3, all 512 strategies", "piglet", 3)
BLOCKS = World("Pig to 10, all 1,024 that look at the own score only, in blocks of 3", "pig", 10, (3, 10, 3))
TEN = World("Pig to 10", "pig", 10, 2)
TWENTY = World("Pig to 20", "pig", 20, 4)
FORTY = World("Pig to 40", "pig", 40, 5)


def beats(matrix: Floats) -> Bools:
    """Who wins more than half against whom."""
    found: Bools = matrix > 0.5 + LEVEL
    return found


def mutants(genome: Bytes, n: int, rate: float, draw: Draw) -> Bytes:
    """Copies of a genome of which each gene flips, by itself, with the same probability.

    Args:
        genome: shape (genes,).
        n: how many.
        rate: the probability.
        draw: of this lot.
    """
    copies = np.tile(genome, (n, 1))
    copies.reshape(-1)[draw.positions(copies.size, rate)] ^= 1
    return copies
