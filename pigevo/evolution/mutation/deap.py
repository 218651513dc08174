"""Mutation by one of DEAP's operators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pigevo.core.arrays import Bytes
from pigevo.evolution.operators import Context
from pigevo.evolution.registries import MUTATORS


def _complete(options: dict[str, Any]) -> dict[str, Any]:
    from pigevo.evolution.deap_adapter import complete

    return complete("mut", options, given=1, own=("indpb",))


def _uses(options: Mapping[str, Any]) -> tuple[str, ...]:
    from pigevo.evolution.deap_adapter import takes

    given = "indpb" in (options["arguments"] or {})
    return ("mutation",) if takes(options["operator"], "indpb") and not given else ()


@MUTATORS.register(source="DEAP, deap.tools.mut*", complete=_complete, uses=_uses)
def deap(
    genomes: Bytes,
    context: Context,
    operator: str = "mutFlipBit",
    arguments: Mapping[str, Any] | None = None,
) -> Bytes:
    """Genomes changed by the operator.

    Args:
        genomes: zeros and ones, shape (n, genes).
        context: with the draw that seeds the operator, and the rate, the probability that a gene flips:
            it is the operator's `indpb`, if it has one and `arguments` gives none.
        operator: its name in `deap.tools`, as `mutFlipBit` or `mutShuffleIndexes`.
        arguments: its arguments beside the genome.
    """
    from pigevo.evolution.deap_adapter import ENOUGH_GENES, Individual, genomes_of, operator_of, rehearse, seeded, takes

    given = ({"indpb": context.rate} if takes(operator, "indpb") else {}) | dict(arguments or {})
    if genomes.shape[1] < ENOUGH_GENES:
        rehearse("mut", operator, given, 1, genomes.shape[1])
    mutate = operator_of("mut", operator, given, given=1)
    with seeded(context.draw):
        return genomes_of((mutate(Individual.of(genome))[0] for genome in genomes), genomes.shape, operator)
