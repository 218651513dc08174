"""Entrants and their trials, executed by worker processes and stored on disk.

Entrants are reference algorithms by name, and users' own by `mine.py:MyAlgorithm` or as classes; they need not care
about threads. Each trial has a file, which is written atomically and named after everything that determines the trial.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import json
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypedDict

import numpy as np

from pigevo import __version__
from pigevo.core.text import short_repr
from pigevo.dice import STREAM_VERSION
from pigevo.errors import InputError, unknown
from pigevo.exact import ENGINE_VERSION
from pigevo.storage.files import path_in, write_bytes
from pigevo.storage.records import Missing, read_json
from pigevo.user_code.identity import file_of, identify
from pigevo.workers.pool import Done, Worker, WorkerDied, work

from .algorithms import ALGORITHMS
from .entrant_process import EntrantProcess, look
from .instances import Instance, instance
from .protocol import Make
from .trial import Trial, try_out


@dataclass(frozen=True)
class Entrant:
    """An algorithm that takes part in a benchmark.

    Args:
        name: its name in tables and pictures.
        word: the word as typed, by which other processes load it.
        identity: hexadecimal digits that change with its code: for a user's own, with the file and its imports from
            its folder; for a reference algorithm, with its class and the version of pigevo.
        source: the publication of a reference algorithm.
        function: a class or function passed directly; it works in the calling process.
        path: the file of the function, for messages.
    """

    name: str
    word: str
    identity: str
    source: str = ""
    function: Make | None = None
    path: Path | None = None

    def make(self, seconds: float | None = None) -> Make:
        """What creates the algorithm from a problem; one from a file gets its own process, and this time for a call."""
        if self.function:
            return self.function
        if ":" in self.word:
            return partial(EntrantProcess, word=self.word, name=self.name, identity=self.identity, seconds=seconds)
        return ALGORITHMS[self.word].function

    @property
    def folder(self) -> str:
        """Its name as a folder name."""
        return re.sub(r"[^A-Za-z0-9._-]", "_", self.name).lstrip(".") or "_"


def entrant(word: str | Make) -> Entrant:
    """The algorithm of a name, a reference to a user's own, or a class or function of a problem."""
    if not isinstance(word, str):
        return _handed_over(word)
    if word.endswith(".py"):
        raise InputError(f"{word} names no algorithm: write {word}:NAME, with the name of a class or function in it.")
    if ":" in word:
        name, identity = look(word)
        return Entrant(name, word, identity)
    if word not in ALGORITHMS:
        error = unknown("algorithm", word, ALGORITHMS)
        raise InputError(f"{error} One of your own is written mine.py:MyAlgorithm.")
    known = ALGORITHMS[word]
    return Entrant(word, word, identify((__version__, known.function)).hash, known.source)


def _handed_over(function: Make) -> Entrant:
    """An entrant from a class or function, identified by its code."""
    name = getattr(function, "__name__", "")
    if not callable(function) or inspect.isbuiltin(function) or not name:
        raise InputError(
            f"{short_repr(function)} names no algorithm: give its name or mine.py:MyAlgorithm as text, or a class or "
            "function of a problem."
        )
    known = identify((__version__, function))
    if known.unknown:
        raise InputError(
            f"the algorithm {name} cannot be told from another one, as trials on disk need: {known.unknown}, whose "
            "content cannot be compared."
        )
    return Entrant(name, name, known.hash, function=function, path=file_of(function))


def entrants(words: Sequence[str | Make]) -> tuple[Entrant, ...]:
    """The entrants of many words, each once; names must be unique."""
    entrants_by_folder: dict[str, Entrant] = {}
    for word in words:
        one = entrant(word)
        known = entrants_by_folder.setdefault(one.folder, one)
        if known.identity != one.identity:
            raise InputError(f"{known.word} and {one.word} would have the same name: give one another.")
    return tuple(entrants_by_folder.values())


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
    entered, seconds = task.entrant, task.seconds
    return try_out(
        entered.make(seconds), task.instance, task.seed, task.budget, key=task.key, seconds=seconds,
        name=entered.name, path=entered.path,
    )  # fmt: skip


def _task_record(task: Task) -> dict[str, Any]:
    one, more = task.entrant, [task.seed, task.budget, task.seconds, task.key]
    entrant = [one.name, one.word, one.identity, one.source]
    return {"entrant": entrant, "instance": task.instance.name, "more": more}
