"""Bit-flip mutation whose rate follows the one-fifth rule."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from pigevo.core.arrays import Bytes
from pigevo.core.checked_values import Within
from pigevo.evolution.mutation.bit_flip import bit_flip
from pigevo.evolution.operators import Context, Mutation, State
from pigevo.evolution.registries import MUTATORS

RATE, BEST, LARGEST = "rate", "best", 0.5


@MUTATORS.register(name="one_fifth", source="Rechenberg 1973; the factor: Schwefel 1981", uses=("mutation",))
@dataclass(frozen=True)
class OneFifth(Mutation):
    """Each gene flips by itself with a rate that rises while more than a fifth of the children succeed, and else falls.

    A child succeeds if it scores above the best of those who stayed, or of the generation before where nobody stays,
    so that with one parent who stays this is the rule as it was published.  Scores by games are partly luck, and then
    so is success.  The first rate is `mutation`.

    Args:
        success: the share of children above which the rate rises, and below which it falls.
        factor: what the rate falls by after a generation, and is divided by when it rises.
        least: flips expected in a genome below which the rate does not fall; it rises to a half of the genes.
    """

    success: Annotated[float, Within(0, 1)] = 0.2
    factor: Annotated[float, Within(0, 1, above=True)] = 0.85
    least: Annotated[float, Within(0, 10**6)] = 1.0

    def remember(self, genomes: Bytes, context: Context) -> State:
        """Judge the children of the generation that was just evaluated."""
        scores, state, kept = context.scores, context.state, len(genomes) - context.fresh
        bar = scores[:kept].max() if kept else state.get(BEST)
        rate = float(state[RATE][0]) if RATE in state else context.rate
        if RATE in state and bar is not None and context.fresh:
            succeeded = float((scores[kept:] > bar).mean())
            rate = rate / self.factor if succeeded > self.success else rate
            rate = rate * self.factor if succeeded < self.success else rate
        best = {} if kept else {BEST: scores.max(keepdims=True)}
        return {RATE: np.array([self.bounded(rate, context.grid.genes)]), **best}

    def __call__(self, genomes: Bytes, context: Context) -> Bytes:
        """Genomes of which each gene was flipped, by itself, with the rate of this generation."""
        rate = float(context.state[RATE][0]) if RATE in context.state else context.rate
        return bit_flip(genomes, replace(context, rate=self.bounded(rate, genomes.shape[1])))

    def bounded(self, rate: float, genes: int) -> float:
        """The rate that is nearest to one and lets a genome of so many genes expect enough flips, and not too many."""
        return min(LARGEST, max(rate, self.least / max(1, genes)))
