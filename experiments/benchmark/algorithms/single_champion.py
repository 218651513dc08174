"""Algorithms with one champion: random search, the baseline, and the hill climber."""

from __future__ import annotations

import numpy as np

from pigevo.core.arrays import Bytes, Floats

from ..protocol import REFERENCE, Problem, Question
from . import ALGORITHMS


@ALGORITHMS.register(name="random_search")
class RandomSearch:
    """New random strategies, a hundred at a time; the champion is the one with the best result so far.

    If there is a reference opponent, each plays it; otherwise each plays the champion, and the one that wins most
    against it, and more than half, replaces it.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem, self._lot = problem, 0
        self._size = min(100, problem.pairs)
        self._best: Bytes = problem.start(1)[0]
        self._score = -1.0 if problem.opponent else 0.5

    def ask(self) -> Question:
        """New strategies against the reference opponent or the champion."""
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


@ALGORITHMS.register(
    name="hill_climber",
    source="Droste, Jansen & Wegener 2002, On the analysis of the (1+1) evolutionary algorithm",
)
class HillClimber:
    """A mutant of the champion, each of whose genes flips with probability 1/genes, replaces it unless it is worse.

    If there is a reference opponent, champion and mutant both play it at each step, so that noise cannot keep a lucky
    champion; otherwise they play each other.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem, self._step = problem, 0
        self._best: Bytes = problem.start(1)[0]

    def ask(self) -> Question:
        """The mutant and the champion: against the reference opponent, or against each other."""
        self._step += 1
        draw, genes = self._problem.draw("mutation", self._step), self._problem.genes
        self._copy = self._best.copy()
        flips = np.flatnonzero(draw.uniforms(genes) < 1 / genes)
        if not len(flips):  # an identical copy would be uninformative
            flips = np.array([int(draw.at(part=1).uniforms(1)[0] * genes)])
        self._copy[flips] ^= 1
        pairs = [[0, REFERENCE], [1, REFERENCE]] if self._problem.opponent else [[0, 1]]
        return Question(np.stack([self._copy, self._best]), np.array(pairs))

    def tell(self, wins: Floats) -> None:
        """Accept the mutant unless it is worse."""
        if wins[0] >= (wins[1] if self._problem.opponent else 0.5):
            self._best = self._copy

    @property
    def champion(self) -> Bytes:
        """The present champion."""
        return self._best
