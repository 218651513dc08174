"""What reference algorithms share: pigevo's operators on arrays, generations of one population, and Nash equilibria.

`Payoffs` holds strategies with their results against each other; `equilibrium` is that of the symmetric game they make.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from scipy.optimize import linprog

from pigevo.benchmark.protocol import Problem, Question, Stream
from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.evolution.crossover.agree_or_random import agree_or_random
from pigevo.evolution.evaluation import pairwise
from pigevo.evolution.mutation.bit_flip import bit_flip
from pigevo.evolution.mutation.expected_flips import expected_flips
from pigevo.evolution.operators import Context, Selection
from pigevo.evolution.toolbox import pair_parents
from pigevo.strategies import CubeGrid

SIZE = 20
"""Members of a population, as in Exeter 2016."""

UNKNOWN = cast(CubeGrid, None)
"""The grid that an algorithm's operators are told: it does not know the game, and they must do without."""


def context(problem: Problem, stream: Stream, number: int, **more: Any) -> Context:
    """What an operator is told at a step of an algorithm.

    Args:
        problem: the task.
        stream: what random numbers are for.
        number: of the step.
        more: of the context, by name.
    """
    return Context(problem.draw(stream, number), UNKNOWN, number, **more)


def mutants(problem: Problem, genomes: Bytes, number: int) -> Bytes:
    """A mutant of each genome, which differs from it: each gene flips with probability 1/genes, and one at least."""
    return expected_flips(genomes, context(problem, "mutation", number))


def children(problem: Problem, survivors: Bytes, count: int, number: int, rate: float) -> Bytes:
    """Children of survivors as in Exeter 2016: what both parents agree on, coins for the rest, and flips.

    Args:
        problem: the task.
        survivors: shape (m, genes); they are paired at random.
        count: how many children.
        number: of the step.
        rate: the probability that a gene flips.
    """
    operator_context = context(problem, "crossover", number)
    first, second = pair_parents(len(survivors), count, operator_context.draw.at(part=1))
    made = agree_or_random(survivors[first], survivors[second], operator_context)
    return bit_flip(made, context(problem, "mutation", number, rate=rate, in_place=True))


def every_meeting(players: int, opponents: int) -> Ints:
    """The pairs in which the first rows meet all rows after them, shape (players * opponents, 2)."""
    pairs: Ints = np.indices((players, opponents)).reshape(2, -1).T + np.array([0, players])
    return pairs


class Generational:
    """A population whose members meet as a selection pairs them; the survivors' children are the next population.

    Args:
        problem: the task.
        selection: says who meets whom and who survives.
        size: members of the population.
        rate: the probability that a gene of a child flips; 1/genes unless said.
        stay: whether survivors stay beside their children; otherwise each pair of them has four.
    """

    def __init__(self, problem: Problem, selection: Selection, size: int, rate: float | None, stay: bool) -> None:
        self._problem, self._selection, self._stay = problem, selection, stay
        self._rate = 1 / problem.genes if rate is None else rate
        self._number = 0
        self._genomes = problem.start(size)
        self._champion: Bytes = self._genomes[0]

    def ask(self) -> Question:
        """The pairs of the selection."""
        operator_context = context(self._problem, "selection", self._number)
        self._pairs = self._selection.pairs(len(self._genomes), operator_context)
        return Question(self._genomes, self._pairs)

    def tell(self, wins: Floats) -> None:
        """Make the next population."""
        found = pairwise(len(self._genomes), self._pairs, np.stack([wins, 1 - wins], axis=1))
        operator_context = context(self._problem, "selection", self._number, scores=found.scores, evaluation=found)
        self._champion = self._genomes[int(found.scores.argmax())]
        survivors = self._genomes[self._selection(found.scores, operator_context)]
        kept = survivors if self._stay else survivors[:0]
        self._number += 1
        born = children(self._problem, survivors, len(self._genomes) - len(kept), self._number, self._rate)
        self._genomes = np.concatenate([kept, born])

    @property
    def population(self) -> Bytes:
        """The members who will meet next, shape (size, genes)."""
        return self._genomes

    @property
    def champion(self) -> Bytes:
        """The best of the population that met last, by its own results."""
        return self._champion


@dataclass(frozen=True, eq=False)
class Payoffs:
    """Genomes and the matrix of their results.

    Args:
        genomes: shape (n, genes).
        wins: what row won against column, shape (n, n), a half on the diagonal.
    """

    genomes: Bytes
    wins: Floats

    @staticmethod
    def of(genome: Bytes) -> Payoffs:
        """A single strategy."""
        return Payoffs(genome[None], np.full((1, 1), 0.5))

    def __len__(self) -> int:
        return len(self.genomes)

    def joined(self, newer: Bytes, against: Floats, among: Floats | None = None) -> Payoffs:
        """These and some more.

        Args:
            newer: genomes, shape (m, genes).
            against: what they won against these, shape (m, n).
            among: what they won against each other, shape (m, m); a half each, unless it is known.
        """
        within = np.full((len(newer), len(newer)), 0.5) if among is None else among
        wins = np.block([[self.wins, 1 - against.T], [against, within]])
        return Payoffs(np.concatenate([self.genomes, newer]), wins)

    def only(self, which: Ints) -> Payoffs:
        """Some of them, by their numbers."""
        return Payoffs(self.genomes[which], self.wins[np.ix_(which, which)])


SMALLEST = 1e-7
"""Weights below it are rounding."""


def equilibrium(wins: Floats) -> Floats:
    """The weights of strategies in a mixture that wins the most against whichever of them does best against it.

    Args:
        wins: win probability of row against column, shape (n, n), those of (i, j) and (j, i) adding up to 1.

    Returns:
        Weights that add up to 1, shape (n,). There may be several such mixtures; it is a vertex of their set.
    """
    n = len(wins)
    weights_and_value = np.append(np.zeros(n), -1.0)
    never_less = np.column_stack([-wins.T, np.ones(n)])  # value - sum_i weight_i * wins[i, j] <= 0 for each j
    one = np.append(np.ones(n), 0.0)[None]
    found = linprog(
        weights_and_value, never_less, np.zeros(n), one, [1.0], bounds=[(0, None)] * n + [(None, None)], method="highs"
    )
    rounded = np.where(found.x[:n] > SMALLEST, found.x[:n], 0.0)
    weights: Floats = rounded / rounded.sum()
    return weights
