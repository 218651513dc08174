"""The crossover of Exeter 2016: what both parents agree on stays, the rest is a coin."""

from __future__ import annotations

import numpy as np

from pigevo.core.arrays import Bytes
from pigevo.evolution.operators import Context
from pigevo.evolution.registries import CROSSOVERS
from pigevo.evolution.tables import parents

COMPILED_FROM = 2**16
"""Genes below which it does not pay to load the compiled loop."""


@CROSSOVERS.register(source="Exeter 2016, section 3.4.3")
def agree_or_random(first: Bytes, second: Bytes, context: Context) -> Bytes:
    """One child of each pair of parents: what both agree on it has too, and a coin decides every other gene.

    Args:
        first: one parent of each child, shape (children, genes).
        second: the other ones.
        context: with the draw that decides the genes on which they disagree, each fairly and by itself.

    Returns:
        The children, shape (children, genes).
    """
    size = first.shape[0] * first.shape[1]
    if size < COMPILED_FROM:
        return np.where(context.draw.bits(*first.shape), second, first)
    from pigevo.evolution.gene_kernels import choose_by_coins

    children = np.empty(first.shape, np.uint8)
    choose_by_coins(*parents(first), *parents(second), context.draw.place, children)
    return children
