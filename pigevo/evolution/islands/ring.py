"""Islands in a ring."""

from __future__ import annotations

import numpy as np

from pigevo.arrays import Ints
from pigevo.evolution.migration import Islands
from pigevo.evolution.registries import ISLANDS


@ISLANDS.register(name="ring", source="Tanese 1989; Cantú-Paz 1998")
class Ring(Islands):
    """Islands that evolve by themselves; each sends migrants to the next one, and the last to the first.

    Migrants are copies.  They come in the places of as many children, at most of all, and are neither crossed nor
    mutated before they have been evaluated where they are.

    Args:
        count: how many islands; each has as many members.
        interval: generations between two migrations.
        migrants: how many members an island sends to each neighbour.
        who: its best by the run's own fitness, or drawn at random.
    """

    @property
    def roads(self) -> Ints:
        """From each to the next; one alone has no neighbour."""
        islands = np.arange(self.count if self.count > 1 else 0)
        return np.stack([islands, (islands + 1) % self.count], axis=1)
