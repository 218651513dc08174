"""Replacements, which choose the members that stay in the next generation beside the children.

Exeter 2016 does not say which replacement it used; it may be either of the first two.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from pigevo.core.arrays import Bytes
from pigevo.core.checked_values import Within
from pigevo.core.registry import Registry
from pigevo.errors import InputError
from pigevo.evolution.evaluation import ranking
from pigevo.evolution.operators import Context, Replacement, State, lazy
from pigevo.evolution.population import Chosen

REPLACEMENTS = Registry("replacement", 2)


@REPLACEMENTS.register()
@lazy
def offspring(survivors: Bytes | Chosen, context: Context) -> Bytes:
    """No survivor stays: the next generation consists of children; if half survive, each pair has four children."""
    return survivors[:0]


@REPLACEMENTS.register()
@lazy
def survivors_and_offspring(survivors: Bytes | Chosen, context: Context) -> Bytes:
    """All survivors stay unchanged; children fill the other places."""
    return survivors[:]


@REPLACEMENTS.register(name="elites", source="De Jong 1975")
@dataclass(frozen=True)
class Elites(Replacement):
    """The best members of the population stay unchanged, selected or not; children fill the other places.

    A stochastic selection may lose the best member, and a mutation may make it worse; elites are protected from both.

    Args:
        elites: number of members that stay, below the size of the population; the selection stream breaks ties.
    """

    elites: Annotated[int, Within(0, 10_000)] = 1

    def remember(self, genomes: Bytes, context: Context) -> State:
        """Remember the genomes of the best members, and the size of their cubes."""
        best = ranking(context.scores, context.draw)[: self.elites]
        return {"elites": genomes[best], "edges": np.array(context.grid.edges)}

    @lazy
    def __call__(self, survivors: Bytes | Chosen, context: Context) -> Bytes:
        """The genomes of the elites."""
        if self.elites >= max(2, size := len(context.scores)):
            raise InputError(
                f"replacement.elites = {self.elites} leaves no place for a child in a population of {size}: "
                f"it must be below population.size."
            )
        if "elites" not in context.state:
            return survivors[:0]
        best, edges = context.state["elites"], tuple(context.state["edges"].tolist())
        if edges == context.grid.edges:
            return best.copy()
        return replace(context.grid, size=edges).refine(best, context.grid)


@REPLACEMENTS.register(name="immigrants", source="Grefenstette 1992, PPSN II")
@dataclass(frozen=True)
class Immigrants(Elites):
    """A share of each population are random immigrants; elites stay, and children fill the other places.

    The genes of immigrants are fair coins, as with population=random.  Immigrants are neither crossed nor mutated
    before they have been evaluated once.

    Args:
        share: the share of immigrants in the population, rounded; they take at most the places that elites leave.
    """

    share: Annotated[float, Within(0, 1)] = 0.1

    def arrivals(self, places: int, context: Context) -> Bytes:
        """The genomes of the immigrants."""
        count = min(places, round(self.share * len(context.scores)))
        return context.draw.at(pair=2).bits(count, context.grid.genes)
