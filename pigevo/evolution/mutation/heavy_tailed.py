"""Mutation with a number of flips from a power law: mostly one or two, now and then very many."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from pigevo.core.arrays import Bytes
from pigevo.core.checked_values import Within
from pigevo.core.portable_math import power
from pigevo.evolution.operators import Context
from pigevo.evolution.registries import MUTATORS

Exponent = Annotated[float, Within(1, 10, above=True)]


@MUTATORS.register(source="Doerr, Le, Makhmara & Nguyen 2017, Fast genetic algorithms, GECCO")
def heavy_tailed(genomes: Bytes, context: Context, exponent: Exponent = 1.5) -> Bytes:
    """Genomes of which each has an expected number of flips of its own, `m` with chance proportional to `m^-exponent`.

    `m` is at most half of the genes; each gene then flips by itself with probability `m / genes`.

    Args:
        genomes: zeros and ones, shape (n, genes).
        context: with the draw that decides how many, and which ones.
        exponent: of the power law.
    """
    (n, genes), draw = genomes.shape, context.draw
    if not genes:  # a game to 1 asks nothing
        return genomes.copy()
    chances = np.cumsum(power(np.arange(1.0, max(1, genes // 2) + 1), -exponent))
    expected = 1 + np.searchsorted(chances, draw.at(part=1).uniforms(n) * chances[-1], side="right")
    changed = genomes.copy()
    for number, flips in enumerate(expected.tolist()):
        changed[number, draw.at(pair=number).positions(genes, flips / genes)] ^= 1
    return changed
