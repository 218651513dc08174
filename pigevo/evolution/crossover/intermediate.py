"""Recombination of all parents at once: what is lucky in one of them is averaged away, what is good in most stays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pigevo.core.arrays import Bytes, Floats
from pigevo.core.checked_values import Within
from pigevo.evolution.hold_boundary import genomes_of, holds_of
from pigevo.evolution.operators import Context, Crossover, State
from pigevo.evolution.registries import CROSSOVERS
from pigevo.evolution.tables import Chosen, parents

MEAN = "mean"


@CROSSOVERS.register(
    name="intermediate",
    source="genetic repair, (mu/mu, lambda): Beyer 1995, Evolutionary Computation 3; averages: Polyak & Juditsky 1992",
)
@dataclass(frozen=True)
class Intermediate(Crossover):
    """Children whose roll/hold boundary is the mean of all parents', rounded up or down by chance so that none is lost.

    Args:
        keep: the share of the mean of everyone, selected or not, in generation `over` and later; before, it grows from
            0 by equal steps.  Luck is averaged over as many more generations.
        over: generations until then.
    """

    keep: Annotated[float, Within(0, 0.999)] = 0.8
    over: Annotated[int, Within(1, 10**9)] = 500

    def remember(self, genomes: Bytes, context: Context) -> State:
        """The mean boundary of everyone."""
        if not self.keep or not genomes.size:
            return {}
        return {MEAN: holds_of(context.grid, genomes).mean(axis=0)}

    def __call__(self, first: Bytes, second: Bytes, context: Context) -> Bytes:
        """Children of pairs of parents, of whom one counts as often as it is a parent, shape (n, genes)."""
        if 0 in first.shape:
            return np.zeros(first.shape, np.uint8)
        mean = mean_of(first, second, context)
        everyone = context.state.get(MEAN, mean)
        if everyone.shape == mean.shape:  # of another grid nothing is kept
            kept = self.keep * min(1.0, context.generation / self.over)
            mean = kept * everyone + (1 - kept) * mean
        up = context.draw.uniforms(len(first) * mean.size).reshape(-1, *mean.shape)
        return genomes_of(context.grid, np.floor(mean + up).astype(np.int64))


def mean_of(first: Bytes | Chosen, second: Bytes | Chosen, context: Context) -> Floats:
    """The mean boundary of parents, shape (places, lanes)."""
    total = np.zeros(())
    for given in (first, second):
        rows, which = parents(given)
        used, counts = np.unique(which, return_counts=True)
        total = total + np.tensordot(counts, holds_of(context.grid, rows[used]), axes=1)
    mean: Floats = total / (2 * len(first))
    return mean
