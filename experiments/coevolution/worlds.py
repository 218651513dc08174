"""What the parts of the study measure on: small games whose whole truth can be computed, and the benchmark's trials."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pigevo import best_response, optimal
from pigevo.core.arrays import Bools, Bytes, Floats
from pigevo.dice import Draw
from pigevo.evolution.evaluation import referee
from pigevo.exact import matrix_of_tables
from pigevo.games import GAMES
from pigevo.strategies import CubeGrid

from ..benchmark.instances import Instance
from ..benchmark.protocol import Problem
from ..benchmark.trial import try_out

ROUNDING = 1e-12
"""Win probabilities that differ by less are the same: strategies may differ only where play never comes."""


@dataclass(frozen=True)
class World:
    """A game, and what a gene decides in it.

    Args:
        name: in words.
        game: the name of its rules.
        options: of the rules, by name.
        size: edges of a cube.
    """

    name: str
    game: str
    options: tuple[tuple[str, int], ...]
    size: int | tuple[int, int, int] = 1

    @cached_property
    def grid(self) -> CubeGrid:
        """The cubes."""
        return CubeGrid(GAMES[self.game].bind(dict(self.options)), self.size)

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


def pig(target: int, sides: int, size: int | tuple[int, int, int], name: str = "") -> World:
    """A game of Pig; with few sides a turn brings little, and the optimum of a short game holds at times."""
    return World(name or f"Pig to {target}, {sides} sides", "pig", (("target", target), ("sides", sides)), size)


WHOLE = World("Piglet to 3, all 512 strategies", "piglet", (("target", 3),))
BLOCKS = pig(10, 2, (5, 5, 4), "Pig to 10, 2 sides, all 1,024 strategies in blocks")
TEN, TWENTY, FORTY = pig(10, 2, 1), pig(20, 3, 2), pig(40, 4, 4)
"""With six sides and a target up to 30 the optimum always rolls, and nothing would be to be found."""


def beats(matrix: Floats) -> Bools:
    """Who wins more than half against whom."""
    found: Bools = matrix > 0.5 + ROUNDING
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


def mutants_of(genomes: Bytes, rate: float, draw: Draw) -> Bytes:
    """A mutant of each genome."""
    flipped = genomes.copy()
    flipped.reshape(-1)[draw.positions(flipped.size, rate)] ^= 1
    return flipped


def ended(make: Callable[[Problem], Any], instance: Instance, seed: int, budget: int) -> tuple[Any, dict[str, float]]:
    """An algorithm that has spent its budget, and how good its champion is.

    Args:
        make: makes it.
        instance: the task.
        seed: of everything.
        budget: in evaluations or games.

    Returns:
        The algorithm; the champion's loss and exploitability at the end, and their means over all that was
        recorded of the second half of the budget.
    """
    made = []

    def keeping(problem: Problem) -> Any:
        made.append(make(problem))
        return made[0]

    trial = try_out(keeping, instance, seed, budget)
    late = trial.spent >= trial.spent[-1] / 2
    return made[0], {
        "loss": float(trial.loss[-1]),
        "exploitability": float(trial.exploitability[-1]),
        "late loss": float(trial.loss[late].mean()),
        "late exploitability": float(trial.exploitability[late].mean()),
    }


def population_loss(algorithm: Any, instance: Instance) -> float:
    """The mean loss of an algorithm's population against the optimum, exactly."""
    return 0.5 - float(referee(instance.grid.game, instance.grid.to_tables(algorithm.population)).mean())
