"""Tables of decisions as operators see them, and as the engine and the simulator read them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pigevo.core.arrays import Bools, Bytes, Ints, Tables, read_only
from pigevo.core.memory import PIECE
from pigevo.games import Game
from pigevo.strategies import CubeGrid, Members


@dataclass(frozen=True, eq=False)
class Chosen:
    """Rows of an array, gathered where they are asked for: `rows[which]`, without the memory that it takes."""

    rows: Bytes
    which: Ints

    @staticmethod
    def of(rows: Bytes | Chosen, which: Ints) -> Chosen:
        """Rows of an array, or of rows that were chosen from one before."""
        return Chosen(rows.rows, rows.which[which]) if isinstance(rows, Chosen) else Chosen(rows, which)

    @property
    def shape(self) -> tuple[int, int]:
        """That of the gathered array."""
        return len(self.which), self.rows.shape[1]

    def __len__(self) -> int:
        return len(self.which)

    def __getitem__(self, part: Any) -> Bytes:
        gathered: Bytes = self.rows[self.which[part]]
        return gathered

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Bytes:
        return self[:] if dtype is None else self[:].astype(dtype, copy=False)


def tables_of(grid: CubeGrid, genomes: Bytes) -> Bytes | Members:
    """The decisions of genomes: an array, or where that would be larger than a `PIECE`, what tells parts of it."""
    few = len(genomes) * grid.game.cells <= PIECE
    return grid.to_tables(genomes) if few else Members(grid, genomes)


def parents(given: Bytes | Chosen) -> tuple[Bytes, Ints]:
    """The genomes among which parents are, for kernels, and which of them each parent is."""
    rows, which = (given.rows, given.which) if isinstance(given, Chosen) else (given, np.arange(len(given)))
    return read_only(np.ascontiguousarray(rows)), np.ascontiguousarray(which)


def layout(tables: Bools | Members, game: Game) -> Tables:
    """Decisions as the exact engine reads them, from those that a fitness is handed, shape (n, *game.shape).

    They are contiguous bytes in the layout of the game: in a race (n, own, turn total, opponent) of (n, own, opponent,
    turn total).  Nothing is copied that was laid out so before.
    """
    return tables_of(tables.grid, tables.genomes) if isinstance(tables, Members) else simulation_layout(tables, game)


def simulation_layout(tables: Bools | Members, game: Game) -> Tables:
    """Decisions as the simulator reads them: like `layout`, but members are not written out, few as they may be."""
    if isinstance(tables, Members):
        return tables
    return np.ascontiguousarray(tables.transpose(0, *(axis + 1 for axis in game.layout))).view(np.uint8)


def unlaid(tables: Bytes, game: Game) -> Bools:
    """Decisions as a fitness is handed them, shape (n, *game.shape), from those in the layout of the game."""
    seen: Bools = tables.transpose(0, *(int(axis) + 1 for axis in np.argsort(game.layout))).view(np.bool_)
    return seen
