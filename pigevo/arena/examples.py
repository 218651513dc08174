"""Small matches, by which the compiled games are compared with their plain twin."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pigevo.arena.dice_kernels import reader
from pigevo.arena.tables import pack
from pigevo.dice import Die
from pigevo.games import Pig, Piglet
from pigevo.games.board import board_of
from pigevo.games.two_dice import TwoDice

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


def examples_on_board() -> Iterator[tuple[Any, ...]]:
    """Arguments of `play_on_board`: decisions, and chances of rolling, in a game in which scores fall."""
    board = board_of(TwoDice(TARGET, sides=3, allow_pass=True))
    arrays = board.begin, board.leads, np.linspace(2**60, 2**64 - 2**60, len(board.leads)).astype(np.uint64)
    arrays += board.hold, board.follow, board.partner
    cells = np.arange(1, 1 + 2 * np.prod(board.rows)).reshape(2, *board.rows)
    place = 3, *map(np.uint64, (7, 2**62 + 1, 5))
    for decisions, paired in ((cells % 7 > 0).astype(np.uint8), False), ((1 + cells % 5) / 5, True):
        yield decisions, *arrays, board.opening, np.array([[0, 1], [1, 0]]), GAMES, 0, 2 * GAMES, 40, *place, paired
