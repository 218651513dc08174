"""An archive of past champions, so that co-evolution does not go round in circles.

The champion of a generation is its best member by the run's own judge: no oracle is asked.
Each of the archive's places keeps its member until a newer one takes it.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pigevo.arrays import Bytes
from pigevo.evolve.offers import Look, Memory
from pigevo.games import Race

NAME = "archive"


def remember_champion(memory: Memory, look: Look, every: int, size: int) -> Mapping[str, Bytes]:
    """Enter the best member every so often; the oldest leaves when there are more than `size`.

    Args:
        memory: of the run.
        look: the generation.
        every: generations between two entries.
        size: the archive's places.
    """
    if NAME in memory and look.generation % every:
        return {}
    newest = np.packbits(look.grid.to_rows(look.best[None])[0])[None]
    past = memory[NAME] if NAME in memory else newest[:0]
    return {NAME: np.concatenate([past, newest])[-size:]}


def champions(game: Race, memory: Memory) -> Bytes:
    """The archive's decisions, the oldest first, shape (m, own, turn total, opponent)."""
    if NAME not in memory:
        return np.empty((0, *game.shape), np.uint8)
    packed = memory[NAME]
    return np.unpackbits(packed, axis=1, count=game.target**3).reshape(len(packed), *game.shape)
