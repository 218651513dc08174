"""Tables of decisions as operators see them, and as the engine and the arena read them."""

from __future__ import annotations

import numpy as np

from pigevo.arrays import Bools, Bytes
from pigevo.games import Game


def layout(tables: Bools, game: Game) -> Bytes:
    """Decisions as the exact engine and the arena read them; nothing is copied that was laid out so before.

    Args:
        tables: decisions as a fitness is handed them, shape (n, *game.shape): in a race (n, own, opponent, turn total).
        game: the game.

    Returns:
        The same as bytes in the layout of the game, in a race (n, own, turn total, opponent), contiguous.
    """
    return np.ascontiguousarray(tables.transpose(0, *(axis + 1 for axis in game.layout))).view(np.uint8)


def unlaid(tables: Bytes, game: Game) -> Bools:
    """Decisions as a fitness is handed them, shape (n, *game.shape), from those in the layout of the game."""
    seen: Bools = tables.transpose(0, *(int(axis) + 1 for axis in np.argsort(game.layout))).view(np.bool_)
    return seen
