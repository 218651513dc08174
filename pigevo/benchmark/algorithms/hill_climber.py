"""The hill climber, or (1+1) evolutionary algorithm."""

from __future__ import annotations

import numpy as np

from pigevo.benchmark.algorithms import ALGORITHMS
from pigevo.benchmark.protocol import REFERENCE, Problem, Question
from pigevo.core.arrays import Bytes, Floats


@ALGORITHMS.register(
    name="hill_climber",
    source="Droste, Jansen & Wegener 2002, On the analysis of the (1+1) evolutionary algorithm",
)
class HillClimber:
    """A copy of the champion, of which each gene flips with probability 1/genes, takes its place unless it is worse.

    Where there is a reference opponent, champion and copy both meet it at each step, so that noise cannot
    freeze a lucky champion; otherwise they meet each other.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem, self._step = problem, 0
        self._best: Bytes = problem.start(1)[0]

    def ask(self) -> Question:
        """The copy and the champion: against the reference opponent, or against each other."""
        self._step += 1
        draw, genes = self._problem.draw("mutation", self._step), self._problem.genes
        self._copy = self._best.copy()
        flips = np.flatnonzero(draw.uniforms(genes) < 1 / genes)
        if not len(flips):  # a copy that is alike would tell nothing
            flips = np.array([int(draw.at(part=1).uniforms(1)[0] * genes)])
        self._copy[flips] ^= 1
        pairs = [[0, REFERENCE], [1, REFERENCE]] if self._problem.opponent else [[0, 1]]
        return Question(np.stack([self._copy, self._best]), np.array(pairs))

    def tell(self, wins: Floats) -> None:
        """Take the copy unless it is worse."""
        if wins[0] >= (wins[1] if self._problem.opponent else 0.5):
            self._best = self._copy

    @property
    def champion(self) -> Bytes:
        """Where the climb has come."""
        return self._best
