"""Checkpoints: everything that a run needs to continue, in `checkpoint.npz` and the previous one.

Random numbers are functions of the generation, so a generation's population, the logbook and
the counters are the whole state.  The rows of the logbook are in `metrics.csv`: a checkpoint
contains their number and their hash, and likewise for `champions.csv` and `lineage.csv`.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, NotRequired, TypedDict, TypeVar

import numpy as np

import pigevo
from pigevo.core.arrays import Ints
from pigevo.core.checked_values import JsonObject, Within
from pigevo.dice import STREAM_VERSION
from pigevo.errors import InputError
from pigevo.evolution.deap_adapter import Individual
from pigevo.evolution.evaluation import Evaluation
from pigevo.evolution.lineage import Descent
from pigevo.evolution.logbook import Champion, Logbook
from pigevo.evolution.plan import State
from pigevo.exact import ENGINE_VERSION
from pigevo.runs.metrics import CHAMPIONS, LINEAGE, METRICS, NOT_WRITTEN, Written, typed_row
from pigevo.storage.files import path_in
from pigevo.storage.records import ArrayArchive, Damaged, Missing, Unreadable, archive, write_arrays

T = TypeVar("T")

FORMAT = 3
CHECKPOINT_FILE = "checkpoint.npz"
EARLIER_CHECKPOINT_FILE = "checkpoint.before.npz"
REFUSED_CHECKPOINT_FILE = "checkpoint.refused.npz"
RECORD = "pigevo_checkpoint"
MEMORY = "memory."
LINE = "line"

Count = Annotated[int, Within(0, 2**62)]

PACKAGES = ("numpy", "scipy", "numba", "llvmlite", "deap", "hydra-core", "omegaconf", "matplotlib")


def versions() -> JsonObject:
    """Versions of pigevo, its random streams, Python and the packages on which results can depend."""
    known: JsonObject = {
        "pigevo": pigevo.__version__,
        "streams": STREAM_VERSION,
        "engine": ENGINE_VERSION,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
    }
    return known | {package: _version(package) for package in PACKAGES}


@cache
def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def changed_versions(then: Mapping[str, object], now: Mapping[str, object]) -> list[str]:
    """The versions that have changed: `numba 0.61.0, now 0.62.1`."""
    return [f"{name} {then[name]}, now {now[name]}" for name in now if name in then and then[name] != now[name]]


class RunIdentity(TypedDict):
    """The identity of a run in its checkpoints."""

    format: int
    config_hash: str
    stream_version: int
    versions: JsonObject


class CheckpointRecord(TypedDict):
    """The record of a checkpoint beside its arrays; `digest` is that of the state."""

    generation: Count
    wave: Count
    fresh: Count
    evaluations: Count
    games: Count
    shape: list[Count]
    digest: str
    seconds: Annotated[float, Within(0)]
    versions: JsonObject
    stopped: bool
    rows: Count
    rows_hash: str
    champions: Count
    champions_hash: str
    arrived: NotRequired[list[Count]]
    phases: NotRequired[dict[str, float]]
    lineage: NotRequired[Count]
    lineage_hash: NotRequired[str]


WrittenFiles = Mapping[str, Written]
"""How far each growing file is written; a checkpoint contains the number of rows and their hash for each."""

NOTHING_WRITTEN: WrittenFiles = {}  # the state of a process that has saved nothing yet


@dataclass(frozen=True)
class Checkpoint:
    """A run between two generations: the state from which the next one is made, and everything recorded.

    `seconds` are those of the run, `phases` their distribution over its phases; `stopped` is whether a stop rule has
    ended the run here; `final_order` is the last population from the best to the worst and its evaluation, if known.
    """

    state: State
    logbook: Logbook
    seconds: float
    versions: Mapping[str, object] = field(default_factory=versions)
    phases: Mapping[str, float] = field(default_factory=dict)
    stopped: bool = False
    final_order: tuple[Ints, Evaluation] | None = None


def _record(config_hash: str, checkpoint: Checkpoint, saved: WrittenFiles) -> JsonObject:
    """The values of a checkpoint that are not arrays."""
    state = checkpoint.state
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
        "digest": state.digest,
        "seconds": checkpoint.seconds,
        "phases": dict(checkpoint.phases),
        "versions": dict(checkpoint.versions),
        "stopped": checkpoint.stopped,
        "arrived": state.arrived,
    }
    for name, written in saved.items():
        record |= {name: written.rows, f"{name}_hash": written.chain}
    return record


def save_checkpoint(
    folder: Path, config_hash: str, checkpoint: Checkpoint, before: WrittenFiles = NOTHING_WRITTEN
) -> WrittenFiles:
    """Append new rows to the growing files, then write `checkpoint.npz`; the old one becomes the previous checkpoint.

    `before` is the result of the previous call, whose rows are not written again.
    """
    logbook = checkpoint.logbook
    saved = {
        "rows": METRICS.write(folder, logbook.rows, before.get("rows", NOT_WRITTEN)),
        "champions": CHAMPIONS.write(folder, logbook.champions, before.get("champions", NOT_WRITTEN)),
        "lineage": LINEAGE.write(folder, logbook.lineage.recorded, before.get("lineage", NOT_WRITTEN)),
    }
    state, hall = checkpoint.state, logbook.hall
    memory = {f"{kind}.{name}": array for kind, memories in state.memory.items() for name, array in memories.items()}
    arrays = {
        RECORD: np.array(json.dumps(_record(config_hash, checkpoint, saved))),
        "genomes": np.packbits(state.genomes),
        "hall": np.array([np.asarray(member) for member in hall], dtype=np.uint8),
        "hall_values": np.array([member.fitness.values[0] for member in hall], dtype=np.float64),
    }
    if logbook.lineage.recorded:
        arrays[LINE] = logbook.lineage.line
    arrays |= {f"{MEMORY}{name}": array for name, array in memory.items()}
    write_arrays(path_in(folder, CHECKPOINT_FILE), arrays, keep=path_in(folder, EARLIER_CHECKPOINT_FILE))
    return saved


def load_checkpoint(folder: Path, config_hash: str) -> tuple[Checkpoint | None, list[str]]:
    """The newest intact checkpoint of this config or None, and a sentence for each damaged or foreign one."""
    refused: list[str] = []
    for checkpoint in _checkpoints(folder, config_hash):
        if isinstance(checkpoint, Checkpoint):
            return checkpoint, refused
        refused.append(str(checkpoint))
    return None, refused


def refused_checkpoints(folder: Path, config_hash: str) -> list[str]:
    """A sentence for each checkpoint of a folder that `load_checkpoint` would refuse; raises the same errors."""
    return [str(checkpoint) for checkpoint in _checkpoints(folder, config_hash) if isinstance(checkpoint, InputError)]


def _checkpoints(folder: Path, config_hash: str) -> Iterator[Checkpoint | InputError]:
    """The checkpoints of a folder, the newest first, or the errors in them."""
    for name in (CHECKPOINT_FILE, EARLIER_CHECKPOINT_FILE):
        try:
            yield _read_checkpoint(folder / name, config_hash)
        except Missing:
            continue
        except Unreadable:
            raise
        except InputError as error:
            yield error


def refuse_altered_rows(folder: Path) -> None:
    """Refuse an unfinished run's growing files if they differ from the record in the newest checkpoint.

    Later rows, and runs without such a checkpoint, cannot be checked.
    """
    for record in _records_in(folder, CheckpointRecord):
        _growing_contents(folder, record)
        return


GrowingContents = tuple[list[Mapping[str, object]], list[Champion], list[Descent]]
"""The contents of the growing files: rows, champions, and generations of the lineage."""


def _growing_contents(folder: Path, record: CheckpointRecord) -> GrowingContents:
    return (
        METRICS.until(folder, record["rows"], record["rows_hash"]),
        CHAMPIONS.until(folder, record["champions"], record["champions_hash"]),
        LINEAGE.until(folder, record.get("lineage", 0), record.get("lineage_hash", "")),
    )


def nearest_state(folder: Path, config_hash: str, generation: int) -> State | None:
    """The last state in a folder's checkpoints up to a generation; None if there is none."""
    states = [
        checkpoint.state for checkpoint in _checkpoints(folder, config_hash) if isinstance(checkpoint, Checkpoint)
    ]
    earlier = [state for state in states if state.generation <= generation]
    return max(earlier, key=lambda state: state.generation, default=None)


