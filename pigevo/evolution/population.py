"""First populations: random genomes, or named strategies that are repeated in turn until the population is full.

On a coarse grid a strategy becomes the nearest genome: each gene is the majority in its cube.
"""

from __future__ import annotations

from collections.abc import Sequence
from inspect import Parameter
from typing import Annotated

import numpy as np

from pigevo.core.arrays import Bytes
from pigevo.core.checked_values import Filled, StrategyName, Within
from pigevo.core.registry import Registry
from pigevo.evolution.operators import Context
from pigevo.strategies import parse_strategy

SIZE = Parameter("size", Parameter.KEYWORD_ONLY, default=20, annotation=Annotated[int, Within(2, 10_000)])
"""The size, which every population has as an option."""

POPULATIONS = Registry("population", 2, common=[SIZE])


@POPULATIONS.register(name="random", source="Exeter 2016, section 3.4.5")
def random_population(size: int, context: Context) -> Bytes:
    """Genomes whose genes are fair coins, shape (size, genes).

    Args:
        size: number of genomes.
    """
    return context.draw.bits(size, context.grid.genes)


Names = Annotated[Sequence[Annotated[str, StrategyName()]], Filled("[hold_at:20]")]
Values = Annotated[Sequence[Annotated[int, Within(0)]], Filled("[15,20,25]")]


@POPULATIONS.register()
def named(size: int, context: Context, names: Names = ("hold_at:20",)) -> Bytes:
    """Named strategies in turn, shape (size, genes).

    Args:
        size: number of genomes.
        names: the strategies, written as on the command line.
    """
    grid = context.grid
    genomes = grid.from_strategies([parse_strategy(name, grid.game) for name in names])
    return genomes[np.arange(size) % len(names)]


@POPULATIONS.register(source="Exeter 2016, section 3.4.5")
def hold_at(size: int, context: Context, values: Values = (10, 15, 20, 25, 30)) -> Bytes:
    """`hold_at` strategies with several values, in turn, shape (size, genes)."""
    return named(size, context, [f"hold_at:{n}" for n in values])


@POPULATIONS.register(source="Exeter 2016, section 3.4.5")
def score(size: int, context: Context, values: Values = (10, 15, 20, 25, 30)) -> Bytes:
    """`score` strategies with several values, in turn, shape (size, genes)."""
    return named(size, context, [f"score:{n}" for n in values])


@POPULATIONS.register(source="Exeter 2016, section 4.2")
def optimal(size: int, context: Context) -> Bytes:
    """Copies of the optimal strategy, shape (size, genes)."""
    return named(size, context, ["optimal"])
