"""A population of random genomes."""

from __future__ import annotations

from pigevo.core.arrays import Bytes
from pigevo.evolution.operators import Context
from pigevo.evolution.registries import POPULATIONS


@POPULATIONS.register(name="random", source="Exeter 2016, section 3.4.5")
def random_population(size: int, context: Context) -> Bytes:
    """Genomes whose genes are fair coins, shape (size, genes).

    Args:
        size: how many.
        context: with the grid of the genomes.
    """
    return context.draw.bits(size, context.grid.genes)
