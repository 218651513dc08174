"""Mutation by one of DEAP's operators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pigevo.arrays import Bytes
from pigevo.dice import Draw
from pigevo.evolution.registries import MUTATORS


def _complete(options: dict[str, Any]) -> dict[str, Any]:
    from pigevo.evolution.deap_adapter import complete

    return complete("mut", options, given=1, own=("indpb",))


@MUTATORS.register(source="DEAP, deap.tools.mut*", complete=_complete)
def deap(
    genomes: Bytes,
    rate: float,
    draw: Draw,
    operator: str = "mutFlipBit",
    arguments: Mapping[str, Any] | None = None,
) -> Bytes:
    """Genomes changed by the operator.

    Args:
        genomes: zeros and ones, shape (n, genes).
        rate: the probability that a gene flips; it is the operator's `indpb`, if it has one
            and `arguments` gives none.
        draw: seeds the operator.
        operator: its name in `deap.tools`, as `mutFlipBit` or `mutShuffleIndexes`.
        arguments: its arguments beside the genome.
    """
    from pigevo.evolution.deap_adapter import Individual, genomes_of, operator_of, seeded, takes

    own = {"indpb": rate} if takes(operator, "indpb") else {}
    mutate = operator_of("mut", operator, own | dict(arguments or {}), given=1)
    with seeded(draw):
        return genomes_of((mutate(Individual.of(genome))[0] for genome in genomes), genomes, operator)
