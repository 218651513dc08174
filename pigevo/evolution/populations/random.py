"""A population of random genomes."""

from __future__ import annotations

from typing import Annotated

from pigevo.arrays import Bytes
from pigevo.dice import Draw
from pigevo.evolution.registries import POPULATIONS
from pigevo.registry import Within
from pigevo.strategies import CubeGrid

Size = Annotated[int, Within(2, 5000)]


@POPULATIONS.register(name="random", source="Exeter 2016, section 3.4.5")
def random_population(grid: CubeGrid, draw: Draw, size: Size = 20) -> Bytes:
    """Genomes whose genes are fair coins, shape (size, genes)."""
    return draw.bits(size, grid.genes)
