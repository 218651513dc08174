"""Crossover by one of DEAP's operators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pigevo.arrays import Bytes
from pigevo.dice import Draw
from pigevo.evolve.registries import CROSSOVERS


@CROSSOVERS.register(source="DEAP, deap.tools.cx*")
def deap(
    first: Bytes,
    second: Bytes,
    draw: Draw,
    operator: str = "cxUniform",
    arguments: Mapping[str, Any] | None = None,
) -> Bytes:
    """One child of each pair of parents: in turn the first and the second that the operator makes.

    Args:
        first, second: the parents of each child, shape (children, genes).
        draw: seeds the operator.
        operator: its name in `deap.tools`, as `cxUniform`, `cxOnePoint` or `cxTwoPoint`.
        arguments: its arguments beside the parents.
    """
    from pigevo.evolve.deap_adapter import Individual, genomes_of, operator_of, seeded

    cross = operator_of("cx", operator, arguments, given=2)
    with seeded(draw):
        made = [cross(Individual.of(a), Individual.of(b)) for a, b in zip(first, second, strict=True)]
    if not made:
        return first.copy()
    return genomes_of([children[c % 2] for c, children in enumerate(made)], operator)
