"""A strategy on disk: one bit a cell, with the game it is for and a format version."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TypedDict

import numpy as np

from pigevo.archives import archive
from pigevo.files import write_arrays
from pigevo.games import GameRecord, game_from_record, game_to_record
from pigevo.strategies.strategy import Strategy

FORMAT = 1


class Record(TypedDict):
    """What the file says beside the bits."""

    game: GameRecord
    name: str


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
        record: Record = file.record("pigevo_strategy", Record, FORMAT)
        game = game_from_record(record["game"])
        bits = file.bits("bits", game.target**3)
        return Strategy(game, bits.astype(np.bool_).reshape(game.shape), name=record["name"])
