"""How a population is divided into islands, and who moves when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from pigevo.core.arrays import Ints
from pigevo.core.checked_values import Within


@dataclass(frozen=True)
class Islands:
    """Any islands; a topology says in `roads` who is whose neighbour.

    Args:
        count: how many islands; each has as many members.
        interval: generations between two migrations.
        migrants: how many members an island sends to each neighbour.
        who: its best by the run's own fitness, or drawn at random.
    """

    count: Annotated[int, Within(1, 2500)] = 5
    interval: Annotated[int, Within(1, 10**9)] = 10
    migrants: Annotated[int, Within(0, 5000)] = 1
    who: Literal["best", "random"] = "best"

    @property
    def roads(self) -> Ints:
        """From which island to which members move, shape (m, 2)."""
        return np.empty((0, 2), np.int64)

    def move_before(self, generation: int) -> bool:
        """Whether migrants come into this generation."""
        return generation % self.interval == 0
