"""Solutions on disk, with everything that the certificate needs."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any, NotRequired, TypedDict

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.errors import InputError
from pigevo.games import GameRecord, Race, game_from_record, game_to_record
from pigevo.storage.array_files import Damaged, archive, write_arrays
from pigevo.three_player.equilibria import Equilibrium, OpenOrbit
from pigevo.three_player.rules import check_three, decision_states, shape, won_values
from pigevo.three_player.solver import ThreeSolution
from pigevo.three_player.strategy import MIXED, Strategy

FORMAT = 2
RECORD = "pigevo_three_player"

WIN_ONLY = {"places": [1.0, 0.0, 0.0]}
STUDY = "pigevo bonnet2018 --rewards"


class EquilibriumRecord(TypedDict):
    """An `Equilibrium` as plain values."""

    turns: list[int]
    weights: list[float]
    lines: list[list[float]]
    bust: list[float]
    values: list[list[float]]


class OrbitRecord(TypedDict):
    """An `OpenOrbit` as plain values."""

    needs: list[int]
    turns: list[int]
    equilibria: list[EquilibriumRecord]


class ThreePlayerRecord(TypedDict):
    """The record in the file, beside the arrays."""

    game: GameRecord
    name: str
    open_orbits: list[OrbitRecord]
    rewards: NotRequired[dict[str, Any]]  # written while the package solved games with other rewards


def save(solution: ThreeSolution, path: str | os.PathLike[str]) -> Path:
    """Write a solution atomically; at target 100 the file has about 30 MB.

    Args:
        solution: the solution.
        path: the file, an `.npz`.

    Returns:
        The file.

    Raises:
        InputError: the path cannot be written to.

    Example:
        >>> import tempfile
        >>> import pigevo
        >>> from pigevo import three_player as tp
        >>> solution = tp.solve(pigevo.Pig(target=5))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     tp.save(solution, folder + '/five.npz').name
        'five.npz'
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
        "bits": np.packbits(strategy.decisions[decision_states(strategy.game)] == 1),
        "codes": strategy.codes,
        "chances": strategy.chances,
        "values": solution.values[1:, 1:, 1:],
    }
    return write_arrays(path, arrays)


def load(path: str | os.PathLike[str]) -> ThreeSolution:
    """Read a solution written by `save`; its certificate checks whether the values are right.

    Args:
        path: the file.

    Raises:
        InputError: the file is missing or damaged, is not a solution for a win alone, or was written by a later pigevo.

    Example:
        >>> import tempfile
        >>> import pigevo
        >>> from pigevo import three_player as tp
        >>> solution = tp.solve(pigevo.Pig(target=5))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     again = tp.load(tp.save(solution, folder + '/five.npz'))
        >>> bool((again.values == solution.values).all())
        True
    """
    with archive(path, "three-player solution") as file:
        record: ThreePlayerRecord = file.record(RECORD, ThreePlayerRecord, FORMAT)
        if record.get("rewards", WIN_ONLY)["places"] != WIN_ONLY["places"]:
            raise InputError(f"{path} was solved for other rewards than a win: `{STUDY}` solves that again.")
        game = game_from_record(record["game"])
        if not isinstance(game, Race):
            raise InputError(f"three players cannot play {game}")
        check_three(game)
        target, cells = game.target, decision_states(game)
        decisions = np.zeros(shape(game), np.uint8)
        decisions[cells] = file.bits("bits", int(cells.sum()))
        codes, chances = file.array("codes", np.int64, [None]), file.array("chances", np.float64, [None])
        decisions.reshape(-1)[codes] = MIXED
        strategy = Strategy(game, decisions, codes, chances, record["name"])
        values = np.moveaxis(won_values(target), 0, -1).copy()
        values[1:, 1:, 1:] = file.array("values", np.float64, [target, target, target, 3])
        if not np.isfinite(values).all():
            raise Damaged("a value is not a number")
        opened = tuple(_orbit_from_record(one) for one in record["open_orbits"])
        return ThreeSolution(strategy, values, opened)


def _orbit_to_record(orbit: OpenOrbit) -> dict[str, Any]:
    equilibria = [
        asdict(one) | {"lines": one.lines.tolist(), "values": one.values.tolist()} for one in orbit.equilibria
    ]
    return {"needs": orbit.needs, "turns": orbit.turns, "equilibria": equilibria}


def _orbit_from_record(record: OrbitRecord) -> OpenOrbit:
    equilibria = tuple(
        Equilibrium(tuple(one["turns"]), tuple(one["weights"]), _table(one["lines"], 4), tuple(one["bust"]),
                    _table(one["values"], 3))
        for one in record["equilibria"]
    )  # fmt: skip
    if not equilibria:
        raise Damaged("an orbit has no equilibrium")
    a, b, c = record["needs"]
    return OpenOrbit((a, b, c), tuple(record["turns"]), equilibria)


def _table(rows: list[list[float]], width: int) -> Floats:
    """A row for each of three players."""
    return np.array(rows, dtype=np.float64).reshape(3, width)
