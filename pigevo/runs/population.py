"""`population.npz`: the last population of a run, one bit a gene."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np

from pigevo.archives import archive
from pigevo.arrays import Bytes
from pigevo.errors import InputError
from pigevo.files import write_arrays
from pigevo.games import game_from_record, game_to_record
from pigevo.memory import refuse_more
from pigevo.strategies import CubeGrid

POPULATION_FILE = "population.npz"
FORMAT = 1


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
        record = json.loads(file.text("pigevo_population"))
        if record["format"] > FORMAT:
            raise InputError(f"{path} was written by a later pigevo (format {record['format']}): update pigevo.")
        grid = CubeGrid(game_from_record(record["game"]), record["cube_size"])
        bits = file.array("bits", np.uint8, (None, -(-grid.genes // 8)))
        refuse_more(len(bits) * grid.genes, f"{path}, unpacked,")
        return grid, np.unpackbits(bits, axis=1, count=grid.genes)
