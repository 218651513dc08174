"""The result of MAP-Elites: a map over two behaviours with the best strategy of each cell that was reached."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, TypeVar

from pigevo.core.array_names import Bytes, Floats, Ints
from pigevo.core.imports import numpy as np
from pigevo.errors import InputError
from pigevo.games.game_record import GameRecord, game_from_record, game_to_record
from pigevo.strategies.grid import CubeGrid
from pigevo.strategies.strategy import Strategy

if TYPE_CHECKING:
    from pigevo.storage.records import ArrayArchive

T = TypeVar("T")

FORMAT = 1


class MapRecord(TypedDict):
    """The record in the file, beside the arrays."""

    game: GameRecord
    cube_size: list[int]
    behaviours: list[str]
    shape: list[int]
    spans: list[list[float]]


@dataclass(frozen=True, eq=False)
class EliteMap:
    """The best strategy of each cell of a map.

    Args:
        grid: the cube grid of the genomes.
        behaviours: the names of the two axes.
        shape: the number of cells along each axis.
        spans: the smallest and the largest value on each axis; values outside belong to the cell at the edge.
        genomes: the genomes of the m elites, shape (m, genes).
        places: each elite's cell as indices along both axes, shape (m, 2), sorted.
        measures: each elite's behaviours, shape (m, 2).
        wins: each elite's exact win probability against the optimal strategy, shape (m,).

    Example:
        >>> import pigevo
        >>> run = pigevo.evolve("illuminate", "debug=fast", "game.target=9", "figures=none")
        >>> elites = run.elite_map
        >>> elites.strategy(*elites.places[0]) == elites.grid.strategy(elites.genomes[0])
        True
        >>> round(elites.coverage, 6) == round(len(elites.genomes) / (20 * 21), 6)
        True
    """

    grid: CubeGrid
    behaviours: tuple[str, str]
    shape: tuple[int, int]
    spans: tuple[tuple[float, float], ...]
    genomes: Bytes
    places: Ints
    measures: Floats
    wins: Floats

    @property
    def coverage(self) -> float:
        """The share of cells that have an elite."""
        return len(self.wins) / (self.shape[0] * self.shape[1])

    @property
    def qd_score(self) -> float:
        """The sum of all elites' win probabilities (Pugh, Soros & Stanley 2016, Frontiers in Robotics and AI 3)."""
        return float(self.wins.sum())

    @property
    def table(self) -> Floats:
        """The win probability of each cell's elite, NaN where there is none, shape `shape`."""
        wins = np.full(self.shape, np.nan)
        wins[tuple(self.places.T)] = self.wins
        return wins

    def edges(self, axis: int) -> Floats:
        """The boundaries of the cells along an axis."""
        return np.linspace(*self.spans[axis], self.shape[axis] + 1)

    def index(self, x: int, y: int) -> int:
        """The index of a cell's elite.

        Raises:
            InputError: the cell does not exist or has no elite.
        """
        if not (0 <= x < self.shape[0] and 0 <= y < self.shape[1]):
            raise InputError(
                f"there is no cell {x},{y}: the map has cells 0,0 to {self.shape[0] - 1},{self.shape[1] - 1}."
            )
        matches = np.flatnonzero((self.places == (x, y)).all(axis=1))
        if not len(matches):
            near = np.abs(self.places - (x, y)).sum(axis=1).argmin()
            raise InputError(
                f"the cell {x},{y} has no elite; {self.places[near, 0]},{self.places[near, 1]} is the nearest."
            )
        return int(matches[0])

    def strategy(self, x: int, y: int, name: str = "") -> Strategy:
        """The elite of a cell, given by its indices along both axes."""
        return self.grid.strategy(self.genomes[self.index(int(x), int(y))], name or f"cell {x},{y}")

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the map to an `.npz` file atomically; `load_elite_map` reads it."""
        from pigevo.storage.records import write_arrays

        return write_arrays(path, self.arrays)

    @property
    def arrays(self) -> dict[str, np.ndarray]:
        """The map as arrays by name, as in its file."""
        record = {
            "format": FORMAT, "game": game_to_record(self.grid.game), "cube_size": self.grid.edges,
            "behaviours": self.behaviours, "shape": self.shape, "spans": self.spans,
        }  # fmt: skip
        arrays = {"places": self.places, "measures": self.measures, "wins": self.wins}
        bits = np.packbits(self.genomes, axis=1)
        return {"pigevo_elites": np.array(json.dumps(record)), "bits": bits, **arrays}

    @staticmethod
    def of(arrays: Mapping[str, np.ndarray]) -> EliteMap:
        """The map from the `arrays` of an `archive.npz`.

        Raises:
            InputError: the arrays are not those of a map, or were written by a later pigevo.
        """
        from pigevo.storage.records import arrays_in_memory

        with arrays_in_memory(arrays, "archive.npz", "map of elites") as members:
            return _read(members)


def load_elite_map(path: str | os.PathLike[str]) -> EliteMap:
    """Read the map that a run with `selection=map_elites` wrote: `archive.npz` in its folder.

    Raises:
        InputError: the file does not exist, is not a map, is damaged, or was written by a later pigevo.

    Example:
        >>> import tempfile
        >>> import pigevo
        >>> from pigevo.strategies import load_elite_map
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     run = pigevo.evolve(
        ...         "illuminate", "debug=fast", "game.target=9", "figures=none", folder=folder + "/run")
        ...     load_elite_map(folder + "/run/archive.npz").qd_score == run.elite_map.qd_score
        True
    """
    from pigevo.storage.records import archive

    with archive(path, "map of elites") as file:
        return _read(file)


def _read(members: ArrayArchive) -> EliteMap:
    from pigevo.storage.records import Damaged

    record: MapRecord = members.record("pigevo_elites", MapRecord, FORMAT)
    grid = CubeGrid(game_from_record(record["game"]), record["cube_size"])
    shape, spans = _two(record["shape"]), _two(record["spans"])
    genomes = members.bits("bits", grid.genes, rows=-1)
    count = len(genomes)
    places = members.array("places", np.int64, [count, 2])
    if count and not ((places >= 0) & (places < shape)).all():
        raise Damaged("a cell lies outside the map")
    measures, wins = members.array("measures", np.float64, [count, 2]), members.array("wins", np.float64, [count])
    edges = tuple((float(low), float(high)) for low, high in spans)
    return EliteMap(grid, _two(record["behaviours"]), shape, edges, genomes, places, measures, wins)


def _two(values: Sequence[T]) -> tuple[T, T]:
    first, second = values
    return first, second
