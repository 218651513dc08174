"""Generations whose better half survives: a knockout, a round robin, and lexicase selection."""

from __future__ import annotations

import numpy as np

from pigevo.core.arrays import Bytes, Floats
from pigevo.evolution.evaluation import Evaluation
from pigevo.evolution.operators import Selection, as_operator
from pigevo.evolution.selection import one_round as operators

from ..breeding import SIZE, children, context
from ..protocol import Problem, Question
from . import ALGORITHMS


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
