"""Bit-flip mutation: each gene flips with the same probability."""

from __future__ import annotations

from pigevo.arrays import Bytes
from pigevo.evolution.operators import Context
from pigevo.evolution.registries import MUTATORS


@MUTATORS.register(source="Exeter 2016, section 3.4.3", uses=("mutation",))
def bit_flip(genomes: Bytes, context: Context) -> Bytes:
    """Genomes of which each gene was flipped, by itself, with the context's rate.

    Args:
        genomes: zeros and ones, shape (n, genes).
        context: with the rate, the probability that a gene flips, the draw, and whether to work in place.
    """
    flipped = genomes if context.in_place and genomes.flags.carray else genomes.copy()
    flipped.reshape(-1)[context.draw.positions(genomes.size, context.rate)] ^= 1
    return flipped
