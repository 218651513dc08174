"""Exeter's knockout: members are paired at random, and the winner of each match survives."""

from __future__ import annotations

from pigevo.benchmark.algorithms import ALGORITHMS
from pigevo.benchmark.breeding import SIZE, Generational
from pigevo.benchmark.protocol import Problem
from pigevo.evolution.selection.knockout import Knockout as Selection


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
        super().__init__(problem, Selection(), size, rate, stay)
