"""What reference algorithms share: pigevo's own operators on arrays, and generations of one population."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

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
