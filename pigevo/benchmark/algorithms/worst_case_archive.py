"""The worst result against an archive of past champions, as `fitness=archive fitness.exploring_starts=0` has it."""

from __future__ import annotations

import numpy as np

from pigevo.benchmark.algorithms import ALGORITHMS
from pigevo.benchmark.breeding import SIZE, every_meeting, mutants
from pigevo.benchmark.protocol import Problem, Question
from pigevo.core.arrays import Bytes, Floats
from pigevo.evolution.evaluation import ranking
from pigevo.evolution.fitness.archive import thinned


@ALGORITHMS.register(name="worst_case_archive", source="pigevo, `pigevo.evolution.fitness.archive`")
class WorstCaseArchive:
    """Everyone meets past champions, whose ages grow geometrically, and is as good as its worst result.

    The best tenth of the population stays, and its mutants fill the rest.

    Args:
        problem: the task.
        size: members.
        places: of the archive.
        every: generations between two champions who enter it.
    """

    def __init__(self, problem: Problem, size: int = SIZE, places: int = 6, every: int = 5) -> None:
        self._problem, self._places, self._every, self._number = problem, places, every, 0
        self._genomes = problem.start(size)
        self._archive, self._born = problem.start(1, 1), np.zeros(1, np.int64)
        self._champion: Bytes = self._genomes[0]

    def ask(self) -> Question:
        """Everyone against the archive."""
        size = len(self._genomes)
        return Question(np.concatenate([self._genomes, self._archive]), every_meeting(size, len(self._archive)))

    def tell(self, wins: Floats) -> None:
        """The best stay and have mutants; from time to time the very best enters the archive."""
        size = len(self._genomes)
        worst = wins.reshape(size, -1).min(axis=1)
        best = self._genomes[ranking(worst, self._problem.draw("selection", self._number))[: max(1, size // 10)]]
        self._champion = best[0]
        if self._number % self._every == 0:
            born = np.append(self._born, self._number)
            kept = thinned(self._number + self._every - born, self._places)
            self._archive, self._born = np.concatenate([self._archive, best[:1]])[kept], born[kept]
        self._number += 1
        parents = best[np.arange(size - len(best)) % len(best)]
        self._genomes = np.concatenate([best, mutants(self._problem, parents, self._number)])

    @property
    def champion(self) -> Bytes:
        """The best of the generation that met last."""
        return self._champion
