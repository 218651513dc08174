"""Populations of named strategies, in turn until the population is full.

On a coarse grid a strategy becomes the genome nearest to it: the majority of each cuboid.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from pigevo.arrays import Bytes
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.populations.random import Size
from pigevo.evolution.registries import POPULATIONS
from pigevo.registry import Filled, Within
from pigevo.strategies import CubeGrid, parse_strategy

Names = Annotated[Sequence[str], Filled("[hold_at:20]")]
Values = Annotated[Sequence[Annotated[int, Within(0)]], Filled("[15,20,25]")]


@POPULATIONS.register()
def named(grid: CubeGrid, draw: Draw, size: Size = 20, names: Names = ("hold_at:20",)) -> Bytes:
    """Strategies as they are written on the command line, shape (size, genes).

    Raises:
        InputError: no names, or one that is no strategy of this game.
    """
    import pigevo.exact  # noqa: F401  (adds `optimal` to the names)

    if not names:
        raise InputError("population.names is empty: give at least one strategy, as in population.names=[hold_at:20].")
    genomes = grid.from_strategies([parse_strategy(name, grid.game) for name in names])
    return genomes[np.arange(size) % len(names)]


@POPULATIONS.register(source="Exeter 2016, section 3.4.5")
def hold_at(grid: CubeGrid, draw: Draw, size: Size = 20, values: Values = (10, 15, 20, 25, 30)) -> Bytes:
    """`hold_at` strategies of several values, shape (size, genes)."""
    return named(grid, draw, size, [f"hold_at:{n}" for n in values])


@POPULATIONS.register(source="Exeter 2016, section 3.4.5")
def score(grid: CubeGrid, draw: Draw, size: Size = 20, values: Values = (10, 15, 20, 25, 30)) -> Bytes:
    """`score` strategies of several values, shape (size, genes)."""
    return named(grid, draw, size, [f"score:{n}" for n in values])


@POPULATIONS.register(source="Exeter 2016, section 4.2")
def optimal(grid: CubeGrid, draw: Draw, size: Size = 20) -> Bytes:
    """Copies of the optimal strategy, shape (size, genes)."""
    return named(grid, draw, size, ["optimal"])
