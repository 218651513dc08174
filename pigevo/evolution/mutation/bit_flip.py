"""Bit-flip mutation: each gene flips with the same probability."""

from __future__ import annotations

from pigevo.arrays import Bytes
from pigevo.dice import Draw
from pigevo.evolution.registries import MUTATORS


@MUTATORS.register(source="Exeter 2016, section 3.4.3")
def bit_flip(genomes: Bytes, rate: float, draw: Draw) -> Bytes:
    """Genomes of which each gene was flipped, by itself, with probability `rate`.

    Args:
        genomes: zeros and ones, shape (n, genes).
        rate: the probability that a gene flips.
        draw: decides which ones.
    """
    flipped = genomes.copy()
    flipped.reshape(-1)[draw.positions(genomes.size, rate)] ^= 1
    return flipped
