"""Small matches, by which the compiled games are compared with their plain twin."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pigevo.arena.dice_kernels import reader
from pigevo.arena.tables import pack
from pigevo.dice import Die
from pigevo.games import Pig, Piglet

TARGET, GAMES = 6, 40


def examples() -> Iterator[tuple[Any, ...]]:
    """Arguments of `play_games`: more games than lanes, of a die and of a biased coin, with and without passing."""
    rows = np.ones((2, TARGET, TARGET, TARGET), np.uint8)
    rows[0, :, 3:] = rows[1, 2:, 2:, 1:] = 0
    pairs = np.array([[0, 1], [1, 0]])
    for game in (Pig(TARGET, sides=3), Piglet(TARGET, heads=0.7, allow_pass=True)):
        tables = pack(rows if not game.allow_pass else rows * (np.arange(TARGET) != 4)[None, :, None, None])
        dice = reader(Die.of(game.die, game.bust), TARGET)
        yield tables, dice, pairs, GAMES, 0, 2 * GAMES, 40, 3, *map(np.uint64, (7, 2**62 + 1, 5))
