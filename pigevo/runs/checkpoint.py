"""Checkpoints: all that a run needs to go on, in `checkpoint.npz` and the one before it.

Random numbers are functions of the generation, so a generation's population, the logbook
and the counters are the whole state.  The logbook's rows stand in `metrics.csv`: a checkpoint
says how many of them it counts on, and their hash.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from pigevo.archives import Unreadable, archive
from pigevo.dice import STREAM_VERSION
from pigevo.errors import InputError
from pigevo.evolution.deap_adapter import Individual
from pigevo.evolution.logbook import Logbook
from pigevo.evolution.loop import State
from pigevo.files import write_arrays
from pigevo.folders import place_in
from pigevo.runs.metrics import NOTHING, Written, rows_until, write_metrics
from pigevo.runs.provenance import versions

FORMAT = 3
CHECKPOINT_FILE = "checkpoint.npz"
EARLIER_CHECKPOINT_FILE = "checkpoint.before.npz"
REFUSED_CHECKPOINT_FILE = "checkpoint.refused.npz"
RECORD, MEMORY = "pigevo_checkpoint", "memory."
LONGEST_RECORD = 10**8
"""Characters of a record: that of pigevo 0.1.0 had all rows of the metrics in it."""


@dataclass(frozen=True)
class Checkpoint:
    """A run between two generations.

    Args:
        state: what the next generation is made from.
        logbook: what was recorded.
        seconds: how long it took until here.
        versions: the versions with which the run began.
        stopped: whether the run was ended here, before its plan does.
    """

    state: State
    logbook: Logbook
    seconds: float
    versions: Mapping[str, Any] = field(default_factory=versions)
    stopped: bool = False


def save_checkpoint(folder: Path, config_hash: str, point: Checkpoint, before: Written = NOTHING) -> Written:
    """Write new rows to `metrics.csv`, then `checkpoint.npz`; when it is whole, the former one is the one before it.

    Args:
        folder: the run's.
        config_hash: of its settings.
        point: what is saved.
        before: what this returned the last time: rows that are known to be in `metrics.csv` are not written again.
    """
    written = write_metrics(folder, point.logbook.rows, before)
    state, hall = point.state, point.logbook.hall
    memory = {f"{kind}.{name}": array for kind, found in state.memory.items() for name, array in found.items()}
    record = {
        "format": FORMAT,
        "config_hash": config_hash,
        "stream_version": STREAM_VERSION,
        "generation": state.generation,
        "wave": state.wave,
        "fresh": state.fresh,
        "evaluations": state.evaluations,
        "games": state.games,
        "shape": state.genomes.shape,
        "seconds": point.seconds,
        "versions": dict(point.versions),
        "stopped": point.stopped,
        "rows": written.rows,
        "rows_hash": written.chain,
        "memory": {place: [array.dtype.str, array.shape] for place, array in memory.items()},
    }
    arrays = {
        RECORD: np.array(json.dumps(record)),
        "genomes": np.packbits(state.genomes),
        "hall": np.array([np.asarray(member) for member in hall], dtype=np.uint8),
        "hall_values": np.array([member.fitness.values[0] for member in hall], dtype=np.float64),
    }
    arrays |= {f"{MEMORY}{place}": array for place, array in memory.items()}
    write_arrays(place_in(folder, CHECKPOINT_FILE), arrays, keep=place_in(folder, EARLIER_CHECKPOINT_FILE))
    return written


def load_checkpoint(folder: Path, config_hash: str) -> tuple[Checkpoint | None, list[str]]:
    """The newest checkpoint of this config that is whole.

    Returns:
        The checkpoint, or None if there is none; and a sentence for each one refused: damaged, or another's.

    Raises:
        Unreadable: one is there, and cannot be read now.
    """
    refused: list[str] = []
    for name in (CHECKPOINT_FILE, EARLIER_CHECKPOINT_FILE):
        path = folder / name
        try:
            os.lstat(path)
            return _read(path, config_hash), refused
        except FileNotFoundError:
            continue
        except Unreadable:
            raise
        except InputError as error:
            refused.append(str(error))
        except OSError as error:
            raise Unreadable(f"{path} cannot be read: {error.strerror}.") from error
    return None, refused


def nearest_state(folder: Path, config_hash: str, generation: int) -> State | None:
    """The last state in a folder's checkpoints that is not after a generation; None if there is none."""
    found: list[State] = []
    for name in (CHECKPOINT_FILE, EARLIER_CHECKPOINT_FILE):
        try:
            found.append(_read(folder / name, config_hash).state)
        except InputError:
            continue
    return max((s for s in found if s.generation <= generation), key=lambda s: s.generation, default=None)


def set_aside(folder: Path) -> None:
    """Give a refused checkpoint another name, so that the next one does not push out a good one."""
    if (folder / CHECKPOINT_FILE).exists():
        os.replace(folder / CHECKPOINT_FILE, folder / REFUSED_CHECKPOINT_FILE)


def record_of(path: Path) -> dict[str, Any]:
    """What a checkpoint says of itself, whoever it belongs to; empty if it is none.

    Raises:
        Unreadable: it is there, and cannot be read now.
    """
    try:
        with archive(path, "checkpoint") as file:
            return dict(json.loads(file.text(RECORD, LONGEST_RECORD)))
    except Unreadable:
        raise
    except InputError:
        return {}


def _read(path: Path, config_hash: str) -> Checkpoint:
    with archive(path, "checkpoint") as file:
        record: dict[str, Any] = json.loads(file.text(RECORD, LONGEST_RECORD))
        for key, expected in (("format", FORMAT), ("stream_version", STREAM_VERSION), ("config_hash", config_hash)):
            if record[key] != expected:
                raise InputError(f"{path} belongs to another {key.replace('_', ' ')} ({record[key]}, not {expected}).")
        size, genes = record["shape"]
        genomes = np.unpackbits(file.array("genomes", np.uint8, (-(-size * genes // 8),)), count=size * genes)
        logbook = Logbook()
        for row in rows_until(path.parent, record["rows"], record["rows_hash"]):
            logbook.rows.record(**row)
        values = file.array("hall_values", np.float64, (None,)).tolist()
        hall = file.array("hall", np.uint8, (len(values), None))
        # The worst first: a hall puts a member before its equals, so ties keep their order.
        logbook.hall.update([Individual.of(hall[n], values[n]) for n in reversed(range(len(values)))])
        memory: dict[str, dict[str, np.ndarray]] = {}
        for place, (dtype, shape) in record["memory"].items():
            kind, name = place.split(".")
            memory.setdefault(kind, {})[name] = file.array(f"{MEMORY}{place}", dtype, shape)
        state = State(
            record["generation"],
            record["wave"],
            genomes.reshape(size, genes),
            record["fresh"],
            record["evaluations"],
            record["games"],
            memory,
        )
        return Checkpoint(state, logbook, float(record["seconds"]), dict(record["versions"]), bool(record["stopped"]))
