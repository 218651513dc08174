"""Checkpoints: all that a run needs to go on, in `checkpoint.npz` and the one before it.

Random numbers are functions of the generation, so a generation's population, the logbook
and the counters are the whole state.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from pigevo.dice import STREAM_VERSION
from pigevo.errors import InputError
from pigevo.evolution.deap_adapter import Individual
from pigevo.evolution.logbook import Logbook
from pigevo.evolution.loop import State
from pigevo.files import read_arrays, write_arrays
from pigevo.runs.provenance import versions

FORMAT = 2
CHECKPOINT_FILE = "checkpoint.npz"
EARLIER_CHECKPOINT_FILE = "checkpoint.before.npz"
REFUSED_CHECKPOINT_FILE = "checkpoint.refused.npz"
MEMORY = "memory."


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


def save_checkpoint(folder: Path, config_hash: str, point: Checkpoint) -> None:
    """Write `checkpoint.npz`; once that is whole on disk, the former one becomes the one before it."""
    state, hall = point.state, point.logbook.hall
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
        "rows": list(point.logbook.rows),
    }
    arrays = {
        "pigevo_checkpoint": np.array(json.dumps(record)),
        "genomes": np.packbits(state.genomes),
        "hall": np.array([np.asarray(member) for member in hall], dtype=np.uint8),
        "hall_values": np.array([member.fitness.values[0] for member in hall], dtype=np.float64),
    }
    for kind, remembered in state.memory.items():
        arrays |= {f"{MEMORY}{kind}.{name}": array for name, array in remembered.items()}
    write_arrays(folder / CHECKPOINT_FILE, arrays, keep=folder / EARLIER_CHECKPOINT_FILE)


def load_checkpoint(folder: Path, config_hash: str) -> tuple[Checkpoint | None, list[str]]:
    """The newest checkpoint of this config that is whole.

    Returns:
        The checkpoint, or None if there is none; and a sentence for each one refused.
    """
    refused: list[str] = []
    for name in (CHECKPOINT_FILE, EARLIER_CHECKPOINT_FILE):
        if not (folder / name).exists():
            continue
        try:
            return _read(folder / name, config_hash), refused
        except InputError as error:
            refused.append(str(error))
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
    """What a checkpoint says of itself, whoever it belongs to; empty if it is none."""
    try:
        return dict(json.loads(str(read_arrays(path, "checkpoint")["pigevo_checkpoint"])))
    except (InputError, ValueError, KeyError, TypeError):
        return {}


def _read(path: Path, config_hash: str) -> Checkpoint:
    arrays = read_arrays(path, "checkpoint")
    try:
        record: dict[str, Any] = json.loads(str(arrays["pigevo_checkpoint"]))
        for key, expected in (("format", FORMAT), ("stream_version", STREAM_VERSION), ("config_hash", config_hash)):
            if record[key] != expected:
                raise InputError(f"{path} belongs to another {key.replace('_', ' ')} ({record[key]}, not {expected}).")
        size, genes = record["shape"]
        if arrays["genomes"].size != -(-size * genes // 8):
            raise ValueError("another number of genes")
        genomes = np.unpackbits(arrays["genomes"], count=size * genes).reshape(size, genes)
        logbook = Logbook()
        for row in record["rows"]:
            logbook.rows.record(**row)
        members = list(zip(arrays["hall"], arrays["hall_values"].tolist(), strict=True))
        # The worst first: a hall puts a member before its equals, so ties keep their order.
        logbook.hall.update([Individual.of(packed, value) for packed, value in reversed(members)])
        memory: dict[str, dict[str, np.ndarray]] = {}
        for place, array in arrays.items():
            if place.startswith(MEMORY):
                kind, name = place.removeprefix(MEMORY).split(".")
                memory.setdefault(kind, {})[name] = array
        state = State(
            record["generation"],
            record["wave"],
            genomes,
            record["fresh"],
            record["evaluations"],
            record["games"],
            memory,
        )
        return Checkpoint(state, logbook, float(record["seconds"]), dict(record["versions"]), bool(record["stopped"]))
    except InputError:
        raise
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is no checkpoint of pigevo, or it is damaged.") from error
