"""Policy-space response oracles: each new strategy does well against the equilibrium of those before."""

from __future__ import annotations

import numpy as np

from pigevo.benchmark.algorithms import ALGORITHMS
from pigevo.benchmark.breeding import Payoffs, equilibrium, every_meeting, mutants
from pigevo.benchmark.protocol import Problem, Question
from pigevo.core.arrays import Bytes, Floats


@ALGORITHMS.register(
    name="response_oracles",
    source="Lanctot and others 2017, NIPS, A unified game-theoretic approach to multiagent reinforcement learning; "
    "double oracle: McMahan, Gordon & Blum 2003",
)
class ResponseOracles:
    """A response to a Nash mixture is evolved, within the budget and without an oracle, and joins the strategies.

    It is evolved by a (1+lambda) algorithm from the strategy with the largest weight; the parent meets the mixture anew
    at each step, so that luck does not stay. Known as PSRO.

    Args:
        problem: the task.
        mutants: lambda.
        steps: of the evolution of a response.
    """

    def __init__(self, problem: Problem, mutants: int = 10, steps: int = 20) -> None:
        self._problem, self._mutants, self._steps, self._number = problem, mutants, steps, 0
        self._known, self._weights = Payoffs.of(problem.start(1)[0]), np.ones(1)
        self._parent = self.champion

    @property
    def _entering(self) -> bool:
        """Whether a response is ready that is not yet among the strategies; it meets all of them."""
        known = (self._known.genomes == self._parent).all(axis=1).any()
        return self._number % (self._steps + 1) == self._steps and not known

    def ask(self) -> Question:
        """The parent and its mutants against the mixture, or a response against all strategies."""
        if self._entering:
            candidates, opponents = self._parent[None], self._known.genomes
        else:
            born = mutants(self._problem, np.tile(self._parent, (self._mutants, 1)), self._number)
            candidates, opponents = np.concatenate([born, self._parent[None]]), self._known.genomes[self._weights > 0]
        self._candidates = candidates
        pairs = every_meeting(len(candidates), len(opponents))
        return Question(np.concatenate([candidates, opponents]), pairs)

    def tell(self, wins: Floats) -> None:
        """Take the best mutant unless the parent is better; or solve the game of all strategies anew."""
        if self._entering:
            self._known = self._known.joined(self._parent[None], wins[None])
            self._weights = equilibrium(self._known.wins)
            self._parent = self.champion
        else:
            scores = wins.reshape(len(self._candidates), -1) @ self._weights[self._weights > 0]
            self._parent = self._candidates[int(scores.argmax())]
        self._number += 1

    @property
    def champion(self) -> Bytes:
        """The strategy with the largest weight in the mixture."""
        champion: Bytes = self._known.genomes[int(self._weights.argmax())]
        return champion
