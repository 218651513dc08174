"""An archive of past champions, so that co-evolution does not go round in circles.

The champion of a generation is its best member by the run's own judge: no oracle is asked.
Their ages grow geometrically: many of late, a few of long ago.  Champions of late alone are
all alike, and what they decide where they never come has never been selected; a child who
lures them there beats them all, and loses to those of long ago.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pigevo.arrays import Bytes, Ints
from pigevo.evolution.offers import Look, Memory
from pigevo.games import Race

NAME, BORN = "archive", "archive_born"


def remember_champion(memory: Memory, look: Look, every: int, size: int) -> Mapping[str, NDArray[Any]]:
    """Enter the best member every so often; one leaves when there are more than `size` (`thinned`).

    Args:
        memory: of the run.
        look: the generation.
        every: generations between two entries.
        size: the archive's places.
    """
    if NAME in memory and look.generation % every:
        return {}
    newest = np.packbits(look.grid.to_tables(look.best[None])[0])[None]
    past = memory[NAME] if NAME in memory else newest[:0]
    born = np.append(memory.get(BORN, np.empty(0, np.int64)), look.generation)
    kept = thinned(look.generation + every - born, size)
    return {NAME: np.concatenate([past, newest])[kept], BORN: born[kept]}


def thinned(ages: Ints, size: int) -> Ints:
    """Which members stay when there are more than `size`: their ages grow from each to the next by like factors.

    Args:
        ages: of the members, descending, above 0.
        size: how many may stay; the newest does, and where there is room the oldest.
    """
    kept = np.arange(len(ages))
    while len(kept) > size:
        left = ages[kept]
        gaps = np.log(left[:-2] / left[2:])
        kept = np.delete(kept, 1 + int(gaps.argmin())) if len(kept) > 2 else kept[1:]
    return kept


def champions(game: Race, memory: Memory) -> Bytes:
    """The archive's decisions, the oldest first, shape (m, own, turn total, opponent)."""
    if NAME not in memory:
        return np.empty((0, *game.shape), np.uint8)
    packed = memory[NAME]
    return np.unpackbits(packed, axis=1, count=game.target**3).reshape(len(packed), *game.shape)
