"""Functions shared by reference algorithms: pigevo's operators on arrays."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from pigevo.core.arrays import Bytes, Ints
from pigevo.evolution.crossover import agree_or_random
from pigevo.evolution.mutation.flips import bit_flip, expected_flips
from pigevo.evolution.operators import Context, pair_parents
from pigevo.strategies import CubeGrid

from .protocol import Problem, Stream

SIZE = 20
"""The size of a population, as in Exeter 2016."""

UNKNOWN = cast(CubeGrid, None)
"""The grid passed to the operators of an algorithm, which knows no game: they must not need it."""


def context(problem: Problem, stream: Stream, number: int, **more: Any) -> Context:
    """The context of an operator at step `number` of an algorithm."""
    return Context(problem.draw(stream, number), UNKNOWN, number, **more)


def mutants(problem: Problem, genomes: Bytes, number: int) -> Bytes:
    """A mutant of each genome: each gene flips with probability 1/genes, and at least one gene flips."""
    return expected_flips(genomes, context(problem, "mutation", number))


def children(problem: Problem, survivors: Bytes, count: int, number: int, rate: float) -> Bytes:
    """Children of randomly paired survivors, as in Exeter 2016.

    They have the genes on which both parents agree, random other ones, and each gene flips with probability `rate`.
    """
    operator_context = context(problem, "crossover", number)
    first, second = pair_parents(len(survivors), count, operator_context.draw.at(part=1)).T
    made = agree_or_random(survivors[first], survivors[second], operator_context)
    return bit_flip(made, context(problem, "mutation", number, rate=rate, in_place=True))


def every_meeting(players: int, opponents: int) -> Ints:
    """The pairs in which the first rows meet all rows after them, shape (players * opponents, 2)."""
    pairs: Ints = np.indices((players, opponents)).reshape(2, -1).T + np.array([0, players])
    return pairs
