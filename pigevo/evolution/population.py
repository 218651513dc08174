"""Populations: genomes and decisions as arrays, first populations, and replacements, which choose members that stay.

On a coarse grid a strategy of a first population becomes the nearest genome: each gene is the majority in its cube.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from inspect import Parameter
from typing import Annotated

import numpy as np

from pigevo.core.arrays import Bools, Bytes, Ints, Tables, Unread, read_only
from pigevo.core.checked_values import Filled, StrategyName, Within
from pigevo.core.registry import Registry
from pigevo.errors import InputError
from pigevo.evolution.evaluation import ranking
from pigevo.evolution.operators import Context, Remembered, Replacement, lazy
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

    def __getitem__(self, part: slice | Ints) -> Bytes:
        gathered: Bytes = self.rows[self.which[part]]
        return gathered


def parent_rows(given: Bytes | Chosen) -> tuple[Bytes, Ints]:
    """An array of genomes that contains the parents, for kernels, and the index of each parent in it."""
    rows, which = (given.rows, given.which) if isinstance(given, Chosen) else (given, np.arange(len(given)))
    return read_only(np.ascontiguousarray(rows)), np.ascontiguousarray(which)


def to_layout(tables: Bools | Members, game: Game) -> Tables:
    """Decisions in the form that the exact engine and the simulator read: `Members`, or contiguous bytes.

    The bytes are in the layout of the game: in a race (n, own, turn total, opponent) instead of (n, own, opponent, turn
    total).  Tables that already have this layout in memory are not copied.
    """
    if isinstance(tables, Members):
        return tables
    if tables.dtype != np.bool_ or tables.shape[1:] != game.shape:
        raise InputError(
            f"decisions of strategies are booleans of shape (n, {', '.join(map(str, game.shape))}), not {tables.dtype} "
            f"of shape {tables.shape}."
        )
    decisions = np.ascontiguousarray(tables.transpose(0, *(axis + 1 for axis in game.layout))).view(np.uint8)
    # A view of other numbers as booleans has bytes that are neither 0 nor 1, which kernels do not expect.
    return decisions if decisions.max(initial=0) <= 1 else (decisions != 0).view(np.uint8)


def decisions_of(tables: Bytes, game: Game) -> Bools:
    """Decisions in the form that a fitness is passed, shape (n, *game.shape), from decisions in the game's layout."""
    decisions: Bools = tables.transpose(0, *(int(axis) + 1 for axis in np.argsort(game.layout))).view(np.bool_)
    return decisions


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
HoldValues = Annotated[Sequence[Annotated[int, Within(0)]], Filled("[15,20,25]")]


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
def hold_at(size: int, context: Context, values: HoldValues = (10, 15, 20, 25, 30)) -> Bytes:
    """`hold_at` strategies with several values, in turn, shape (size, genes)."""
    return named(size, context, [f"hold_at:{n}" for n in values])


@POPULATIONS.register(source="Exeter 2016, section 3.4.5")
def score(size: int, context: Context, values: HoldValues = (10, 15, 20, 25, 30)) -> Bytes:
    """`score` strategies with several values, in turn, shape (size, genes)."""
    return named(size, context, [f"score:{n}" for n in values])


@POPULATIONS.register(source="Exeter 2016, section 4.2")
def optimal(size: int, context: Context) -> Bytes:
    """Copies of the optimal strategy, shape (size, genes)."""
    return named(size, context, ["optimal"])


REPLACEMENTS = Registry("replacement", 2)


@REPLACEMENTS.register()
@lazy
def offspring(survivors: Bytes | Chosen, context: Context) -> Bytes:
    """No survivor stays: the next generation consists of children; if half survive, each pair has four children."""
    return survivors[:0]


@REPLACEMENTS.register()
@lazy
def survivors_and_offspring(survivors: Bytes | Chosen, context: Context) -> Bytes:
    """All survivors stay unchanged; children fill the rest."""
    return survivors[:]


@REPLACEMENTS.register(name="elites", source="De Jong 1975")
@dataclass(frozen=True)
class Elites(Replacement):
    """The best members of the population stay unchanged, selected or not; children fill the rest.

    A stochastic selection may lose the best member, and a mutation may make it worse; elites are protected from both.

    Args:
        elites: number of members that stay, below the size of the population; the selection stream breaks ties.
    """

    elites: Annotated[int, Within(0, 10_000)] = 1

    def remember(self, genomes: Bytes, context: Context) -> Remembered:
        """Remember the genomes of the best members, and the size of their cubes."""
        best = ranking(context.scores, context.draw)[: self.elites]
        return {"elites": genomes[best], "edges": np.array(context.grid.edges)}

    @lazy
    def __call__(self, survivors: Bytes | Chosen, context: Context) -> Bytes:
        """The genomes of the elites."""
        if self.elites >= max(2, size := len(context.scores)):
            raise InputError(
                f"replacement.elites = {self.elites} leaves no place for a child in a population of {size}: "
                f"it must be below {size}."
            )
        if "elites" not in context.state:
            return survivors[:0]
        best, edges = context.state["elites"], tuple(context.state["edges"].tolist())
        if edges == context.grid.edges:
            return best.copy()
        return replace(context.grid, size=edges).refine(best, context.grid)


@REPLACEMENTS.register(name="immigrants", source="Grefenstette 1992, PPSN II")
@dataclass(frozen=True)
class Immigrants(Elites):
    """A share of each population are random immigrants; elites stay, and children fill the rest.

    The genes of immigrants are fair coins, as with population=random.  Immigrants are neither crossed nor mutated
    before they have been evaluated once.

    Args:
        share: the share of immigrants in the population, rounded; they take at most what the elites leave.
    """

    share: Annotated[float, Within(0, 1)] = 0.1

    def arrivals(self, slots: int, context: Context) -> Bytes:
        """The genomes of the immigrants."""
        count = min(slots, round(self.share * len(context.scores)))
        return context.draw.at(pair=2).bits(count, context.grid.genes)
