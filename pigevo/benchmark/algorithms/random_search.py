"""Random search: what any other algorithm has to beat."""

from __future__ import annotations

import numpy as np

from pigevo.benchmark.algorithms import ALGORITHMS
from pigevo.benchmark.protocol import REFERENCE, Problem, Question
from pigevo.core.arrays import Bytes, Floats


@ALGORITHMS.register(name="random_search")
class RandomSearch:
    """Fresh random strategies, a hundred at a time; the best result so far is the champion.

    Where there is a reference opponent, each meets that; otherwise each meets the champion, and whoever
    wins most against it, and more than half, takes its place.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem, self._lot = problem, 0
        self._size = min(100, problem.pairs)
        self._best: Bytes = problem.start(1)[0]
        self._score = -1.0 if problem.opponent else 0.5

    def ask(self) -> Question:
        """A fresh lot against the reference opponent, or the champion."""
        self._lot += 1
        self._fresh = self._problem.start(self._size, self._lot)
        genomes = np.concatenate([self._fresh, self._best[None]])
        opponent = REFERENCE if self._problem.opponent else self._size
        return Question(genomes, np.column_stack([np.arange(self._size), np.full(self._size, opponent)]))

    def tell(self, wins: Floats) -> None:
        """Keep the best."""
        best = int(wins.argmax())
        if wins[best] > self._score:
            self._best = self._fresh[best]
            self._score = float(wins[best]) if self._problem.opponent else 0.5

    @property
    def champion(self) -> Bytes:
        """The best so far."""
        return self._best
