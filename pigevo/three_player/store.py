"""A solution on disk, with everything that its certificate needs."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from pigevo.errors import InputError
from pigevo.files import read_arrays, write_arrays
from pigevo.games import Race, game_from_record, game_to_record
from pigevo.three_player.equilibria import Equilibrium
from pigevo.three_player.open_orbit import OpenOrbit
from pigevo.three_player.orbits import won_values
from pigevo.three_player.rules import asked, check_three, shape
from pigevo.three_player.solution import ThreeSolution
from pigevo.three_player.strategy import MIXED, Strategy

FORMAT = 1
RECORD = "pigevo_three_player"


def save(solution: ThreeSolution, path: str | os.PathLike[str]) -> Path:
    """Write a solution in one step; at target 100 the file has about 30 MB.

    Args:
        solution: the solution.
        path: the file, an `.npz`.

    Returns:
        The file.

    Raises:
        InputError: the place cannot be written.
    """
    strategy = solution.strategy
    record = {
        "format": FORMAT,
        "game": game_to_record(strategy.game),
        "name": strategy.name,
        "open_orbits": [_orbit_to_record(o) for o in solution.open_orbits],
    }
    arrays = {
        RECORD: np.array(json.dumps(record)),
        "bits": np.packbits(strategy.decisions[asked(strategy.game)] == 1),
        "codes": strategy.codes,
        "chances": strategy.chances,
        "values": solution.values[1:, 1:, 1:],
    }
    return write_arrays(path, arrays)


def load(path: str | os.PathLike[str]) -> ThreeSolution:
    """Read a solution that `save` wrote; whether its values are right, its certificate computes anew.

    Args:
        path: the file.

    Raises:
        InputError: the file is missing, damaged, no solution, or written by a later pigevo.
    """
    arrays = read_arrays(path, "three-player solution")
    try:
        record = json.loads(str(arrays[RECORD]))
        written = record["format"]
        if written <= FORMAT:
            return _read(record, arrays)
    except (InputError, ValueError, KeyError, TypeError, IndexError) as error:
        raise InputError(f"{path} is no three-player solution of pigevo, or it is damaged.") from error
    raise InputError(f"{path} was written by a later pigevo (format {written}): update pigevo.")


def _read(record: dict[str, Any], arrays: dict[str, Any]) -> ThreeSolution:
    game = game_from_record(record["game"])
    if not isinstance(game, Race):
        raise InputError(f"three players cannot play {game}.")
    check_three(game)
    cells = asked(game)
    decisions = np.zeros(shape(game), np.uint8)
    decisions[cells] = np.unpackbits(arrays["bits"], count=int(cells.sum()))
    codes = arrays["codes"].astype(np.int64)
    decisions.reshape(-1)[codes] = MIXED
    strategy = Strategy(game, decisions, codes, arrays["chances"].astype(np.float64), str(record["name"]))
    values = np.moveaxis(won_values(game.target), 0, -1).copy()
    values[1:, 1:, 1:] = arrays["values"]
    return ThreeSolution(strategy, values, tuple(_orbit_from_record(o) for o in record["open_orbits"]))


def _orbit_to_record(orbit: OpenOrbit) -> dict[str, Any]:
    found = [asdict(one) | {"lines": one.lines.tolist(), "values": one.values.tolist()} for one in orbit.equilibria]
    return {"needs": orbit.needs, "turns": orbit.turns, "equilibria": found}


def _orbit_from_record(record: dict[str, Any]) -> OpenOrbit:
    found = tuple(
        Equilibrium(tuple(one["turns"]), tuple(one["weights"]), np.array(one["lines"]), tuple(one["bust"]),
                    np.array(one["values"]))
        for one in record["equilibria"]
    )  # fmt: skip
    if not found:
        raise ValueError("an orbit without any equilibrium")
    a, b, c = record["needs"]
    return OpenOrbit((a, b, c), tuple(record["turns"]), found)
