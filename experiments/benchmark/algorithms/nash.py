"""Algorithms that solve the game of all strategies they know: Nash memory, and policy-space response oracles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog

from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.evolution.evaluation import every_pair, ranking

from ..breeding import SIZE, children, every_meeting, mutants
from ..protocol import Problem, Question
from . import ALGORITHMS


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
        chosen = np.sort(np.concatenate([np.flatnonzero(weights > 0), idle]))
        self._memory, self._weights = joined.only(chosen), weights[chosen]
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


@dataclass(frozen=True, eq=False)
class Payoffs:
    """Genomes, shape (n, genes), and what row won against column, shape (n, n), a half on the diagonal."""

    genomes: Bytes
    wins: Floats

    @staticmethod
    def of(genome: Bytes) -> Payoffs:
        """A single strategy."""
        return Payoffs(genome[None], np.full((1, 1), 0.5))

    def __len__(self) -> int:
        return len(self.genomes)

    def joined(self, newer: Bytes, against: Floats, among: Floats | None = None) -> Payoffs:
        """These and some more: `against` is what the newer ones won against these, `among` against each other."""
        within = np.full((len(newer), len(newer)), 0.5) if among is None else among
        wins = np.block([[self.wins, 1 - against.T], [against, within]])
        return Payoffs(np.concatenate([self.genomes, newer]), wins)

    def only(self, which: Ints) -> Payoffs:
        """Some of them, by their numbers."""
        return Payoffs(self.genomes[which], self.wins[np.ix_(which, which)])


SMALLEST = 1e-7
"""Weights below it are rounding."""


def equilibrium(wins: Floats) -> Floats:
    """The weights of strategies in a mixture that wins most against whichever of them does best against it.

    `wins` are those of row against column, (i, j) and (j, i) adding up to 1. There may be several such mixtures; it is
    a vertex of their set.
    """
    n = len(wins)
    weights_and_value = np.append(np.zeros(n), -1.0)
    never_less = np.column_stack([-wins.T, np.ones(n)])  # value - sum_i weight_i * wins[i, j] <= 0 for each j
    one = np.append(np.ones(n), 0.0)[None]
    solution = linprog(
        weights_and_value, never_less, np.zeros(n), one, [1.0], bounds=[(0, None)] * n + [(None, None)], method="highs"
    )
    rounded = np.where(solution.x[:n] > SMALLEST, solution.x[:n], 0.0)
    weights: Floats = rounded / rounded.sum()
    return weights