def set_aside(folder: Path) -> None:
    """Rename a refused checkpoint, so that the next one does not replace a good one."""
    if os.path.exists(folder / CHECKPOINT_FILE):
        os.replace(folder / CHECKPOINT_FILE, folder / REFUSED_CHECKPOINT_FILE)


def checkpoint_records(folder: Path) -> Iterator[RunIdentity]:
    """The identities in all checkpoints in a folder, the newest first, of any run, without damaged ones."""
    return _records_in(folder, RunIdentity)


def _records_in(folder: Path, fits: type[T]) -> Iterator[T]:
    for name in (CHECKPOINT_FILE, EARLIER_CHECKPOINT_FILE):
        try:
            with archive(folder / name, "checkpoint") as file:
                record: T = file.record(RECORD, fits)
        except Unreadable:
            raise
        except InputError:
            continue
        yield record


def _read_checkpoint(path: Path, config_hash: str) -> Checkpoint:
    expected = {"format": FORMAT, "stream_version": STREAM_VERSION, "config_hash": config_hash}
    with archive(path, "checkpoint") as file:
        begun = file.record(RECORD, RunIdentity)
        wrong = next((key for key, value in expected.items() if begun[key] != value), None)
        if wrong is None:
            return _content_of(file, path.parent)
    difference = f"({begun[wrong]}, not {expected[wrong]})"
    raise InputError(f"{path} belongs to another {wrong.replace('_', ' ')} {difference}.")


def _content_of(file: ArrayArchive, folder: Path) -> Checkpoint:
    record: CheckpointRecord = file.record(RECORD, CheckpointRecord)
    size, genes = record["shape"]
    memory: dict[str, dict[str, np.ndarray]] = {}
    for key in file.names:
        if key.startswith(MEMORY):
            kind, name = key.removeprefix(MEMORY).split(".")
            memory.setdefault(kind, {})[name] = file.array(key)
    state = State(
        record["generation"], record["wave"], file.bits("genomes", size * genes).reshape(size, genes), record["fresh"],
        record["evaluations"], record["games"], memory, arrived=tuple(record.get("arrived", [])),
    )  # fmt: skip
    if state.digest != record["digest"]:
        raise Damaged("its digest is another one")
    logbook = Logbook()
    rows, champions, lineage = _growing_contents(folder, record)
    for row in rows:
        logbook.rows.record(**typed_row(row))
    logbook.champions.extend(champions)
    if lineage:
        logbook.lineage.recorded.extend(lineage)
        logbook.lineage.line = file.array(LINE, np.int64, [size])
    values = file.array("hall_values", np.float64, [None])
    members = file.array("hall", np.uint8, [len(values), None] if len(values) else None)
    # Worst first: a hall of fame inserts a member before its equals, so ties keep their order.
    hall = list(zip(members, values.tolist(), strict=True))
    logbook.hall.update([Individual.of(packed, value) for packed, value in reversed(hall)])
    return Checkpoint(
        state, logbook, record["seconds"], record["versions"], record.get("phases", {}), record["stopped"]
    )
