"""Recombination of all parents at once: what is lucky in one of them is averaged away, what is good in most stays."""

from __future__ import annotations

import numpy as np

from pigevo.arrays import Bytes
from pigevo.evolution.holds import genomes_of, holds_of
from pigevo.evolution.operators import Context
from pigevo.evolution.registries import CROSSOVERS
from pigevo.evolution.tables import parents


@CROSSOVERS.register(source="genetic repair: Beyer 1995, Evolutionary Computation 3; (mu/mu, lambda)")
def intermediate(first: Bytes, second: Bytes, context: Context) -> Bytes:
    """Children whose roll/hold boundary is the mean of all parents', rounded up or down by chance so that none is lost.

    Args:
        first: one parent of each child, shape (n, genes).
        second: the other ones; a parent counts as often as it is one.
        context: with the draw that decides the rounding.
    """
    grid, children = context.grid, len(first)
    if 0 in first.shape:
        return np.zeros(first.shape, np.uint8)
    total = np.zeros(())
    for given in (first, second):
        rows, which = parents(given)
        used, counts = np.unique(which, return_counts=True)
        total = total + np.tensordot(counts, holds_of(grid, rows[used]), axes=1)
    mean = total / (2 * children)
    up = context.draw.uniforms(children * mean.size).reshape(children, *mean.shape)
    return genomes_of(grid, np.floor(mean + up).astype(np.int64))
