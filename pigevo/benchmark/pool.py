"""Many trials at once, each worker a process of its own, so that algorithms need not know of threads."""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import astuple
from typing import Any

import numpy as np

from pigevo.benchmark.serve import do
from pigevo.benchmark.store import Task
from pigevo.benchmark.trial import Trial
from pigevo.errors import InputError
from pigevo.workers.entry import answers, words_of

DEATH_SECONDS = 5.0
"""Seconds that a worker which no longer speaks has for ending by itself."""

Answer = tuple[Task, Trial | Exception]


def done(tasks: Sequence[Task], workers: int) -> Iterator[tuple[Task, Trial]]:
    """Do trials, and hand out each when it is there.

    Args:
        tasks: the trials.
        workers: processes; with one it is this one. No result depends on it.

    Raises:
        InputError: an algorithm fails, or the process in which it works; the other processes are ended.
    """
    if workers <= 1 or len(tasks) <= 1:
        for task in tasks:
            with contextlib.redirect_stdout(sys.stderr):
                trial = do(task.entrant, _task_record(task))
            yield task, trial
        return
    waiting: queue.SimpleQueue[Task] = queue.SimpleQueue()
    found: queue.SimpleQueue[Answer] = queue.SimpleQueue()
    for task in tasks:
        waiting.put(task)
    processes: list[subprocess.Popen[str]] = []
    try:
        for _ in range(min(workers, len(tasks))):
            processes.append(_begun())
            threading.Thread(target=_serve, args=(processes[-1], waiting, found), daemon=True).start()
        for _ in tasks:
            task, answer = found.get()
            if isinstance(answer, Exception):
                raise answer
            yield task, answer
    finally:
        for process in processes:
            process.kill()
            process.wait()


def _begun() -> subprocess.Popen[str]:
    pipe, words = subprocess.PIPE, words_of("pigevo.benchmark.serve")
    try:
        return subprocess.Popen(
            words, stdin=pipe, stdout=pipe, encoding="utf-8", errors="replace", start_new_session=True
        )
    except OSError as error:
        raise InputError(f"no process could be started: {error.strerror}.") from error


def _serve(process: subprocess.Popen[str], waiting: queue.SimpleQueue[Task], found: queue.SimpleQueue[Answer]) -> None:
    """The life of a worker's thread: it hands over tasks as long as its process lives."""
    while True:
        try:
            task = waiting.get_nowait()
        except queue.Empty:
            return
        try:
            answer: Trial | Exception = _answered(process, task)
        except Exception as error:  # told to the caller, who would else wait for ever
            answer = error
        found.put((task, answer))
        if isinstance(answer, Exception):
            return


def _answered(process: subprocess.Popen[str], task: Task) -> Trial:
    """What a worker's process answers to a task.

    Raises:
        InputError: the algorithm fails, or has ended the process.
    """
    assert process.stdin is not None
    assert process.stdout is not None
    said = None
    with contextlib.suppress(OSError):
        print(json.dumps(_task_record(task)), file=process.stdin, flush=True)
        said = next((one for one in answers(process.stdout) if "error" in one or "champion" in one), None)
    if said is None:
        status = _ended(process)
        where = f"{task.instance.name}, seed {task.seed}"
        raise InputError(
            f"{task.entrant.name} has ended the process that it worked in ({where}): its exit status was {status}."
        )
    if "error" in said:
        raise InputError(said["error"])
    spent, loss, exploitability = (np.array(said[name]) for name in ("spent", "loss", "exploitability"))
    champion = np.array(said["champion"], dtype=np.uint8)
    return Trial(task.entrant.name, task.instance.name, task.seed, task.budget, spent, loss, exploitability, champion)


def _ended(process: subprocess.Popen[str]) -> int:
    """The exit status of a process that no longer answers, or not in words that are understood."""
    try:
        return process.wait(DEATH_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()


def _task_record(task: Task) -> dict[str, Any]:
    limits = {"budget": task.budget, "seconds": task.seconds, "key": task.key}
    return {"entrant": astuple(task.entrant), "instance": task.instance.name, "seed": task.seed, **limits}
