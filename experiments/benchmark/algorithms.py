"""The reference algorithms, with pigevo's operators on arrays.

Generations whose better half survives (a knockout, a round robin, and lexicase selection); algorithms that solve the
game of all strategies they know (Nash memory, and policy-space response oracles); the (1,lambda) co-evolutionary
algorithm; past champions as opponents (a hall of fame, and an archive that works as that of
`fitness=archive fitness.exploring_starts=0`); and a single champion (random search, the baseline, and the hill
climber).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np
from scipy.optimize import linprog

from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.core.registry import Registry
from pigevo.dice import Draw
from pigevo.evolution.crossover import agree_or_random
from pigevo.evolution.evaluation import Evaluation, every_pair, ranking
from pigevo.evolution.fitness.archive import thinned
from pigevo.evolution.mutation.flips import bit_flip, expected_flips
from pigevo.evolution.operators import Context, Selection, as_operator, pair_parents
from pigevo.evolution.selection import one_round as operators
from pigevo.strategies import CubeGrid

from .protocol import REFERENCE, Problem, Question, Stream

ALGORITHMS = Registry("algorithm", given=1)
"""Classes or functions of a `Problem`, by name."""

SIZE = 20
"""The size of a population, as in Exeter 2016."""

UNKNOWN = cast(CubeGrid, None)
"""The grid passed to the operators of an algorithm, which knows no game: they must not need it."""


def context(problem: Problem, stream: Stream, number: int, **more: Any) -> Context:
    """The context of an operator at step `number` of an algorithm."""
    return Context(problem.draw(stream, number), UNKNOWN, number, **more)


def mutants(problem: Problem, genomes: Bytes, number: int) -> Bytes:
    """A mutant of each genome: each gene flips with probability 1/genes, and at least one gene flips."""
    return expected_flips(genomes, context(problem, "mutation", number))


def children(problem: Problem, survivors: Bytes, count: int, number: int, rate: float) -> Bytes:
    """Children of randomly paired survivors, as in Exeter 2016.

    They have the genes on which both parents agree, random other ones, and each gene flips with probability `rate`.
    """
    operator_context = context(problem, "crossover", number)
    first, second = pair_parents(len(survivors), count, operator_context.draw.at(part=1)).T
    made = agree_or_random(survivors[first], survivors[second], operator_context)
    return bit_flip(made, context(problem, "mutation", number, rate=rate, in_place=True))


def every_meeting(players: int, opponents: int) -> Ints:
    """The pairs in which the first rows meet all rows after them, shape (players * opponents, 2)."""
    pairs: Ints = np.indices((players, opponents)).reshape(2, -1).T + np.array([0, players])
    return pairs


class Generational:
    """A population whose members meet as a selection pairs them; the survivors' children are the next population.

    If `stay` is set survivors stay beside their children; otherwise each pair of them has four.
    """

    def __init__(self, problem: Problem, selection: Selection, size: int, rate: float | None, stay: bool) -> None:
        self._problem, self._selection, self._stay = problem, selection, stay
        self._rate = 1 / problem.genes if rate is None else rate
        self._number = 0
        self._genomes = problem.start(size)
        self._champion: Bytes = self._genomes[0]

    def ask(self) -> Question:
        """The pairs of the selection."""
        operator_context = context(self._problem, "selection", self._number)
        self._pairs = self._selection.pairs(len(self._genomes), operator_context)
        return Question(self._genomes, self._pairs)

    def tell(self, wins: Floats) -> None:
        """Make the next population."""
        evaluation = Evaluation.of_matches(len(self._genomes), self._pairs, np.stack([wins, 1 - wins], axis=1))
        operator_context = context(
            self._problem, "selection", self._number, scores=evaluation.scores, evaluation=evaluation
        )
        self._champion = self._genomes[int(evaluation.scores.argmax())]
        survivors = self._genomes[self._selection(evaluation.scores, operator_context)]
        parents = survivors if self._stay else survivors[:0]
        self._number += 1
        born = children(self._problem, survivors, len(self._genomes) - len(parents), self._number, self._rate)
        self._genomes = np.concatenate([parents, born])

    @property
    def population(self) -> Bytes:
        """The members who will meet next, shape (size, genes)."""
        return self._genomes

    @property
    def champion(self) -> Bytes:
        """The best of the population that met last, by its own results."""
        return self._champion


@ALGORITHMS.register(name="knockout", source="Exeter 2016, sections 3.4.2 and 3.4.3")
class Knockout(Generational):
    """Half survives one match each; children have what both parents agree on, a coin decides the rest, and genes flip.

    Args:
        problem: the task.
        size: members, an even number.
        rate: the probability that a gene flips; 1/genes unless said.
        stay: whether the winners stay beside their children; otherwise each pair of them has four.
    """

    def __init__(self, problem: Problem, size: int = SIZE, rate: float | None = None, stay: bool = False) -> None:
        super().__init__(problem, operators.Knockout(), size, rate, stay)


@ALGORITHMS.register(name="round_robin", source="Exeter 2016, section 3.4.1")
class RoundRobin(Generational):
    """As `knockout`, but half survives by the mean of its matches against everyone.

    Args:
        problem: the task.
        size: members.
        rate: the probability that a gene flips; 1/genes unless said.
        stay: whether survivors stay beside their children; otherwise each pair of them has four.
    """

    def __init__(self, problem: Problem, size: int = SIZE, rate: float | None = None, stay: bool = False) -> None:
        selection = as_operator("selection", operators.round_robin)
        assert isinstance(selection, Selection)
        super().__init__(problem, selection, size, rate, stay)


@ALGORITHMS.register(name="lexicase", source="Spector 2012; epsilon: La Cava, Spector & Danai 2016, GECCO")
class Lexicase(Generational):
    """Everyone meets everyone, and half survives by lexicase selection with the opponents as cases.

    Args:
        problem: the task.
        size: members.
        rate: the probability that a gene flips; 1/genes unless said.
        stay: whether survivors stay beside their children.
    """

    def __init__(self, problem: Problem, size: int = SIZE, rate: float | None = None, stay: bool = True) -> None:
        selection = as_operator("selection", operators.lexicase)
        assert isinstance(selection, Selection)
        super().__init__(problem, selection, size, rate, stay)


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
