"""The champion of a generation, as it is kept: its genome, one bit a gene."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pigevo.evolution.loop import Generation
from pigevo.strategies import CubeGrid, Strategy


@dataclass(frozen=True)
class Champion:
    """The best member of a generation by the run's own fitness.

    Args:
        generation: the number of the generation.
        grid: where its genome lives.
        bits: its genome, eight genes a byte.
    """

    generation: int
    grid: CubeGrid
    bits: bytes

    @staticmethod
    def of(generation: Generation, member: int) -> Champion:
        """The member of a generation with this index."""
        return Champion(generation.number, generation.grid, np.packbits(generation.genomes[member]).tobytes())

    @property
    def strategy(self) -> Strategy:
        """What it does."""
        genome = np.unpackbits(np.frombuffer(self.bits, np.uint8), count=self.grid.genes)
        return self.grid.strategy(genome, f"generation {self.generation}")
