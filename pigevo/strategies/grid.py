"""The cube grid: which gene decides which cells.

The array of a strategy is divided into cuboids of one size, and all cells of a cuboid
share one gene (Exeter 2016, section 3.4.4).  Whether a cell is asked depends on `i` and
`k` only, so the genes lie in rows: a row for each pair of an `i`-slice and a `k`-slice
that has an asked cell, and in it one gene for each `j`-slice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pigevo.arrays import Bools, Bytes, Ints
from pigevo.errors import InputError
from pigevo.games import Race
from pigevo.games.race import whole
from pigevo.strategies.strategy import Strategy
from pigevo.telling import told

LARGEST_SIZE = 1_000_000
"""Points along an edge; more than any target are as many as the target."""

Size = int | Sequence[int]


@dataclass(frozen=True)
class CubeGrid:
    """The cuboids of one size over the array of a game's strategies.

    Args:
        game: the game.
        size: edge lengths of a cuboid along i, j and k, in points; one number for a cube.
            Where an edge does not divide the target, or is longer, the cuboids at the far face are smaller.

    Raises:
        InputError: a size that is no whole number from 1 to `LARGEST_SIZE`, or not one or three of them.
    """

    game: Race
    size: Size = 1

    def __post_init__(self) -> None:
        sizes = tuple(self.size) if isinstance(self.size, Sequence) else (self.size,) * 3
        if len(sizes) != 3:
            raise InputError(f"a cuboid has one size or three (i, j and k), not {len(sizes)}.")
        for size in sizes:
            if not whole(size) or not 1 <= size <= LARGEST_SIZE:
                raise InputError(
                    f"a cuboid size of {told(size)} is none: it must be a whole number from 1 to {LARGEST_SIZE}."
                )
        object.__setattr__(self, "size", tuple(int(size) for size in sizes))

    @property
    def edges(self) -> tuple[int, int, int]:
        """The edge lengths along i, j and k."""
        return self.size  # type: ignore[return-value]  # made three in __post_init__

    @property
    def label(self) -> str:
        """`20`, or `20x10x5`."""
        return str(self.edges[0]) if len(set(self.edges)) == 1 else "x".join(map(str, self.edges))

    @cached_property
    def slices(self) -> tuple[int, int, int]:
        """The number of cuboids along i, j and k."""
        a, b, c = (-(-self.game.target // edge) for edge in self.edges)
        return a, b, c

    @cached_property
    def genes(self) -> int:
        """The length of a genome: cuboids with an asked cell."""
        return int(self._row_is_asked.sum()) * self.slices[1]

    def to_tables(self, genomes: Bytes) -> Bytes:
        """Decisions of genomes.

        Args:
            genomes: zeros and ones, shape `(n, genes)`.

        Returns:
            Zeros and ones, shape `(n, own, turn total, opponent)`, contiguous: what the
            exact engine and the arena read.

        Raises:
            InputError: genomes of another length.
        """
        genomes = np.asarray(genomes, dtype=np.uint8)
        if genomes.shape != (len(genomes), self.genes):
            raise InputError(f"a genome on this grid has {self.genes} genes, not {genomes.shape[-1]}.")
        target = self.game.target
        rows = np.empty((len(genomes), target, target, target), dtype=np.uint8)
        told = np.zeros((self.genes // self.slices[1] + 2, self.slices[1]), dtype=np.uint8)
        told[-1] = 1
        for genome, own in zip(genomes, rows, strict=True):
            told[:-2] = genome.reshape(-1, self.slices[1])
            by_score = np.repeat(told, min(self.edges[1], target), axis=1)[:, :target] if self.edges[1] > 1 else told
            np.take(by_score, self._row_of_cell, axis=0, out=own, mode="clip")  # another mode would copy
        return rows

    def strategy(self, genome: Bytes, name: str = "strategy") -> Strategy:
        """The strategy of one genome of shape `(genes,)`."""
        rows = self.to_tables(np.asarray(genome)[None])[0]
        return Strategy(self.game, rows.transpose(0, 2, 1).astype(np.bool_), name)

    def from_tables(self, rows: Bytes) -> Bytes:
        """The genomes nearest to given decisions: the majority of asked cells, a tie rolls.

        Args:
            rows: zeros and ones, shape `(n, own, turn total, opponent)`.

        Returns:
            Zeros and ones, shape `(n, genes)`.
        """
        asked = self.game.asked.transpose(0, 2, 1)
        rolls = self._summed(np.where(asked, rows, 0))
        cells = self._summed(np.broadcast_to(asked, rows.shape[1:])[None])
        return (2 * rolls >= cells)[:, self._row_is_asked].astype(np.uint8).reshape(len(rows), -1)

    def from_strategies(self, strategies: Sequence[Strategy]) -> Bytes:
        """The genomes nearest to given strategies, shape `(n, genes)`."""
        return np.concatenate([self.from_tables(s.table[None]) for s in strategies])

    def refine(self, genomes: Bytes, finer: CubeGrid) -> Bytes:
        """The genomes on another grid: each cuboid takes the gene that held its lowest asked cell.

        Args:
            genomes: genomes of this grid, shape `(n, genes)`.
            finer: the grid to go to; where its cuboids lie inside this one's, no decision changes.
        """
        rows = np.asarray(genomes).reshape(len(genomes), -1, self.slices[1])
        i = np.arange(finer.slices[0])[:, None] * finer.edges[0]
        k = np.arange(finer.slices[2]) * finer.edges[2]
        k = np.where(k == 0, 0 if self.game.allow_pass else min(1, self.game.target - 1), k)
        j = np.arange(finer.slices[1]) * finer.edges[1]
        source = self._row_of_cell[i, k][finer._row_is_asked]
        return np.ascontiguousarray(rows[:, source][:, :, j // self.edges[1]]).reshape(len(rows), -1)

    @cached_property
    def _row_is_asked(self) -> Bools:
        """Whether a pair of an i-slice and a k-slice has an asked cell, shape (slices i, slices k)."""
        return self._summed_ik(self.game.asked[:, 0, :]) > 0

    @cached_property
    def row_numbers(self) -> Ints:
        """Which row of genes decides an i-slice and a k-slice, -1 if none does, shape (slices i, slices k)."""
        number = np.cumsum(self._row_is_asked).reshape(self._row_is_asked.shape) - 1
        numbers = np.where(self._row_is_asked, number, -1)
        numbers.setflags(write=False)  # operators are handed the grid
        return numbers

    @cached_property
    def _row_of_cell(self) -> Ints:
        """The row of genes that decides (i, k); past the last row lie one of zeros and one of ones."""
        i, k = np.ogrid[: self.game.target, : self.game.target]
        rows = int(self._row_is_asked.sum())
        forced = np.where(i + k >= self.game.target, rows, rows + 1)
        asked = self.game.asked[:, 0, :]
        return np.where(asked, self.row_numbers[i // self.edges[0], k // self.edges[2]], forced)

    def _summed_ik(self, cells: np.ndarray) -> Ints:
        a, _, c = (np.arange(n) * edge for n, edge in zip(self.slices, self.edges, strict=True))
        return np.add.reduceat(np.add.reduceat(cells.astype(np.int64), a, axis=-2), c, axis=-1)

    def _summed(self, rows: np.ndarray) -> Ints:
        """Cells summed over each cuboid, shape (n, slices i, slices k, slices j)."""
        b = np.arange(self.slices[1]) * self.edges[1]
        by_j = np.add.reduceat(rows.astype(np.int64), b, axis=3)
        return self._summed_ik(by_j.transpose(0, 3, 1, 2)).transpose(0, 2, 3, 1)
