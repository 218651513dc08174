"""Bit-flip mutation: each gene flips with the same probability."""

from __future__ import annotations

from pigevo.core.arrays import Bytes
from pigevo.core.portable_math import log1m
from pigevo.dice import enough
from pigevo.evolution.operators import Context
from pigevo.evolution.registries import MUTATORS

COMPILED_FROM = 2**13
"""Flips below which it does not pay to load the compiled loop."""


@MUTATORS.register(source="Exeter 2016, section 3.4.3", uses=("mutation",))
def bit_flip(genomes: Bytes, context: Context) -> Bytes:
    """Genomes of which each gene was flipped, by itself, with the context's rate.

    Args:
        genomes: zeros and ones, shape (n, genes).
        context: with the rate, the probability that a gene flips, the draw, and whether to work in place.
    """
    flipped = genomes if context.in_place and genomes.flags.carray else genomes.copy()
    genes = flipped.reshape(-1)
    if context.rate >= 1 or genes.size * context.rate < COMPILED_FROM or not _flip_compiled(genes, context):
        genes[context.draw.positions(genes.size, context.rate)] ^= 1
    return flipped


def _flip_compiled(genes: Bytes, context: Context) -> bool:
    """Flip the same genes in one pass, or none where rounding might decide which."""
    from pigevo.evolution.gene_kernels import flip_after_gaps

    count = enough(genes.size, context.rate)
    return bool(flip_after_gaps(context.draw.place, count, float(1 / log1m(context.rate)), genes))
