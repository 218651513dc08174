"""A strategy on disk: one bit a cell, with the game it is for and a format version."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np

from pigevo.archives import archive
from pigevo.errors import InputError
from pigevo.files import write_arrays
from pigevo.games import game_from_record, game_to_record
from pigevo.strategies.strategy import Strategy

FORMAT = 1


def save_strategy(strategy: Strategy, path: str | os.PathLike[str]) -> Path:
    """Write `strategy` to `path` (an `.npz`) in one step."""
    record = {"format": FORMAT, "game": game_to_record(strategy.game), "name": strategy.name}
    arrays = {"pigevo_strategy": np.array(json.dumps(record)), "bits": np.packbits(strategy.roll)}
    return write_arrays(path, arrays)


def load_strategy(path: str | os.PathLike[str]) -> Strategy:
    """Read a strategy that `Strategy.save` wrote.

    Raises:
        InputError: no such file, no strategy, damaged, or written by a later pigevo.
    """
    with archive(path, "strategy") as file:
        if "pigevo_strategy" not in file or "bits" not in file:
            raise InputError(f"{path} is no strategy of pigevo: save one with Strategy.save.")
        record = json.loads(file.text("pigevo_strategy"))
        if record["format"] > FORMAT:
            raise InputError(f"{path} was written by a later pigevo (format {record['format']}): update pigevo.")
        game = game_from_record(record["game"])
        cells = game.target**3
        bits = np.unpackbits(file.array("bits", np.uint8, (-(-cells // 8),)), count=cells)
        return Strategy(game, bits.view(np.bool_).reshape(game.shape), name=str(record["name"]))
