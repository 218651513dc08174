"""A strategy on disk: one bit a cell, or a probability, with the game it is for and a format version."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import TypedDict

import numpy as np

from pigevo.archives import archive
from pigevo.files import write_arrays
from pigevo.games import GameRecord, game_from_record, game_to_record
from pigevo.strategies.strategy import Strategy

FORMAT = 2
"""Of mixed strategies, and of games other than one-die races, which format 1 does not know."""


class Record(TypedDict):
    """What the file says beside the bits."""

    game: GameRecord
    name: str


def save_strategy(strategy: Strategy, path: str | os.PathLike[str]) -> Path:
    """Write `strategy` to `path` (an `.npz`) in one step."""
    game, mixed = game_to_record(strategy.game), strategy.is_mixed
    record = {"format": 1 if "gains" in game and not mixed else FORMAT, "game": game, "name": strategy.name}
    decisions = {"chances": np.array(strategy.roll)} if mixed else {"bits": np.packbits(strategy.roll)}
    arrays = {"pigevo_strategy": np.array(json.dumps(record)), **decisions}
    return write_arrays(path, arrays)


def load_strategy(path: str | os.PathLike[str]) -> Strategy:
    """Read a strategy that `Strategy.save` wrote.

    Raises:
        InputError: no such file, no strategy, damaged, or written by a later pigevo.
    """
    with archive(path, "strategy") as file:
        record: Record = file.record("pigevo_strategy", Record, FORMAT)
        game = game_from_record(record["game"])
        if "chances" in file.names:
            return Strategy(game, file.array("chances", np.float64, game.shape), name=record["name"])
        bits = file.bits("bits", math.prod(game.shape))
        return Strategy(game, bits.astype(np.bool_).reshape(game.shape), name=record["name"])
