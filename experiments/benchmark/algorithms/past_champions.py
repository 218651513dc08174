"""Algorithms whose opponents are past champions: a hall of fame, and the worst result against an archive.

The archive works as in `fitness=archive fitness.exploring_starts=0`.
"""

from __future__ import annotations

import numpy as np

from pigevo.core.arrays import Bytes, Floats
from pigevo.evolution.evaluation import ranking
from pigevo.evolution.fitness.archive import thinned

from ..breeding import SIZE, children, every_meeting, mutants
from ..protocol import Problem, Question
from . import ALGORITHMS


@ALGORITHMS.register(
    name="hall_of_fame",
    source="Rosin & Belew 1997, New methods for competitive coevolution, Evolutionary Computation 5",
)
class HallOfFame:
    """Members play the best of the previous generation and some random past champions; the mean result counts.

    Half of the population survives and stays; the champion of each generation enters the hall.

    Args:
        problem: the task.
        size: the number of members.
        rivals: the number of opponents from the previous generation.
        famous: the number of opponents from the hall of fame.
    """

    def __init__(self, problem: Problem, size: int = SIZE, rivals: int = 5, famous: int = 5) -> None:
        self._problem, self._famous, self._number = problem, famous, 0
        self._genomes = problem.start(size)
        self._rivals = problem.start(rivals, 1)
        self._hall = self._rivals[:1]

    def ask(self) -> Question:
        """All members against rivals and the hall of fame."""
        order = self._problem.draw("selection", self._number).at(part=1).permutation(len(self._hall))
        opponents = np.concatenate([self._rivals, self._hall[order[: self._famous]]])
        return Question(np.concatenate([self._genomes, opponents]), every_meeting(len(self._genomes), len(opponents)))

    def tell(self, wins: Floats) -> None:
        """Let the better half have children; the best enters the hall of fame."""
        scores, size = wins.reshape(len(self._genomes), -1).mean(axis=1), len(self._genomes)
        ranked = self._genomes[ranking(scores, self._problem.draw("selection", self._number))]
        self._rivals = ranked[: len(self._rivals)]
        self._hall = np.concatenate([self._hall, ranked[:1]])
        self._number += 1
        born = children(self._problem, ranked[: size // 2], size - size // 2, self._number, 1 / self._problem.genes)
        self._genomes = np.concatenate([ranked[: size // 2], born])

    @property
    def champion(self) -> Bytes:
        """The last member that entered the hall of fame."""
        champion: Bytes = self._hall[-1]
        return champion


@ALGORITHMS.register(name="worst_case_archive", source="pigevo, `pigevo.evolution.fitness.archive`")
class WorstCaseArchive:
    """Members play past champions, whose ages grow geometrically; a member's worst result counts.

    The best tenth of the population stays, and its mutants fill the rest.

    Args:
        problem: the task.
        size: the number of members.
        places: the size of the archive.
        every: generations between two champions that enter it.
    """

    def __init__(self, problem: Problem, size: int = SIZE, places: int = 6, every: int = 5) -> None:
        self._problem, self._places, self._every, self._number = problem, places, every, 0
        self._genomes = problem.start(size)
        self._archive, self._born = problem.start(1, 1), np.zeros(1, np.int64)
        self._champion: Bytes = self._genomes[0]

    def ask(self) -> Question:
        """All members against the archive."""
        size = len(self._genomes)
        return Question(np.concatenate([self._genomes, self._archive]), every_meeting(size, len(self._archive)))

    def tell(self, wins: Floats) -> None:
        """Keep the best and make their mutants; every few generations the very best enters the archive."""
        size = len(self._genomes)
        worst = wins.reshape(size, -1).min(axis=1)
        best = self._genomes[ranking(worst, self._problem.draw("selection", self._number))[: max(1, size // 10)]]
        self._champion = best[0]
        if self._number % self._every == 0:
            born = np.append(self._born, self._number)
            staying = thinned(self._number + self._every - born, self._places)
            self._archive, self._born = np.concatenate([self._archive, best[:1]])[staying], born[staying]
        self._number += 1
        parents = best[np.arange(size - len(best)) % len(best)]
        self._genomes = np.concatenate([best, mutants(self._problem, parents, self._number)])

    @property
    def champion(self) -> Bytes:
        """The best of the last generation that played."""
        return self._champion
