"""Trials to be executed by worker processes, so that algorithms need not care about threads, and stored on disk.

Each has a file, which is written atomically and named after everything that determines the trial.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

import numpy as np

from pigevo.dice import STREAM_VERSION
from pigevo.errors import InputError
from pigevo.exact import ENGINE_VERSION
from pigevo.storage.files import path_in, write_bytes
from pigevo.storage.records import Missing, read_json
from pigevo.workers.pool import Done, Worker, WorkerDied, work

from .entrants import Entrant
from .instances import Instance, instance
from .trial import Trial, try_out

FORMAT = 1
REMEDY = "remove it, and its trial is done again"


class TrialRecord(TypedDict):
    """The content of a trial's file."""

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
    """A trial to be executed."""

    entrant: Entrant
    instance: Instance
    seed: int
    budget: int
    seconds: float | None = None
    key: str = ""

    @property
    def identity(self) -> str:
        """The identity of the algorithm and of the key if there is one; the key itself is never written."""
        if not self.key:
            return self.entrant.identity
        return f"{self.entrant.identity} {hashlib.sha256(f'the key {self.key}'.encode()).hexdigest()}"

    @property
    def file(self) -> str:
        """Its file in the benchmark's folder: another file for other code, limits, keys and engines."""
        decides = [self.identity, self.budget, self.seconds, STREAM_VERSION, ENGINE_VERSION]
        digest = hashlib.sha256(json.dumps(decides).encode()).hexdigest()[:8]
        return f"trials/{self.entrant.folder}/{self.instance.name}/{self.seed}-{digest}.json"


def save(folder: Path, task: Task, trial: Trial) -> None:
    """Write a trial."""
    record = TrialRecord(
        format=FORMAT, identity=task.identity, versions=[STREAM_VERSION, ENGINE_VERSION],
        algorithm=trial.algorithm, instance=trial.instance, seed=trial.seed, budget=trial.budget, seconds=task.seconds,
        spent=trial.spent.tolist(), loss=trial.loss.tolist(), exploitability=trial.exploitability.tolist(),
        champion="".join(map(str, trial.champion.tolist())),
    )  # fmt: skip
    write_bytes(path_in(folder, task.file), json.dumps(record).encode())


def find(folder: Path, task: Task) -> Trial | None:
    """The stored trial of a task, if it was executed with the same code, limits, dice, key and engine."""
    with contextlib.suppress(Missing):
        return trial_of(read_json(path_in(folder, task.file), TrialRecord, REMEDY), task)
    return None


def trial_of(record: Any, task: Task) -> Trial | None:
    """The trial in a record, or None if it belongs to another task."""
    expected = {
        "format": FORMAT, "identity": task.identity, "versions": [STREAM_VERSION, ENGINE_VERSION],
        "instance": task.instance.name, "seed": task.seed, "budget": task.budget,
        "seconds": task.seconds,
    }  # fmt: skip
    if any(record[key] != value for key, value in expected.items()):
        return None
    spent, loss, exploitability = (np.array(record[key]) for key in ("spent", "loss", "exploitability"))
    champion = np.frombuffer(record["champion"].encode(), np.uint8) - ord("0")
    trial = Trial(task.entrant.name, task.instance.name, task.seed, task.budget, spent, loss, exploitability, champion)
    if not _fits_together(trial, task.instance.grid.genes):
        raise InputError(f"the record of {task.file} does not fit together: {REMEDY}.")
    return trial


def _fits_together(trial: Trial, genes: int) -> bool:
    """Whether a trial from a file is possible: it has spent something, and all its figures are in range."""
    spent, figures = trial.spent, (trial.loss, trial.exploitability)
    return bool(
        len(spent) > 1
        and spent[0] == 0 < spent[-1] <= trial.budget
        and (np.diff(spent) > 0).all()
        and all(len(one) == len(spent) and ((one >= 0) & (one <= 1)).all() for one in figures)
        and len(trial.champion) == genes
        and trial.champion.max() <= 1
    )


def do_all(tasks: Sequence[Task], workers: int, on_trial: Callable[[Task, Trial], object]) -> None:
    """Execute trials, with several workers each in a worker process, and yield each when it is finished.

    If an algorithm or its process fails, the other processes are ended.
    """
    here = [task for task in tasks if task.entrant.function or workers <= 1 or len(tasks) <= 1]
    for task in here:
        with contextlib.redirect_stdout(sys.stderr):
            trial = _trial(task)
        on_trial(task, trial)
    tasks = [task for task in tasks if task not in here]
    if not tasks:
        return

    def on_done(done: Done) -> None:
        task = tasks[done.number]
        if isinstance(done.error, WorkerDied):
            where = f"{task.instance.name}, seed {task.seed}"
            raise InputError(
                f"{task.entrant.name} has ended the process that it worked in ({where}): its exit status was "
                f"{done.error.status}."
            )
        if done.error is not None:
            raise done.error
        spent, loss, exploitability, genome = map(np.array, done.answer)
        champion = genome.astype(np.uint8)
        on_trial(task, Trial(task.entrant.name, task.instance.name, task.seed, task.budget, spent, loss,
                             exploitability, champion))  # fmt: skip

    crew = [Worker() for _ in range(min(workers, len(tasks)))]
    work("pigevo.experiments.benchmark.tasks:do", [_task_record(task) for task in tasks], crew, on_done)


def do(task: Mapping[str, Any], _: Callable[[Any], object]) -> list[Any]:
    """Execute a trial in a worker; returns its figures as JSON values."""
    trial = _trial(Task(Entrant(*task["entrant"]), instance(task["instance"]), *task["more"]))
    return [one.tolist() for one in (trial.spent, trial.loss, trial.exploitability, trial.champion)]


def _trial(task: Task) -> Trial:
    one, limits = task.entrant, (task.seed, task.budget)
    return try_out(one.make, task.instance, *limits, key=task.key, seconds=task.seconds, name=one.name, path=one.path)


def _task_record(task: Task) -> dict[str, Any]:
    one, more = task.entrant, [task.seed, task.budget, task.seconds, task.key]
    entrant = [one.name, one.word, one.identity, one.source]
    return {"entrant": entrant, "instance": task.instance.name, "more": more}
