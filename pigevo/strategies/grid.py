"""The cube grid: the map from genes to cells.

The array of a strategy is divided into cubes of one size, and all cells of a cube share
one gene (Exeter 2016, section 3.4.4).  Whether a cell is a decision state does not depend on the
opponent's score, which is the last axis that does not change during a turn.  So genes are
arranged in rows: one row for each combination of slices of all other axes that has a decision
state (in a race, of an `i`-slice and a `k`-slice), with one gene for each slice of the opponent's score.

`Members` are the decisions of a population, computed when they are needed to save memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from pigevo.core.array_names import Bools, Bytes, ComputedAgain, Index, Ints, Tables, Unread, read_only, refuse_masked
from pigevo.core.checked_values import is_integer
from pigevo.core.imports import numpy as np
from pigevo.core.text import short_repr
from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.games.game import DIFFERENCE, LAST_TURN, OPPONENT, OWN, ROLLS, TOTAL, require_game
from pigevo.strategies.strategy import Strategy

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

LARGEST_SIZE = 1_000_000  # the largest edge in points; an edge beyond the target counts as the target

Size = int | Sequence[int]


IN_POINTS = (OWN, OPPONENT, DIFFERENCE, LAST_TURN, TOTAL)
"""Axes measured in points. Along all other axes a cube has length 1, unless a size is given for every axis."""


@dataclass(frozen=True)
class CubeGrid(ComputedAgain):
    """Cubes of one size over the strategy array of a game.

    Args:
        game: the game.
        size: edge lengths of a cube in points: one number for a cube; three for i, j and k (an axis of score
            differences takes that of j); or one for each axis of the game. If an edge does not divide the target, or
            is longer, the cubes at the far face are smaller.

    Raises:
        InputError: an edge is not a whole number from 1 to `LARGEST_SIZE`, or the number of edges is neither one, nor
            three, nor the number of axes.

    Example:
        >>> import pigevo
        >>> grid = pigevo.CubeGrid(pigevo.Pig(), 20)
        >>> grid.genes, pigevo.CubeGrid(pigevo.Pig(), (10, 20, 5)).genes
        (75, 550)
        >>> genome = grid.from_strategies([pigevo.hold_at(pigevo.Pig(), 20)])[0]
        >>> grid.strategy(genome) == pigevo.hold_at(pigevo.Pig(), 20)
        True
    """

    game: Game
    size: Size = 1

    def __post_init__(self) -> None:
        require_game("CubeGrid", self.game)
        sizes = tuple(self.size) if isinstance(self.size, Sequence) else (self.size,) * 3
        axes = self.game.axes
        if len(sizes) not in (3, len(axes)):
            more = "" if len(axes) == 3 else f", or {len(axes)}, one for each axis of the game"
            raise InputError(f"a cube has one size or three (i, j and k){more}, not {len(sizes)}.")
        for size in sizes:
            if not is_integer(size) or not 1 <= size <= LARGEST_SIZE:
                raise InputError(f"a cube size must be an integer from 1 to {LARGEST_SIZE}, not {short_repr(size)}.")
        if len(sizes) != len(axes):
            by_name = {OWN: sizes[0], TOTAL: sizes[2]}
            sizes = tuple(by_name.get(axis.name, sizes[1]) if axis.name in IN_POINTS else 1 for axis in axes)
        object.__setattr__(self, "size", tuple(int(size) for size in sizes))

    @property
    def edges(self) -> tuple[int, ...]:
        """The edge lengths along the axes (i, j and k in a race)."""
        return self.size  # type: ignore[return-value]  # made one for each axis in __post_init__

    @property
    def label(self) -> str:
        """`20`, or `20x10x5`."""
        points = [e for e, axis in zip(self.edges, self.game.axes, strict=True) if axis.name in IN_POINTS]
        counts = {e for e, axis in zip(self.edges, self.game.axes, strict=True) if axis.name not in IN_POINTS}
        return str(points[0]) if len(set(points)) == 1 and counts <= {1} else "x".join(map(str, self.edges))

    @cached_property
    def slices(self) -> tuple[int, ...]:
        """The number of cubes along the axes."""
        return tuple(-(-size // edge) for size, edge in zip(self.game.shape, self.edges, strict=True))

    @property
    def row_genes(self) -> int:
        """The number of genes in a row, the number of cubes along the opponent's score."""
        return self.slices[len(self.game.between) - 1]

    @cached_property
    def genes(self) -> int:
        """The length of a genome, which is the number of cubes with a decision state."""
        return int(self._row_decides.sum()) * self.row_genes

    def to_tables(self, genomes: Bytes) -> Bytes:
        """Decisions of genomes, contiguous in the game's layout, as the exact engine and the simulator read them.

        They are zeros and ones; in a race the shape is `(n, own, turn total, opponent)`.
        """
        genomes = self.as_genomes(genomes)
        length = self._along_opponent[0]
        rows = np.empty((len(genomes), *self.row_of_cell.shape, length), dtype=np.uint8)
        decided = np.zeros((self.genes // self.row_genes + 2, length), dtype=np.uint8)
        decided[-1] = 1
        for genome, table in zip(genomes, rows, strict=True):
            decided[:-2] = self.decision_rows(genome[None])[0]
            np.take(decided, self.row_of_cell, axis=0, out=table, mode="clip")  # other modes would copy
        return rows

    def decision_rows(self, genomes: Bytes) -> Bytes:
        """The decisions of each row of genes for every value of the opponent's score, shape (n, rows, values)."""
        (length, edge), rows = self._along_opponent, self.rows_of(genomes)
        if edge == 1:
            return rows
        if edge in (2, 4, 8):  # all cells of a cube at once, as the bytes of a word
            word = np.dtype(f"u{edge}")
            repeated: Bytes = (rows.astype(word) * word.type(int("01" * edge, 16))).view(np.uint8)
            return repeated[..., :length]
        decisions = np.empty((*rows.shape[:2], length), np.uint8)
        if edge <= self.row_genes:  # the loop with fewer steps
            for step in range(edge):
                decisions[:, :, step::edge] = rows[:, :, : -(-(length - step) // edge)]
        else:
            for gene in range(self.row_genes):
                decisions[:, :, gene * edge : (gene + 1) * edge] = rows[:, :, gene, None]
        return decisions

    def strategy(self, genome: Bytes, name: str = "strategy") -> Strategy:
        """The strategy of one genome of shape `(genes,)`."""
        rows = self.to_tables(np.asanyarray(genome)[None])[0]
        return Strategy(self.game, self.game.from_layout(rows).astype(np.bool_), name)

    def as_genomes(self, genomes: ArrayLike) -> Bytes:
        """Genomes as bytes; refuses other numbers of genes, and other values than 0 and 1."""
        refuse_masked("genomes", genomes)
        try:
            array = np.asarray(genomes)
        except ValueError as error:  # lists of different lengths
            raise InputError(f"every genome on this grid has {self.genes} genes.") from error
        if array.ndim != 2 or array.shape[1] != self.genes:
            found = array.shape[1] if array.ndim == 2 else f"shape {array.shape} instead of (n, {self.genes})"
            raise InputError(f"a genome on this grid has {self.genes} genes, not {found}.")
        if array.dtype.kind not in "biuf" or not ((array == 0) | (array == 1)).all():
            raise InputError("a gene is 0, a hold, or 1, a roll.")
        return array.astype(np.uint8, copy=False)

    def from_tables(self, rows: Bytes) -> Bytes:
        """The genomes nearest to decisions in the game's layout: the majority in each cube decides, a tie rolls."""
        decides = self._decision_rows[..., None]
        rolls = self._summed(np.where(decides, rows, 0))
        cells = self._summed(np.broadcast_to(decides, rows.shape[1:])[None])
        return (2 * rolls >= cells)[:, self._row_decides].astype(np.uint8).reshape(len(rows), -1)

    def from_strategies(self, strategies: Sequence[Strategy]) -> Bytes:
        """The genomes nearest to given strategies, shape `(n, genes)`; mixed strategies are not allowed."""
        for strategy in strategies:
            if strategy.game.rules != self.game.rules:
                raise InputError(f"{strategy.name} plays {strategy.game}, and this grid is of {self.game}.")
            if strategy.is_mixed:
                raise InputError(f"{strategy.name} leaves decisions to chance: a gene says roll or hold.")
        return np.concatenate([self.from_tables(s.table[None]) for s in strategies])

    def refine(self, genomes: Bytes, finer: CubeGrid) -> Bytes:
        """The genomes on another grid: each cube takes the gene of its lowest decision state.

        If the cubes of the finer grid lie inside those of this one, no decision changes.
        """
        rows = self.rows_of(np.asarray(genomes))
        lowest = []
        for axis in self._row_axes:
            at = np.arange(finer.slices[axis]) * finer.edges[axis]
            thrown = self.game.axes[axis].name in (TOTAL, ROLLS) and not self.game.allow_pass
            lowest.append(np.where(at == 0, min(1, self.game.shape[axis] - 1), at) if thrown else at)
        points = np.arange(finer.row_genes) * finer._along_opponent[1]
        source = self.row_of_cell[np.ix_(*lowest)][finer._row_decides]
        finer_genomes = np.ascontiguousarray(rows[:, source][:, :, points // self._along_opponent[1]])
        return finer_genomes.reshape(len(rows), -1)

    @property
    def _row_axes(self) -> tuple[int, ...]:
        return self.game.layout[:-1]

    @property
    def _along_opponent(self) -> tuple[int, int]:
        """The lengths of the array and of a cube along the opponent's score."""
        axis = self.game.layout[-1]
        return self.game.shape[axis], self.edges[axis]

    @cached_property
    def _decision_rows(self) -> Bools:
        """Which cells are decision states, as an array over all axes but the opponent's score."""
        decides = self.game.decision_states.transpose(self.game.layout)[..., 0]
        return np.broadcast_to(decides, [self.game.shape[axis] for axis in self._row_axes])

    @cached_property
    def _row_decides(self) -> Bools:
        """Which combinations of slices have a decision state; in a race, shape (slices i, slices k)."""
        return self._summed_rows(self._decision_rows.astype(np.int64)) > 0

    @cached_property
    def row_numbers(self) -> Ints:
        """The row of genes of each combination of slices, or -1; in a race, shape (slices i, slices k)."""
        number = np.cumsum(self._row_decides).reshape(self._row_decides.shape) - 1
        numbers = np.where(self._row_decides, number, -1)
        numbers.setflags(write=False)  # operators get the grid
        return numbers

    @cached_property
    def row_of_cell(self) -> Ints:
        """The row of genes that decides each cell, of m rows; where no gene decides, m for a hold, m + 1 for a roll."""
        rows = int(self._row_decides.sum())
        starts = self.game.starts.transpose(self.game.layout)[..., 0]
        forced = np.where(starts, rows + 1, rows)
        slices = np.ix_(*(np.arange(self.game.shape[axis]) // self.edges[axis] for axis in self._row_axes))
        numbers = np.where(self._decision_rows, self.row_numbers[slices], forced)
        numbers.setflags(write=False)  # operators get the grid
        return numbers

    @cached_property
    def is_new(self) -> Bools:
        """Whether the decisions at an own score differ from those at the score before; in a race, shape (T,)."""
        row_of_cell = self.row_of_cell
        total = np.arange(len(row_of_cell))
        differs = row_of_cell != np.roll(row_of_cell, 1, axis=0)
        return read_only((differs & (np.add.outer(total, total) < len(total))).any(axis=1))

    def rows_of(self, genomes: Bytes) -> Bytes:
        """Genomes as rows of genes, shape (n, rows, genes of a row); there may be none."""
        return genomes.reshape(len(genomes), self.genes // self.row_genes, self.row_genes)

    def _summed_rows(self, cells: np.ndarray) -> Ints:
        """Sums over the slices of the axes at the end of an array of cells."""
        for depth, axis in enumerate(reversed(self._row_axes), start=1):
            begin = np.arange(self.slices[axis]) * self.edges[axis]
            cells = np.add.reduceat(cells, begin, axis=-depth)
        return cells

    def _summed(self, rows: np.ndarray) -> Ints:
        """Sums over each cube, shape (n, slices of the other axes, slices of the opponent's score)."""
        begin = np.arange(self.row_genes) * self._along_opponent[1]
        by_slice = np.add.reduceat(rows, begin, axis=-1, dtype=np.int64)  # no temporary array of the rows' size is made
        return np.moveaxis(self._summed_rows(np.moveaxis(by_slice, -1, 1)), 1, -1)


@dataclass(frozen=True, eq=False)
class Members(Unread):
    """The decisions of a population, which may be too many for memory: computed for those members that are needed."""

    reading = "members[:] computes all decisions in the layout of the game, and members[part] some of them"

    grid: CubeGrid
    genomes: Bytes

    @property
    def dtype(self) -> np.dtype[np.uint8]:
        """The type of the decisions."""
        return np.dtype(np.uint8)

    @property
    def are_few(self) -> bool:
        """Whether the decisions of all of them may be kept in memory."""
        from pigevo.core.machine import PIECE

        return len(self.genomes) * self.grid.game.cells <= PIECE

    @cached_property
    def rows(self) -> Bytes:
        """The decisions of each row of genes of all members, kept because members meet many opponents."""
        return read_only(np.ascontiguousarray(self.grid.decision_rows(self.genomes)))

    def __len__(self) -> int:
        return len(self.genomes)

    def __getitem__(self, which: Index) -> Bytes:
        if isinstance(which, int | np.integer):
            table: Bytes = self.grid.to_tables(self.genomes[which][None])[0]
            return table
        return self.grid.to_tables(self.genomes[which])


def packed_decisions(grid: CubeGrid, genome: Bytes) -> Bytes:
    """The decisions of one genome in the game's layout, eight to a byte."""
    return np.packbits(grid.to_tables(genome[None])[0])


def unpacked_decisions(game: Game, packed: Bytes) -> Bytes:
    """The decisions, in the game's layout, of `packed_decisions` of one genome, or of many in the rows of an array."""
    decisions = np.unpackbits(packed, axis=-1, count=game.cells)
    return decisions.reshape(*packed.shape[:-1], *(game.shape[axis] for axis in game.layout))


class DecisionRows(NamedTuple):
    """Decisions of strategies in a one-die race, without repeating those of states that share genes.

    `rows`, shape (n, m, T), are decisions by the opponent's score. `row_of_cell`, shape (T, T), is the row of each own
    score and turn total: m where the rules of the game hold, m + 1 where they roll. `is_new`, shape (T,), is false for
    an own score that has the rows of the one before, wherever its turn totals do not win.
    """

    rows: Bytes
    row_of_cell: Ints
    is_new: Bools


def decision_rows(tables: Tables, which: slice | Ints | None = None) -> DecisionRows:
    """The rows of decisions of strategies, by default of all."""
    if isinstance(tables, Members):
        members = tables if which is None else Members(tables.grid, tables.genomes[which])
        return DecisionRows(members.rows, tables.grid.row_of_cell, tables.grid.is_new)
    decisions = np.ascontiguousarray(tables[slice(None) if which is None else which])
    target = decisions.shape[-1]
    cells = np.arange(target**2).reshape(target, target)
    rows = read_only(decisions.reshape(len(decisions), -1, target))
    return DecisionRows(rows, read_only(cells), read_only(np.ones(target, np.bool_)))
