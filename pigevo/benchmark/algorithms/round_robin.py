"""Exeter's round robin: everyone meets everyone, and the better half survives."""

from __future__ import annotations

from pigevo.benchmark.algorithms import ALGORITHMS
from pigevo.benchmark.breeding import SIZE, Generational
from pigevo.benchmark.protocol import Problem
from pigevo.evolution.operators import Selection, as_operator
from pigevo.evolution.selection import truncation


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
