"""Tables of decisions, in the form that operators use and in the form that the engine and the simulator use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pigevo.core.arrays import Bools, Bytes, Ints, Tables, Unread, read_only
from pigevo.games import Game
from pigevo.strategies import Members


@dataclass(frozen=True, eq=False)
class Chosen(Unread):
    """Rows of an array, gathered only when they are read: like `rows[which]`, but without its memory."""

    reading = "rows[:] gathers its rows into an array, and rows[part] some of them"

    rows: Bytes
    which: Ints

    @staticmethod
    def of(rows: Bytes | Chosen, which: Ints) -> Chosen:
        """Choose rows of an array, or of rows that were already chosen."""
        return Chosen(rows.rows, rows.which[which]) if isinstance(rows, Chosen) else Chosen(rows, which)

    @property
    def shape(self) -> tuple[int, int]:
        """The shape of the gathered array."""
        return len(self.which), self.rows.shape[1]

    def __len__(self) -> int:
        return len(self.which)

    def __getitem__(self, part: Any) -> Bytes:
        gathered: Bytes = self.rows[self.which[part]]
        return gathered


def parents(given: Bytes | Chosen) -> tuple[Bytes, Ints]:
    """An array of genomes that contains the parents, for kernels, and the index of each parent in it."""
    rows, which = (given.rows, given.which) if isinstance(given, Chosen) else (given, np.arange(len(given)))
    return read_only(np.ascontiguousarray(rows)), np.ascontiguousarray(which)


def layout(tables: Bools | Members, game: Game) -> Tables:
    """Decisions in the form that the exact engine and the simulator read: `Members`, or contiguous bytes.

    The bytes are in the layout of the game: in a race (n, own, turn total, opponent) instead of (n, own, opponent, turn
    total).  Tables that already have this layout in memory are not copied.
    """
    if isinstance(tables, Members):
        return tables
    return np.ascontiguousarray(tables.transpose(0, *(axis + 1 for axis in game.layout))).view(np.uint8)


def unlaid(tables: Bytes, game: Game) -> Bools:
    """Decisions in the form that a fitness is passed, shape (n, *game.shape), from decisions in the game's layout."""
    seen: Bools = tables.transpose(0, *(int(axis) + 1 for axis in np.argsort(game.layout))).view(np.bool_)
    return seen
