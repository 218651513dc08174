"""Hall of fame: opponents are the best of the last generation, and champions of all times."""

from __future__ import annotations

import numpy as np

from pigevo.benchmark.algorithms import ALGORITHMS
from pigevo.benchmark.breeding import SIZE, children, every_meeting
from pigevo.benchmark.protocol import Problem, Question
from pigevo.core.arrays import Bytes, Floats
from pigevo.evolution.evaluation import ranking


@ALGORITHMS.register(
    name="hall_of_fame",
    source="Rosin & Belew 1997, New methods for competitive coevolution, Evolutionary Computation 5",
)
class HallOfFame:
    """Everyone meets the best of the generation before, and some past champions drawn at random; the mean counts.

    Half of the population survives and stays; the champion of each generation enters the hall.

    Args:
        problem: the task.
        size: members.
        rivals: opponents from the generation before.
        famous: opponents from the hall.
    """

    def __init__(self, problem: Problem, size: int = SIZE, rivals: int = 5, famous: int = 5) -> None:
        self._problem, self._famous, self._number = problem, famous, 0
        self._genomes = problem.start(size)
        self._rivals = problem.start(rivals, 1)
        self._hall = self._rivals[:1]

    def ask(self) -> Question:
        """Everyone against rivals and the famous."""
        order = self._problem.draw("selection", self._number).at(part=1).permutation(len(self._hall))
        opponents = np.concatenate([self._rivals, self._hall[order[: self._famous]]])
        return Question(np.concatenate([self._genomes, opponents]), every_meeting(len(self._genomes), len(opponents)))

    def tell(self, wins: Floats) -> None:
        """The better half has children; the best enters the hall."""
        scores, size = wins.reshape(len(self._genomes), -1).mean(axis=1), len(self._genomes)
        ranked = self._genomes[ranking(scores, self._problem.draw("selection", self._number))]
        self._rivals = ranked[: len(self._rivals)]
        self._hall = np.concatenate([self._hall, ranked[:1]])
        self._number += 1
        born = children(self._problem, ranked[: size // 2], size - size // 2, self._number, 1 / self._problem.genes)
        self._genomes = np.concatenate([ranked[: size // 2], born])

    @property
    def champion(self) -> Bytes:
        """The last that entered the hall."""
        champion: Bytes = self._hall[-1]
        return champion
