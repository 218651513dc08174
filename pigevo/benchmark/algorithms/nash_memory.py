"""Nash memory: the algorithm keeps a mixture that no strategy seen so far beats."""

from __future__ import annotations

import numpy as np

from pigevo.benchmark.algorithms import ALGORITHMS
from pigevo.benchmark.breeding import SIZE, Payoffs, children, equilibrium, every_meeting
from pigevo.benchmark.protocol import Problem, Question
from pigevo.core.arrays import Bytes, Floats
from pigevo.evolution.evaluation import every_pair, ranking


@ALGORITHMS.register(
    name="nash_memory", source="Ficici & Pollack 2003, GECCO, A game-theoretic memory mechanism for coevolution"
)
class NashMemory:
    """A population evolves against a Nash mixture; whoever beats that meets all of the memory, which is solved anew.

    The support of the mixture stays. Those who leave it are remembered, the latest of them, as long as there is room.

    Args:
        problem: the task.
        size: members of the population.
        entrants: the most who may enter at a time.
        places: of those who are remembered though they have no weight.
    """

    def __init__(self, problem: Problem, size: int = SIZE, entrants: int = 2, places: int = 10) -> None:
        self._problem, self._entrants, self._places, self._number = problem, entrants, places, 0
        self._genomes = problem.start(size)
        self._memory, self._weights = Payoffs.of(problem.start(1, 1)[0]), np.ones(1)
        self._winners: Bytes = self._genomes[:0]

    def ask(self) -> Question:
        """The population against the mixture, or those who beat it against the whole memory and each other."""
        if len(self._winners):
            among = every_pair(len(self._winners))
            pairs = np.concatenate([every_meeting(len(self._winners), len(self._memory)), among])
            return Question(np.concatenate([self._winners, self._memory.genomes]), pairs)
        support = self._memory.genomes[self._weights > 0]
        pairs = every_meeting(len(self._genomes), len(support))
        return Question(np.concatenate([self._genomes, support]), pairs)

    def tell(self, wins: Floats) -> None:
        """Breed by the results against the mixture; or let winners in."""
        if len(self._winners):
            self._enter(wins)
        else:
            self._breed(wins.reshape(len(self._genomes), -1) @ self._weights[self._weights > 0])

    def _breed(self, scores: Floats) -> None:
        size = len(self._genomes)
        order = ranking(scores, self._problem.draw("selection", self._number))
        ranked, beaten = self._genomes[order], scores[order] > 0.5
        self._winners = np.unique(ranked[: self._entrants][beaten[: self._entrants]], axis=0)
        self._number += 1
        born = children(self._problem, ranked[: size // 2], size - size // 2, self._number, 1 / self._problem.genes)
        self._genomes = np.concatenate([ranked[: size // 2], born])

    def _enter(self, wins: Floats) -> None:
        m, n = len(self._winners), len(self._memory)
        among = np.full((m, m), 0.5)
        first, second = every_pair(m).T
        among[first, second], among[second, first] = wins[m * n :], 1 - wins[m * n :]
        joined = self._memory.joined(self._winners, wins[: m * n].reshape(m, n), among)
        weights = equilibrium(joined.wins)
        idle = np.flatnonzero(weights == 0)[-self._places :]
        kept = np.sort(np.concatenate([np.flatnonzero(weights > 0), idle]))
        self._memory, self._weights = joined.only(kept), weights[kept]
        self._winners = self._winners[:0]

    @property
    def mixture(self) -> tuple[Bytes, Floats]:
        """The strategies of the mixture and their weights."""
        return self._memory.genomes[self._weights > 0], self._weights[self._weights > 0]

    @property
    def champion(self) -> Bytes:
        """The strategy with the largest weight in the mixture."""
        champion: Bytes = self._memory.genomes[int(self._weights.argmax())]
        return champion
