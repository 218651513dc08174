"""The die as the kernels for three players take it."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from pigevo.arrays import Floats, Ints
from pigevo.games import Race


@lru_cache(maxsize=64)
def plain_die(game: Race) -> tuple[Ints, Floats]:
    """The gains and their probabilities; all gains that reach the target are one."""
    merged: dict[int, float] = {}
    for points, chance in game.die:
        merged[min(points, game.target)] = merged.get(min(points, game.target), 0.0) + chance
    return np.array(list(merged), dtype=np.int64), np.array(list(merged.values()))
