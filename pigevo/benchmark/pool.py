"""Many trials at once, each worker a process of its own, so that algorithms need not know of threads."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple
from typing import Any

import numpy as np

from pigevo.benchmark.entrants import Entrant
from pigevo.benchmark.instances import instance
from pigevo.benchmark.store import Task
from pigevo.benchmark.trial import Trial, try_out
from pigevo.errors import InputError
from pigevo.workers.pool import Done, Worker, WorkerDied, work


def do_all(tasks: Sequence[Task], workers: int, on_trial: Callable[[Task, Trial], object]) -> None:
    """Do trials, and hand over each when it is there.

    Args:
        tasks: the trials.
        workers: processes; with one it is this one. No result depends on it.
        on_trial: is called with each.

    Raises:
        InputError: an algorithm fails, or the process in which it works; the other processes are ended.
    """
    if workers <= 1 or len(tasks) <= 1:
        for task in tasks:
            with contextlib.redirect_stdout(sys.stderr):
                trial = _trial(_task_record(task))
            on_trial(task, trial)
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
    work("pigevo.benchmark.pool:do", [_task_record(task) for task in tasks], crew, on_done)


def do(task: Mapping[str, Any], _: Callable[[Any], object]) -> list[Any]:
    """Do a trial in a worker: its figures as values of JSON."""
    trial = _trial(task)
    return [one.tolist() for one in (trial.spent, trial.loss, trial.exploitability, trial.champion)]


def _trial(task: Mapping[str, Any]) -> Trial:
    one, place = Entrant(*task["entrant"]), instance(task["instance"])
    limits = {"key": task["key"], "seconds": task["seconds"]}
    return try_out(one.make, place, task["seed"], task["budget"], name=one.name, **limits)


def _task_record(task: Task) -> dict[str, Any]:
    limits = {"budget": task.budget, "seconds": task.seconds, "key": task.key}
    return {"entrant": astuple(task.entrant), "instance": task.instance.name, "seed": task.seed, **limits}
