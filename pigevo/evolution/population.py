"""Populations: genomes and decisions as arrays, and first populations, random or of named strategies in turn.

On a coarse grid a strategy becomes the nearest genome: each gene is the majority in its cube.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from inspect import Parameter
from typing import Annotated, Any

import numpy as np

from pigevo.core.arrays import Bools, Bytes, Ints, Tables, Unread, read_only
from pigevo.core.checked_values import Filled, StrategyName, Within
from pigevo.core.registry import Registry
from pigevo.evolution.operators import Context
from pigevo.games import Game
from pigevo.strategies import Members, parse_strategy


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


SIZE = Parameter("size", Parameter.KEYWORD_ONLY, default=20, annotation=Annotated[int, Within(2, 10_000)])
"""The size, which every population has as an option."""

POPULATIONS = Registry("population", 2, common=[SIZE])


@POPULATIONS.register(name="random", source="Exeter 2016, section 3.4.5")
def random_population(size: int, context: Context) -> Bytes:
    """Genomes whose genes are fair coins, shape (size, genes).

    Args:
        size: number of genomes.
    """
    return context.draw.bits(size, context.grid.genes)


Names = Annotated[Sequence[Annotated[str, StrategyName()]], Filled("[hold_at:20]")]
Values = Annotated[Sequence[Annotated[int, Within(0)]], Filled("[15,20,25]")]


@POPULATIONS.register()
def named(size: int, context: Context, names: Names = ("hold_at:20",)) -> Bytes:
    """Named strategies in turn, shape (size, genes).

    Args:
        size: number of genomes.
        names: the strategies, written as on the command line.
    """
    grid = context.grid
    genomes = grid.from_strategies([parse_strategy(name, grid.game) for name in names])
    return genomes[np.arange(size) % len(names)]


@POPULATIONS.register(source="Exeter 2016, section 3.4.5")
def hold_at(size: int, context: Context, values: Values = (10, 15, 20, 25, 30)) -> Bytes:
    """`hold_at` strategies with several values, in turn, shape (size, genes)."""
    return named(size, context, [f"hold_at:{n}" for n in values])


@POPULATIONS.register(source="Exeter 2016, section 3.4.5")
def score(size: int, context: Context, values: Values = (10, 15, 20, 25, 30)) -> Bytes:
    """`score` strategies with several values, in turn, shape (size, genes)."""
    return named(size, context, [f"score:{n}" for n in values])


@POPULATIONS.register(source="Exeter 2016, section 4.2")
def optimal(size: int, context: Context) -> Bytes:
    """Copies of the optimal strategy, shape (size, genes)."""
    return named(size, context, ["optimal"])
