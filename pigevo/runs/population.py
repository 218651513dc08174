"""`population.npz`: the last population of a run, one bit a gene."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TypedDict

import numpy as np

from pigevo.archives import archive
from pigevo.arrays import Bytes
from pigevo.files import write_arrays
from pigevo.games import GameRecord, game_from_record, game_to_record
from pigevo.strategies import CubeGrid

POPULATION_FILE = "population.npz"
FORMAT = 1


class Record(TypedDict):
    """What the file says beside the bits."""

    game: GameRecord
    cube_size: list[int]


def save_population(path: Path, grid: CubeGrid, genomes: Bytes, generation: int) -> None:
    """Write a population in one step.

    Args:
        path: the file.
        grid: where its genomes live.
        genomes: zeros and ones, shape (n, genes).
        generation: its number.
    """
    record = {"format": FORMAT, "game": game_to_record(grid.game), "cube_size": grid.edges, "generation": generation}
    write_arrays(path, {"pigevo_population": np.array(json.dumps(record)), "bits": np.packbits(genomes, axis=1)})


def load_population(path: str | os.PathLike[str]) -> tuple[CubeGrid, Bytes]:
    """Read a run's last population.

    Returns:
        The grid of its genomes, and the genomes, shape (n, genes); `grid.strategy(genomes[0])` is the first member.

    Raises:
        InputError: no such file, no population, or damaged.
    """
    with archive(path, "population") as file:
        record: Record = file.record("pigevo_population", Record, FORMAT)
        grid = CubeGrid(game_from_record(record["game"]), record["cube_size"])
        return grid, file.bits("bits", grid.genes, rows=-1)
