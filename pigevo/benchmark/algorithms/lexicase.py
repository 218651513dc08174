"""Lexicase: whoever is left when opponents, in a random order, sieve out all but the best against them."""

from __future__ import annotations

from pigevo.benchmark.algorithms import ALGORITHMS
from pigevo.benchmark.breeding import SIZE, Generational
from pigevo.benchmark.protocol import Problem
from pigevo.evolution.operators import Selection, as_operator
from pigevo.evolution.selection import lexicase as operators


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
