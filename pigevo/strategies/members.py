"""The decisions of a population, without the memory that all of them take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pigevo.arrays import Bytes
from pigevo.strategies.grid import CubeGrid


@dataclass(frozen=True, eq=False)
class Members:
    """The decisions of a population, told for those members that are asked for: all at once may be too many.

    Args:
        grid: where the genomes live.
        genomes: zeros and ones, shape (n, genes).
    """

    grid: CubeGrid
    genomes: Bytes

    @property
    def dtype(self) -> np.dtype[Any]:
        """That of the decisions."""
        return np.dtype(np.uint8)

    def __len__(self) -> int:
        return len(self.genomes)

    def __getitem__(self, which: Any) -> Bytes:
        if isinstance(which, int | np.integer):
            one: Bytes = self.grid.to_tables(self.genomes[which][None])[0]
            return one
        return self.grid.to_tables(self.genomes[which])
