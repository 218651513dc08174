"""An archive of past champions, so that co-evolution does not go round in circles.

The champion of a generation is its best member by the run's own fitness, without an oracle.
Their ages grow geometrically: many of late, a few of long ago.  Champions of late alone are
all alike, and what they decide where they never come has never been selected; a child who
lures them there beats them all, and loses to those of long ago.
"""

from __future__ import annotations

import math

import numpy as np

from pigevo.core.arrays import Bytes, Ints
from pigevo.evolution.operators import Context, State
from pigevo.games import Game

ARCHIVE, ARCHIVE_BORN = "archive", "archive_born"


def remember_champion(genomes: Bytes, context: Context, every: int, size: int) -> State:
    """Enter the best member every so often; one leaves when there are more than `size` (`thinned`)."""
    state = context.state
    if ARCHIVE in state and context.generation % every:
        return {}
    best = genomes[int(context.scores.argmax())]
    newest = np.packbits(context.grid.to_tables(best[None])[0])[None]
    past = state[ARCHIVE] if ARCHIVE in state else newest[:0]
    born = np.append(state.get(ARCHIVE_BORN, np.empty(0, np.int64)), context.generation)
    kept = thinned(context.generation + every - born, size)
    return {ARCHIVE: np.concatenate([past, newest])[kept], ARCHIVE_BORN: born[kept]}


def thinned(ages: Ints, size: int) -> Ints:
    """Which members stay when there are more than `size`: their ages grow from each to the next by like factors."""
    kept = np.arange(len(ages))
    while len(kept) > size:
        left = ages[kept]
        factors = left[:-2] / left[2:]
        kept = np.delete(kept, 1 + int(factors.argmin())) if len(kept) > 2 else kept[1:]
    return kept


def champions(game: Game, state: State) -> Bytes:
    """The archive's decisions, the oldest first, in the layout of the game."""
    laid = [game.shape[axis] for axis in game.layout]
    if ARCHIVE not in state:
        return np.empty((0, *laid), np.uint8)
    packed = state[ARCHIVE]
    return np.unpackbits(packed, axis=1, count=math.prod(game.shape)).reshape(len(packed), *laid)
