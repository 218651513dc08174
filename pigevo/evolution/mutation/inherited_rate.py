"""Bit-flip mutation with a rate that is part of each individual: self-adaptation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pigevo.core.arrays import Bytes, Floats, Ints
from pigevo.core.checked_values import Within
from pigevo.core.portable_math import exp, log
from pigevo.evolution.mutation.one_fifth import LARGEST
from pigevo.evolution.operators import Context, Mutation, State
from pigevo.evolution.registries import MUTATORS
from pigevo.games import Game

RATES = "rates"


@MUTATORS.register(name="inherited_rate", source="Bäck 1992, PPSN II; the rule: Bäck & Schütz 1996", uses=("mutation",))
@dataclass(frozen=True)
class InheritedRate(Mutation):
    """Each individual carries a rate of its own, which is inherited, mutated, and then used.

    The log-odds of a child's rate are the mean of its parents', and a normal number with the deviation `step` more;
    each of its genes then flips by itself with that rate.  The first population, and who comes from elsewhere, have
    the rate `mutation`.  A rate is at most a half.

    Args:
        step: the standard deviation of a change of log-odds, from parents to child.
        least: flips expected in a genome below which no rate falls.
    """

    inherits = True

    step: Annotated[float, Within(0, 10)] = 0.22
    least: Annotated[float, Within(0, 10**6, above=True)] = 1.0

    def bytes_beside(self, game: Game, size: int, pairs: int) -> int:
        """The places that might flip, where a rate is as high as can be."""
        return 24 * size * game.cells

    def __call__(self, genomes: Bytes, context: Context) -> Bytes:
        """Genomes of which each gene was flipped, by itself, with the rate of its genome."""
        (n, genes), flipped = genomes.shape, genomes.copy()
        rates = self._rates(context, context.parents) if len(context.parents) else self._first(context, n)
        highest = float(rates.max(initial=0.0))
        places = context.draw.positions(genomes.size, highest)
        thinned = context.draw.at(part=1).uniforms(len(places)) * highest < rates[places // max(1, genes)]
        flipped.reshape(-1)[places[thinned]] ^= 1
        return flipped

    def inherit(self, context: Context) -> State:
        """The rates of the new population: children have those with which they were mutated."""
        return {RATES: self._rates(context, context.parents)}

    def _rates(self, context: Context, parents: Ints) -> Floats:
        """The rate of each member that has these parents."""
        before = context.state.get(RATES, np.empty(0))
        known = self._first(context, 1) if not len(before) else np.append(before, self._first(context, 1))
        of_each = log_odds(known[np.minimum(parents, len(known) - 1)])  # -1 is the last, who has the first rate
        children = parents[:, 1] >= 0
        found = known[np.minimum(parents[:, 0], len(known) - 1)]
        noise = self.step * context.draw.at(part=2).normals(int(children.sum()))
        found[children] = self._bounded(odds(of_each[children].mean(axis=1) + noise), context)
        return found

    def _first(self, context: Context, count: int) -> Floats:
        return self._bounded(np.full(count, context.rate), context)

    def _bounded(self, rates: Floats, context: Context) -> Floats:
        return np.minimum(np.maximum(rates, self.least / max(1, context.grid.genes)), LARGEST)


def log_odds(rates: Floats) -> Floats:
    """The logarithm of the odds of rates above 0 and below 1."""
    return log(rates / (1.0 - rates))


def odds(logarithms: Floats) -> Floats:
    """The rates with these log-odds."""
    return 1.0 / (1.0 + exp(-logarithms))
