"""The job of a worker: its record, its execution and its outcome.

Everything that a run prints goes to its `run.log`.
"""

from __future__ import annotations

import json
import logging
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypedDict

from pigevo.core.checked_values import JsonObject
from pigevo.errors import InputError
from pigevo.runs.result import read_result
from pigevo.settings.settings import Settings
from pigevo.storage.cache_dirs import display_path
from pigevo.storage.files import no_link, path_in

REPORT_SECONDS = 0.5  # seconds between two reports of the generation
LOCK_SECONDS = 20.0  # seconds to wait for a folder locked by another process, for example one of a dead driver

LOG = logging.getLogger("pigevo")

JobState = Literal["finished", "failed", "interrupted"]
FINISHED: JobState = "finished"
FAILED: JobState = "failed"
INTERRUPTED: JobState = "interrupted"

Answer = tuple[JobState, str, float]
"""The answer of a worker: the state of the job, the first line of its error, and its seconds."""


class SomeFailed(Exception):
    """Runs of a sweep failed; the message lists them."""


@dataclass(frozen=True, eq=False)
class Job:
    """One run of many."""

    settings: Settings
    folder: Path
    overrides: tuple[str, ...] = ()

    @property
    def is_finished(self) -> bool:
        """Whether the folder contains the result of these settings, unless the run is forced."""
        return not self.settings.force and finished(self.folder, self.settings.hash)[0]


def finished(folder: Path, config_hash: str) -> tuple[bool, str]:
    """Whether a folder contains the result of a config; and the error in the result, if that is unknown."""
    try:
        result = read_result(folder)
    except InputError as error:
        return False, str(error)
    return result is not None and result["config_hash"] == config_hash, ""


def changed(settings: Settings, identity: Mapping[str, object]) -> str:
    """A sentence about how settings differ from the identity with which a sweep was planned; empty if they do not."""
    now, then = (json.loads(json.dumps(values)) for values in (settings.identity, identity))
    keys = [key for key in now.keys() | then.keys() if now.get(key) != then.get(key)]
    chosen = [settings.choices[key] for key in sorted(keys) if key in settings.choices]
    names = [word for group in chosen for word in (group.reference, *group.strategies) if word]
    names += [settings.on_generation["function"]] if settings.on_generation and "callback" in keys else []
    if names:
        return f"{', '.join(names)}: changed since the sweep was planned"
    return "the settings compose differently here: is another version of pigevo installed?" if keys else ""


@dataclass(frozen=True, eq=False)
class JobOutcome:
    """The outcome of a job: finished, failed, or interrupted (can be resumed), with its seconds."""

    job: Job
    state: JobState
    error: str = ""
    seconds: float = 0.0


def each_once(jobs: Sequence[Job]) -> dict[Path, Job]:
    """The jobs by folder, each once, in order."""
    unique: dict[Path, Job] = {}
    for job in jobs:
        before = unique.setdefault(job.folder.absolute(), job)
        if before.settings.hash != job.settings.hash:
            raise InputError(
                f"two different runs would share the folder {display_path(job.folder)}: give each its own."
            )
    return unique


class JobRecord(TypedDict):
    """The description of a job for a worker, as plain values."""

    values: JsonObject
    identity: JsonObject
    base: JsonObject
    folder: str
    overrides: list[str]


def job_record(job: Job) -> JobRecord:
    """The description of a job for a worker."""
    return {
        "values": job.settings.values,
        "identity": job.settings.identity,
        "base": dict(job.settings.base),
        "folder": str(job.folder.absolute()),
        "overrides": list(job.overrides),
    }


def do(job: JobRecord, report: Callable[[int], object] = lambda _: None, redirect: bool = True) -> Answer:
    """Execute the job of a `job_record` in this process; errors, and all output if `redirect`, go to its `run.log`.

    `report` is called with the number of a generation now and then.
    """
    begin = time.perf_counter()
    state, error = _execute(job, report, redirect)
    return state, error, time.perf_counter() - begin


def _execute(job: JobRecord, report: Callable[[int], object], redirect: bool) -> tuple[JobState, str]:
    """Execute a job; returns its state and the first line of its error."""
    from pigevo.runs import run
    from pigevo.runs.folder import make
    from pigevo.runs.progress import begin_logging

    folder, report = Path(job["folder"]), _at_intervals(report)
    try:
        make(folder)
    except InputError as error:  # there is no folder for a log
        return FAILED, first_line(error)
    try:
        begin_logging(folder, console=False)
        if redirect:
            _redirect(folder)
        settings = Settings.read(job["values"], base=job["base"])
        if change := changed(settings, job["identity"]):
            raise InputError(change)
        _patiently(lambda: run(settings, folder, job["overrides"], lambda generation: report(generation.number)))
        return FINISHED, ""
    except KeyboardInterrupt as stop:
        return INTERRUPTED, first_line(stop)
    except InputError as error:
        LOG.error("%s", error)
        return FAILED, first_line(error)
    except MemoryError:
        LOG.error("there is not enough memory")
        return FAILED, "there is not enough memory"
    except BaseException as error:
        LOG.exception("the run failed")
        return FAILED, f"{type(error).__name__}: {first_line(error)}"


def first_line(error: BaseException) -> str:
    """The first line of an error's message, or its type if the message is empty."""
    return next(iter(str(error).splitlines()), "") or type(error).__name__


def _patiently(action: Callable[[], object]) -> None:
    """Execute the job; wait a while if another process has locked the folder."""
    from pigevo.storage.files import InUse

    until = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            action()
            return
        except InUse:
            if time.monotonic() > until:
                raise
            time.sleep(REPORT_SECONDS)


def _at_intervals(report: Callable[[int], object]) -> Callable[[int], None]:
    """The function `report`, called at most every `REPORT_SECONDS`."""
    last = -REPORT_SECONDS

    def called(generation: int) -> None:
        nonlocal last
        if time.monotonic() - last >= REPORT_SECONDS:
            last = time.monotonic()
            report(generation)

    return called


def _redirect(folder: Path) -> None:
    """Redirect standard output and error to the end of a run's `run.log`."""
    try:
        with open(path_in(folder, "run.log"), "a", opener=no_link) as file:
            for stream in (1, 2):
                os.dup2(file.fileno(), stream)
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror}.") from error
