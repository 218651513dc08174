"""A solution on disk, with everything that its certificate needs."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from pigevo.archives import Archive, archive
from pigevo.errors import InputError
from pigevo.files import write_arrays
from pigevo.games import game_from_record, game_to_record
from pigevo.three_player.equilibria import Equilibrium
from pigevo.three_player.open_orbit import OpenOrbit
from pigevo.three_player.orbits import won_values
from pigevo.three_player.rules import asked, check_three, shape
from pigevo.three_player.solution import ThreeSolution
from pigevo.three_player.strategy import MIXED, Strategy

FORMAT = 1
RECORD = "pigevo_three_player"
LONGEST_RECORD = 10**8
"""Characters of a record, which holds every equilibrium of the orbits that have several."""


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
    with archive(path, "three-player solution") as file:
        record = json.loads(file.text(RECORD, LONGEST_RECORD))
        if record["format"] > FORMAT:
            raise InputError(f"{path} was written by a later pigevo (format {record['format']}): update pigevo.")
        try:
            return _read(record, file)
        except InputError as error:
            raise ValueError from error


def _read(record: dict[str, Any], file: Archive) -> ThreeSolution:
    game = game_from_record(record["game"])
    check_three(game)
    cells = asked(game)
    count = int(cells.sum())
    decisions = np.zeros(shape(game), np.uint8)
    decisions[cells] = np.unpackbits(file.array("bits", np.uint8, (-(-count // 8),)), count=count)
    codes, chances = (file.array(name, kind, (None,)) for name, kind in (("codes", np.int64), ("chances", np.float64)))
    decisions.reshape(-1)[codes] = MIXED
    strategy = Strategy(game, decisions, codes, chances, str(record["name"]))
    values = np.moveaxis(won_values(game.target), 0, -1).copy()
    values[1:, 1:, 1:] = file.array("values", np.float64, (*(game.target,) * 3, 3))
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
