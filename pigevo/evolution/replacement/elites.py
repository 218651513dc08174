"""Elitism: the best of the population stay, whoever was selected."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from pigevo.core.arrays import Bytes
from pigevo.core.checked_values import Within
from pigevo.errors import InputError
from pigevo.evolution.evaluation import ranking
from pigevo.evolution.operators import Context, Replacement, State
from pigevo.evolution.registries import REPLACEMENTS


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
        """The elites.

        Raises:
            InputError: nobody else would have a place.
        """
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
