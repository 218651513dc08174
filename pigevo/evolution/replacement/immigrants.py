"""Immigrants: a part of each population is made anew at random."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pigevo.core.arrays import Bytes
from pigevo.core.checked_values import Within
from pigevo.evolution.operators import Context
from pigevo.evolution.registries import REPLACEMENTS
from pigevo.evolution.replacement.elites import Elites


@REPLACEMENTS.register(name="immigrants", source="Grefenstette 1992, PPSN II")
@dataclass(frozen=True)
class Immigrants(Elites):
    """A share of each population are random strangers, who keep it diverse; elites stay, children fill the rest.

    Strangers have fair coins as genes, like population=random, and are neither crossed nor mutated before they have
    been evaluated once.

    Args:
        elites: how many stay, fewer than the population has; ties by the selection stream.
        share: of the population, rounded, which strangers are; they have at most the places that elites leave.
    """

    share: Annotated[float, Within(0, 1)] = 0.1

    def arrivals(self, places: int, context: Context) -> Bytes:
        """The strangers."""
        count = min(places, round(self.share * len(context.scores)))
        return context.draw.at(pair=2).bits(count, context.grid.genes)
