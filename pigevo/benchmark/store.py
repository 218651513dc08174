"""Trials on disk: a file each, written in one step, found again by what decides it."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

import numpy as np

from pigevo.benchmark.entrants import Entrant
from pigevo.benchmark.instances import Instance
from pigevo.benchmark.trial import Trial
from pigevo.dice import STREAM_VERSION
from pigevo.errors import InputError
from pigevo.exact import ENGINE_VERSION
from pigevo.storage.files import place_in, write_bytes
from pigevo.storage.records import Missing, read_json

FORMAT = 1
KIND = "benchmark"
REMEDY = "remove it, and its trial is done again"


class TrialRecord(TypedDict):
    """What a trial's file holds."""

    format: int
    identity: str
    versions: list[int]
    algorithm: str
    instance: str
    seed: int
    budget: int
    seconds: float | None
    spent: list[int]
    loss: list[float]
    exploitability: list[float]
    champion: str


@dataclass(frozen=True)
class Task:
    """A trial that is to be done."""

    entrant: Entrant
    instance: Instance
    seed: int
    budget: int
    seconds: float | None = None
    key: str = ""

    @property
    def identity(self) -> str:
        """Of the algorithm, and of the key if there is one; the key itself is written nowhere."""
        if not self.key:
            return self.entrant.identity
        return f"{self.entrant.identity} {hashlib.sha256(f'the key {self.key}'.encode()).hexdigest()}"

    @property
    def file(self) -> str:
        """Where it lies in the benchmark's folder."""
        return f"trials/{self.entrant.folder}/{self.instance.name}/{self.seed}.json"


def save(folder: Path, task: Task, trial: Trial) -> None:
    """Write a trial.

    Args:
        folder: the benchmark's.
        task: which one.
        trial: what has come of it.

    Raises:
        InputError: it cannot be written.
    """
    record = TrialRecord(
        format=FORMAT, identity=task.identity, versions=[STREAM_VERSION, ENGINE_VERSION],
        algorithm=trial.algorithm, instance=trial.instance, seed=trial.seed, budget=trial.budget, seconds=task.seconds,
        spent=trial.spent.tolist(), loss=trial.loss.tolist(), exploitability=trial.exploitability.tolist(),
        champion="".join(map(str, trial.champion.tolist())),
    )  # fmt: skip
    write_bytes(place_in(folder, task.file), json.dumps(record).encode())


def find(folder: Path, task: Task) -> Trial | None:
    """The trial of a task, if it was done with the same code, limits, dice, key and engine.

    Args:
        folder: the benchmark's.
        task: which one.

    Raises:
        InputError: there is a file that cannot be read.
    """
    with suppress(Missing):
        return trial_of(read_json(place_in(folder, task.file), TrialRecord, REMEDY), task)
    return None


def trial_of(record: Any, task: Task) -> Trial | None:
    """The trial that a record tells, or None where it is of another task."""
    asked = {
        "format": FORMAT, "identity": task.identity, "versions": [STREAM_VERSION, ENGINE_VERSION],
        "instance": task.instance.name, "seed": task.seed, "budget": task.budget,
        "seconds": task.seconds,
    }  # fmt: skip
    if any(record[key] != value for key, value in asked.items()):
        return None
    spent, loss, exploitability = (np.array(record[key]) for key in ("spent", "loss", "exploitability"))
    champion = np.frombuffer(record["champion"].encode(), np.uint8) - ord("0")
    trial = Trial(task.entrant.name, task.instance.name, task.seed, task.budget, spent, loss, exploitability, champion)
    if not _fits_together(trial, task.instance.grid.genes):
        raise InputError(f"the record of {task.file} does not fit together: {REMEDY}.")
    return trial


def _fits_together(trial: Trial, genes: int) -> bool:
    """Whether a trial that was read can have been one: it has spent something, and all its figures are in range."""
    spent, figures = trial.spent, (trial.loss, trial.exploitability)
    return bool(
        len(spent) > 1
        and spent[0] == 0 < spent[-1] <= trial.budget
        and (np.diff(spent) > 0).all()
        and all(len(one) == len(spent) and ((one >= 0) & (one <= 1)).all() for one in figures)
        and len(trial.champion) == genes
        and trial.champion.max() <= 1
    )
