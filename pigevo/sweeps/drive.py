"""A sweep from its jobs to what became of them, whoever does the runs.

What is finished is never begun again; what the others came to is read from their folders,
since a launcher on another machine may die without a word.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from pigevo.errors import InputError
from pigevo.runs.folder import clear, shown
from pigevo.runs.interruption import Interrupted
from pigevo.runs.lock import locked
from pigevo.runs.naming import config_hash
from pigevo.sweeps.job import FAILED, FINISHED, INTERRUPTED, Job, Outcome, SomeFailed
from pigevo.sweeps.pool import is_finished
from pigevo.sweeps.record import note_failures, sweep_name, write_record

LOG = logging.getLogger(__name__)


class Runner(Protocol):
    """Does jobs: `run_jobs`, or a launcher of Hydra behind `through_hydra`."""

    def __call__(self, jobs: Sequence[Job], *, note: Callable[[Outcome], object]) -> list[Outcome]:
        """Do them, and call `note` with each outcome as it comes."""


def drive(jobs: Sequence[Job], words: Sequence[str], home: Path, runner: Runner) -> list[Outcome]:
    """Write the sweep's record, do what is left of its runs, and say what became of them.

    Args:
        jobs: the runs; the same one may be among them twice.
        words: the settings as typed.
        home: the folder of all sweeps.
        runner: does the runs that are not finished.

    Returns:
        The outcomes, every run once.

    Raises:
        InputError: two different runs would share a folder, nothing can be written, or another process
            is doing this very sweep.
        SomeFailed: runs failed.
        Interrupted: the user stopped it.
    """
    unique = _each_once(jobs)
    folder = home / sweep_name([job.config for job in unique])
    with locked(folder):
        write_record(folder, unique, words)
        outcomes = _outcomes(unique, folder, runner)
    _conclude(outcomes, folder, any(job.config["force"] for job in unique))
    return outcomes


def _outcomes(unique: Sequence[Job], folder: Path, runner: Runner) -> list[Outcome]:
    """Do what is left, and note failures as they come."""
    done = {job for job in unique if is_finished(job)}
    left = [_cleared(job) for job in unique if job not in done]
    said = f"{len(unique)} runs" + (f", {len(done)} finished before" if done else "")
    LOG.info("%s: %s", shown(folder), said)
    failures: dict[Path, str] = {}

    def note(outcome: Outcome) -> None:
        if outcome.state == FAILED:
            failures[outcome.job.folder] = outcome.error
            note_failures(folder, failures)

    began = time.perf_counter()
    found = {outcome.job.folder: outcome for outcome in (runner(left, note=note) if left else [])}
    outcomes = [found.get(job.folder) or Outcome(job, FINISHED) for job in unique]
    if left:
        worked, spent = sum(outcome.seconds for outcome in outcomes), time.perf_counter() - began
        LOG.info("%.1f s of runs in %.1f s", worked, spent)
    return outcomes


def through_hydra(launch: Callable[[list[list[str]]], Sequence[Any]]) -> Runner:
    """A launcher of Hydra as a runner of jobs.

    Args:
        launch: takes the settings of each run; its folder is among them, absolute, as
            other machines may have another working folder.
    """

    def run(jobs: Sequence[Job], *, note: Callable[[Outcome], object]) -> list[Outcome]:
        lists = [[*job.overrides, *_place(job.folder)] for job in jobs]
        errors: list[str] = []
        try:
            errors = [_error(one) for one in launch(lists)]
        except Exception as error:
            LOG.debug("the launcher failed", exc_info=True)
            errors = [_first_line(error)] * len(jobs)
        outcomes = [
            Outcome(job, FINISHED) if is_finished(job) else Outcome(job, FAILED, error or "it left no result")
            for job, error in zip(jobs, errors, strict=True)
        ]
        for outcome in outcomes:
            note(outcome)
        return outcomes

    return run


def _each_once(jobs: Sequence[Job]) -> list[Job]:
    unique: dict[Path, Job] = {}
    for job in jobs:
        before = unique.setdefault(job.folder, job)
        if config_hash(before.config) != config_hash(job.config):
            raise InputError(f"two different runs would share the folder {shown(job.folder)}: give each its own.")
    return list(unique.values())


def _conclude(outcomes: Sequence[Outcome], folder: Path, forced: bool) -> None:
    failed = [outcome for outcome in outcomes if outcome.state == FAILED]
    finished = sum(outcome.state == FINISHED for outcome in outcomes)
    said = f"{finished} of {len(outcomes)} runs are finished"
    told = "\n".join(f"  {shown(outcome.job.folder)}\n    {outcome.error}" for outcome in failed)
    again = "the same command" + (", without force=true," if forced else "")
    if any(outcome.state == INTERRUPTED for outcome in outcomes):
        more = f", {len(failed)} failed:\n{told}\n" if failed else "; "
        raise Interrupted(f"stopped; {said}{more}{again} goes on from there.")
    if failed:
        raise SomeFailed(f"{said}, {len(failed)} failed:\n{told}\n{again.capitalize()} tries them again.")
    LOG.info("%s; `pigevo report %s` has the answer", said, shown(folder))


def _place(folder: Path) -> list[str]:
    return [f"hydra.sweep.dir={_quoted(folder.parent)}", f"hydra.sweep.subdir={_quoted(folder.name)}"]


def _quoted(path: Path | str) -> str:
    return "'" + str(path).replace("\\", "\\\\").replace("'", "\\'") + "'"


def _cleared(job: Job) -> Job:
    """A job that shall be done again begins anew here, and once: from now on it goes on wherever it was stopped."""
    if not job.config["force"]:
        return job
    with locked(job.folder):
        clear(job.folder)
    words = tuple(word for word in job.overrides if word.partition("=")[0] != "force")
    return replace(job, config={**job.config, "force": False}, overrides=words)


def _error(returned: Any) -> str:
    """The first line of what a job that Hydra ran came back with, if it failed."""
    value = getattr(returned, "_return_value", None)
    return _first_line(value) if isinstance(value, BaseException) else ""


def _first_line(error: BaseException) -> str:
    said = next(iter(str(error).strip().splitlines()), "")
    return said if isinstance(error, InputError) else f"{type(error).__name__}: {said}".rstrip(": ")
