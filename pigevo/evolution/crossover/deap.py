"""Crossover by one of DEAP's operators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pigevo.core.arrays import Bytes
from pigevo.evolution.operators import Context
from pigevo.evolution.registries import CROSSOVERS


def _complete(options: dict[str, Any]) -> dict[str, Any]:
    from pigevo.evolution.deap_adapter import complete

    return complete("cx", options, given=2)


@CROSSOVERS.register(source="DEAP, deap.tools.cx*", complete=_complete)
def deap(
    first: Bytes,
    second: Bytes,
    context: Context,
    operator: str = "cxUniform",
    arguments: Mapping[str, Any] | None = None,
) -> Bytes:
    """One child of each pair of parents: in turn the first and the second that the operator makes.

    Args:
        first: one parent of each child, shape (children, genes).
        second: the other ones.
        context: with the draw that seeds the operator.
        operator: its name in `deap.tools`, as `cxUniform`, `cxOnePoint` or `cxTwoPoint`.
        arguments: its arguments beside the parents; the usual ones are filled in.
    """
    from pigevo.evolution.deap_adapter import ENOUGH_GENES, Individual, genomes_of, operator_of, rehearse, seeded

    if first.shape[1] < ENOUGH_GENES:
        rehearse("cx", operator, arguments or {}, 2, first.shape[1])
    cross = operator_of("cx", operator, arguments, given=2)
    with seeded(context.draw):
        made = (cross(Individual.of(first[c]), Individual.of(second[c]))[c % 2] for c in range(len(first)))
        return genomes_of(made, first.shape, operator)
