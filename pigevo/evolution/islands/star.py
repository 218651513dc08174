"""Islands around one in the middle."""

from __future__ import annotations

import numpy as np

from pigevo.arrays import Ints
from pigevo.evolution.migration import Islands
from pigevo.evolution.registries import ISLANDS


@ISLANDS.register(name="star", source="Cantú-Paz 1998")
class Star(Islands):
    """Islands as in `islands=ring`, but the first one is in the middle: it and every other send each other migrants.

    Args:
        count: how many islands; each has as many members.
        interval: generations between two migrations.
        migrants: how many members an island sends to each neighbour.
        who: its best by the run's own fitness, or drawn at random.
    """

    @property
    def roads(self) -> Ints:
        """From the first to each other, and back."""
        others = np.arange(1, self.count)
        middle = np.zeros_like(others)
        return np.concatenate([np.stack([middle, others], axis=1), np.stack([others, middle], axis=1)])
