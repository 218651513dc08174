"""Small matches, by which the compiled games are compared with their plain twin."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from pigevo.dice import Die
from pigevo.games import Game, Throw
from pigevo.games.board import board_of
from pigevo.simulation.dice_kernels import reader
from pigevo.simulation.tables import pack

TARGET, GAMES = 6, 40


@dataclass(frozen=True)
class Falling(Game):
    """A game whose throws bring everything that one can bring."""

    target: int = TARGET

    @property
    def throws(self) -> tuple[Throw, ...]:
        """Both ends of a turn, and two gains."""
        return Throw(0, 1 / 8, "score"), Throw(0, 1 / 4, "turn"), Throw(2, 1 / 2), Throw(3, 1 / 8)


def _words() -> tuple[Any, ...]:
    return tuple(map(np.uint64, (7, 2**62 + 1, 5)))  # generation, seed and stream


def examples() -> Iterator[tuple[Any, ...]]:
    """Arguments of `play_games`: more games than lanes, of a die and of a biased coin, with and without passing."""
    rows = np.ones((2, TARGET, TARGET, TARGET), np.uint8)
    rows[0, :, 3:] = rows[1, 2:, 2:, 1:] = 0
    passing = rows * (np.arange(TARGET) != 4)[None, :, None, None]
    pairs = np.array([[0, 1], [1, 0]])
    for tables, die in (rows, Die.of(((2, 1 / 3), (3, 1 / 3)), 1 / 3)), (passing, Die.of(((1, 0.7),), 0.3)):
        yield pack(tables), reader(die, TARGET), pairs, GAMES, 0, 2 * GAMES, 40, 3, *_words()


def examples_on_board() -> Iterator[tuple[Any, ...]]:
    """Arguments of `play_on_board`: decisions, and chances of rolling with paired dice."""
    board = board_of(Falling())
    cuts = np.linspace(2**60, 2**64 - 2**60, len(board.leads)).astype(np.uint64)
    arrays = board.begin, board.leads, cuts, board.hold, board.follow, board.partner
    cells = np.arange(1, 1 + 2 * np.prod(board.rows)).reshape(2, *board.rows)
    pairs = np.array([[0, 1], [1, 0]])
    for decisions, paired in ((cells % 7 > 0).astype(np.uint8), False), ((1 + cells % 5) / 5, True):
        yield decisions, *arrays, board.opening, pairs, GAMES, 0, 2 * GAMES, 40, 3, *_words(), paired
