"""Replacements: who of the survivors stays in the next generation, beside the children.

Exeter 2016 can mean either of the first two (it does not say which it used).
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
from pigevo.evolution.operators import Context, Replacement, State

REPLACEMENTS = Registry("replacement", 2)


@REPLACEMENTS.register()
def offspring(survivors: Bytes, context: Context) -> Bytes:
    """Nobody stays: children are the whole next generation; if half survive, each pair has four children."""
    return survivors[:0]


@REPLACEMENTS.register()
def survivors_and_offspring(survivors: Bytes, context: Context) -> Bytes:
    """All survivors stay, unchanged; children fill the rest."""
    return survivors


@REPLACEMENTS.register(name="elites", source="De Jong 1975")
@dataclass(frozen=True)
class Elites(Replacement):
    """The best of the whole population stay, unchanged and whether selected or not; children fill the rest.

    A stochastic selection may lose the best member, and a mutation spoil it: elites are safe from both.

    Args:
        elites: how many stay, fewer than the population has; ties by the selection stream.
    """

    elites: Annotated[int, Within(0, 5000)] = 1

    def remember(self, genomes: Bytes, context: Context) -> State:
        """Remember the best, and the cuboids that their genes are of."""
        best = ranking(context.scores, context.draw)[: self.elites]
        return {"elites": genomes[best], "edges": np.array(context.grid.edges)}

    def __call__(self, survivors: Bytes, context: Context) -> Bytes:
        """The elites."""
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
    """A share of each population are random immigrants; elites stay, and children fill the rest.

    Strangers have fair coins as genes, like population=random, and are neither crossed nor mutated before they have
    been evaluated once.

    Args:
        share: of the population, rounded, which strangers are; they have at most the places that elites leave.
    """

    share: Annotated[float, Within(0, 1)] = 0.1

    def arrivals(self, places: int, context: Context) -> Bytes:
        """The immigrants."""
        count = min(places, round(self.share * len(context.scores)))
        return context.draw.at(pair=2).bits(count, context.grid.genes)
