"""A strategy on disk: one bit a cell, or a probability, with the game it is for and a format version."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path

import numpy as np

from pigevo.errors import InputError
from pigevo.files import read_arrays, write_arrays
from pigevo.games import game_from_record, game_to_record
from pigevo.strategies.strategy import Strategy

FORMAT = 2
"""Of mixed strategies, and of games other than one-die races, which format 1 does not know."""


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
    arrays = read_arrays(path, "strategy")
    if "pigevo_strategy" not in arrays or not ("bits" in arrays or "chances" in arrays):
        raise InputError(f"{path} is no strategy of pigevo: save one with Strategy.save.")
    try:
        record = json.loads(str(arrays["pigevo_strategy"]))
        if record["format"] > FORMAT:
            raise InputError(f"{path} was written by a later pigevo (format {record['format']}): update pigevo.")
        game = game_from_record(record["game"])
        if "chances" in arrays:
            return Strategy(game, arrays["chances"], name=str(record["name"]))
        cells = math.prod(game.shape)
        if arrays["bits"].size != -(-cells // 8):
            raise InputError(f"{path} is no strategy of pigevo, or it is damaged.")
        bits = np.unpackbits(arrays["bits"], count=cells)
        return Strategy(game, bits.astype(np.bool_).reshape(game.shape), name=str(record["name"]))
    except InputError:
        raise
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is no strategy of pigevo, or it is damaged.") from error
