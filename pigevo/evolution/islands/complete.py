"""Islands of which every two are neighbours."""

from __future__ import annotations

import numpy as np

from pigevo.arrays import Ints
from pigevo.evolution.migration import Islands
from pigevo.evolution.registries import ISLANDS


@ISLANDS.register(name="complete", source="Cantú-Paz 1998")
class Complete(Islands):
    """Islands as in `islands=ring`, but every island sends migrants to every other.

    Args:
        count: how many islands; each has as many members.
        interval: generations between two migrations.
        migrants: how many members an island sends to each neighbour.
        who: its best by the run's own fitness, or drawn at random.
    """

    @property
    def roads(self) -> Ints:
        """From each to each other."""
        return np.argwhere(~np.eye(self.count, dtype=bool))
