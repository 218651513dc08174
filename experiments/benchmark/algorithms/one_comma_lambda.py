"""The (1,lambda) co-evolutionary algorithm, by the worst interaction or by the mean of all."""

from __future__ import annotations

from typing import Literal

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.dice import Draw
from pigevo.evolution.evaluation import ranking
from pigevo.evolution.mutation.flips import bit_flip

from ..breeding import context, every_meeting
from ..protocol import Problem, Question
from . import ALGORITHMS

By = Literal["worst", "mean"]


def aggregated(results: Floats, by: By) -> Floats:
    """One score of each row of results, shape (players, opponents): the worst of them, or their mean."""
    score: Floats = results.min(axis=1) if by == "worst" else results.mean(axis=1)
    return score


def next_parents(results: Floats, by: By, draw: Draw) -> Ints:
    """The best player and the best opponent, by what each player gains and each opponent loses; `draw` decides ties."""
    scores = aggregated(results, by), aggregated(-results.T, by)
    return np.array([ranking(one, draw.at(part=part))[0] for part, one in enumerate(scores)])


@ALGORITHMS.register(
    name="one_comma_lambda",
    source="Hevia Fajardo & Lehre 2023, GECCO, How fitness aggregation methods affect the performance of competitive "
    "CoEAs on bilinear problems",
)
class OneCommaLambda:
    """Two parents have mutants, who all meet those of the other; the best mutant of each is the next parent.

    Args:
        problem: the task.
        mutants: of each parent, lambda; a step costs their square.
        by: whether a mutant is judged by its worst result or by the mean of all.
    """

    def __init__(self, problem: Problem, mutants: int = 10, by: By = "worst") -> None:
        self._problem, self._by, self._step = problem, by, 0
        self._mutants = max(1, min(mutants, int(problem.pairs**0.5)))
        self._parents = problem.start(2)

    def ask(self) -> Question:
        """All mutants of the one against all of the other; each gene of them flips with probability 1/genes."""
        self._step += 1
        operator_context = context(self._problem, "mutation", self._step, rate=1 / self._problem.genes)
        self._born = bit_flip(np.repeat(self._parents, self._mutants, axis=0), operator_context)
        return Question(self._born, every_meeting(self._mutants, self._mutants))

    def tell(self, wins: Floats) -> None:
        """Take the best mutant of each."""
        draw = self._problem.draw("selection", self._step)
        best = next_parents(wins.reshape(self._mutants, -1), self._by, draw)
        self._parents = self._born[best + np.array([0, self._mutants])]

    @property
    def champion(self) -> Bytes:
        """The first parent."""
        champion: Bytes = self._parents[0]
        return champion
