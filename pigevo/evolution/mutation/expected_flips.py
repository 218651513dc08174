"""Mutation by an expected number of flips, whatever the length of the genome."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from pigevo.core.arrays import Bytes
from pigevo.core.checked_values import Within
from pigevo.evolution.operators import Context
from pigevo.evolution.registries import MUTATORS

Flips = Annotated[float, Within(0, 10**6, above=True)]


@MUTATORS.register(source="Mühlenbein 1992, PPSN II; no copies: Carvalho Pinto & Doerr 2018")
def expected_flips(genomes: Bytes, context: Context, flips: Flips = 1.0) -> Bytes:
    """Genomes of which each gene was flipped with the probability that makes `flips` of them.

    One without any flip has one random gene flipped: a copy would be evaluated for nothing.

    Args:
        genomes: zeros and ones, shape (n, genes).
        context: with the draw that decides which ones.
        flips: the expected number of flips in a genome, before copies are changed.
    """
    n, genes = genomes.shape
    flipped = genomes.copy()
    if not genomes.size:  # a game to 1 asks nothing
        return flipped
    places = context.draw.positions(genomes.size, min(1.0, flips / genes))
    flipped.reshape(-1)[places] ^= 1
    copies = np.setdiff1d(np.arange(n), places // genes)
    gene = (context.draw.at(part=1).uniforms(n)[copies] * genes).astype(np.int64)
    flipped[copies, gene] ^= 1
    return flipped
