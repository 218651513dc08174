"""Generations whose better half survives: a knockout, a round robin, and lexicase selection."""

from __future__ import annotations

from pigevo.benchmark.algorithms import ALGORITHMS
from pigevo.benchmark.breeding import SIZE, Generational
from pigevo.benchmark.protocol import Problem
from pigevo.evolution.operators import Selection, as_operator
from pigevo.evolution.selection import knockout as pairing
from pigevo.evolution.selection import lexicase as operators
from pigevo.evolution.selection import truncation


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
        super().__init__(problem, pairing.Knockout(), size, rate, stay)


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
        selection = as_operator("selection", truncation.round_robin)
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
