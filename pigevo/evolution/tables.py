"""Tables of decisions, in the form that operators use and in the form that the engine and the simulator use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pigevo.core.arrays import Bools, Bytes, Ints, Tables, read_only
from pigevo.core.memory import PIECE
from pigevo.games import Game
from pigevo.strategies import CubeGrid, Members


def _refuse(self: Unread, *_: Any, **__: Any) -> Any:
    raise TypeError(f"{type(self).__name__} is no array: {self.reading}.")


class Unread:
    """Base class of what stands for an array that is too large to be made at once, and is never taken for one.

    Comparisons, arithmetic, iteration and numpy's functions are refused with the way to read it.  Only an operator that
    is declared `lazy` is passed such an object.
    """

    reading = ""
    """How the contents are read."""

    __hash__ = object.__hash__
    __array__ = __array_ufunc__ = __array_function__ = __iter__ = __contains__ = __invert__ = __neg__ = _refuse
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __add__ = __sub__ = __mul__ = __truediv__ = __floordiv__ = __mod__ = __pow__ = __matmul__ = _refuse
    __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = __rpow__ = __rmatmul__ = _refuse
    __and__ = __or__ = __xor__ = __rand__ = __ror__ = __rxor__ = _refuse

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"{type(self).__name__} has no {name}: {self.reading}.")


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


@dataclass(frozen=True, eq=False)
class LazyTables(Unread):
    """The decisions of a population, not computed yet, because all together may not fit into memory."""

    reading = "`layout` and `simulation_layout` of pigevo.evolution.tables give its decisions"

    grid: CubeGrid
    genomes: Bytes

    def __len__(self) -> int:
        return len(self.genomes)


def tables_of(grid: CubeGrid, genomes: Bytes) -> Bytes | Members:
    """The decisions of genomes: an array, or `Members`, which computes parts of it, if it is larger than a `PIECE`."""
    few = len(genomes) * grid.game.cells <= PIECE
    return grid.to_tables(genomes) if few else Members(grid, genomes)


def parents(given: Bytes | Chosen) -> tuple[Bytes, Ints]:
    """An array of genomes that contains the parents, for kernels, and the index of each parent in it."""
    rows, which = (given.rows, given.which) if isinstance(given, Chosen) else (given, np.arange(len(given)))
    return read_only(np.ascontiguousarray(rows)), np.ascontiguousarray(which)


def layout(tables: Bools | LazyTables, game: Game) -> Tables:
    """Decisions in the form that the exact engine reads, from the tables that a fitness is passed, (n, *game.shape).

    The result is contiguous bytes in the layout of the game: in a race (n, own, turn total, opponent) instead of (n,
    own, opponent, turn total).  Tables that already have this layout in memory are not copied.
    """
    return tables_of(tables.grid, tables.genomes) if isinstance(tables, LazyTables) else simulation_layout(tables, game)


def simulation_layout(tables: Bools | LazyTables, game: Game) -> Tables:
    """Decisions in the form that the simulator reads: like `layout`, but of `LazyTables` no array is made."""
    if isinstance(tables, LazyTables):
        return Members(tables.grid, tables.genomes)
    return np.ascontiguousarray(tables.transpose(0, *(axis + 1 for axis in game.layout))).view(np.uint8)


def unlaid(tables: Bytes, game: Game) -> Bools:
    """Decisions in the form that a fitness is passed, shape (n, *game.shape), from decisions in the game's layout."""
    seen: Bools = tables.transpose(0, *(int(axis) + 1 for axis in np.argsort(game.layout))).view(np.bool_)
    return seen
