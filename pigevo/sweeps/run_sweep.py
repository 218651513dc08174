"""The driver of a sweep: executes jobs with any launcher, and reports outcomes and progress.

Finished jobs are never repeated; the outcomes of the others are read from their folders, because
a launcher on another machine may die without a message.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from pigevo.core.progress_bar import ProgressBar
from pigevo.core.text import counted
from pigevo.errors import InputError
from pigevo.runs.folder import clear, refuse_strangers, run_lock
from pigevo.runs.progress import Interrupted
from pigevo.settings.settings import Settings
from pigevo.storage.cache_dirs import display_path
from pigevo.storage.lock import locked
from pigevo.sweeps.job import FAILED, FINISHED, INTERRUPTED, Job, Outcome, SomeFailed, changed, each_once
from pigevo.sweeps.record import is_sweep, sweep_name, tidy, write_failures, write_record

LOG = logging.getLogger(__name__)


class Launcher(Protocol):
    """A function that executes jobs: `run_jobs`, or one of `pigevo.sweeps.launchers` with its options."""

    def __call__(self, jobs: Sequence[Job], *, on_outcome: Callable[[Outcome], object]) -> list[Outcome]:
        """Execute jobs, and call `on_outcome` with each outcome as it arrives."""


def drive(jobs: Sequence[Job], overrides: Sequence[str], home: Path, launcher: Launcher) -> Path:
    """Write the sweep's record, execute its unfinished runs, print their outcomes, and return the sweep's folder.

    `home` is the folder of all sweeps; the same run may be among the jobs twice.
    """
    unique = list(each_once(jobs).values())
    folder = home / sweep_name(unique)
    for job in unique:
        refuse_strangers(job.folder)
    with locked(folder, "sweep", is_sweep):
        tidy(folder)
        write_record(folder, unique, overrides)
        outcomes = _outcomes(unique, folder, launcher)
    _conclude(outcomes, folder, any(job.settings.force for job in unique))
    return folder


def _outcomes(unique: Sequence[Job], folder: Path, launcher: Launcher) -> list[Outcome]:
    """Execute the unfinished jobs, and record failures as they occur."""
    done = {job for job in unique if job.is_finished}
    left = [_cleared(job) for job in unique if job not in done]
    count = counted(len(unique), "run") + (f", {len(done)} finished before" if done else "")
    LOG.info("%s: %s", display_path(folder), count)
    failures: dict[Path, str] = {}

    def on_outcome(outcome: Outcome) -> None:
        if outcome.state == FAILED:
            failures[outcome.job.folder] = outcome.error
            write_failures(folder, failures)

    began = time.perf_counter()
    by_folder = {outcome.job.folder: outcome for outcome in (launcher(left, on_outcome=on_outcome) if left else [])}
    outcomes = [by_folder.get(job.folder) or Outcome(job, FINISHED) for job in unique]
    if left:
        worked, spent = sum(outcome.seconds for outcome in outcomes), time.perf_counter() - began
        LOG.info("%.1f s of runs in %.1f s", worked, spent)
    return outcomes


def _conclude(outcomes: Sequence[Outcome], folder: Path, forced: bool) -> None:
    failed = [outcome for outcome in outcomes if outcome.state == FAILED]
    finished = sum(outcome.state == FINISHED for outcome in outcomes)
    count = f"{finished} of {len(outcomes)} runs are finished"
    failures = "\n".join(f"  {display_path(outcome.job.folder)}\n    {outcome.error}" for outcome in failed)
    again = "the same command" + (", without force=true," if forced else "")
    if any(outcome.state == INTERRUPTED for outcome in outcomes):
        more = f", {len(failed)} failed:\n{failures}\n" if failed else "; "
        raise Interrupted(f"stopped; {count}{more}{again} goes on from there.")
    if failed:
        hint = _changed([outcome.job for outcome in failed]) or f"{again.capitalize()} tries them again."
        raise SomeFailed(f"{count}, {len(failed)} failed:\n{failures}\n{hint}")
    LOG.info("%s; `pigevo report %s` has the answer", count, display_path(folder))


def _changed(failed: Sequence[Job]) -> str:
    """The advice if a user's file was changed during the sweep; empty if none was."""
    for job in failed:
        choices = job.settings.choices.values()
        if job.settings.on_generation or any(choice.own or choice.strategies for choice in choices):
            try:
                change = changed(Settings.read(job.settings.values, base=job.settings.base), job.settings.identity)
            except InputError as error:  # it can no longer be read
                change = str(error)
            return change and (
                f"{change.rstrip('.')}. The runs that are finished stay as they are. Change the file back, and the "
                "same command tries the others again; with the file as it is now, it begins another sweep."
            )
    return ""


def _cleared(job: Job) -> Job:
    """Delete the results of a job that is to be repeated (`force`), once; a restart then resumes it."""
    if not job.settings.force:
        return job
    with run_lock(job.folder):
        clear(job.folder)
    overrides = tuple(word for word in job.overrides if word.partition("=")[0] != "force")
    return replace(job, settings=job.settings.with_(force=False), overrides=overrides)


class SweepBar:
    """The progress bar on standard error, for a terminal only."""

    def __init__(self, title: str, jobs: Sequence[Job], left: Sequence[Job]) -> None:
        self._title = title
        self._runs = len(jobs)
        self._finished = len(jobs) - len(left)
        self._failed = 0
        self._at: dict[Path, int] = {}
        total = sum(job.settings.plan.generations for job in jobs)
        begun = total - sum(job.settings.plan.generations for job in left)
        self._bar = ProgressBar(total=total, initial=begun, unit="gen", disable=None, dynamic_ncols=True)
        self._say()

    def __enter__(self) -> SweepBar:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    def step(self, job: Job, generation: int) -> None:
        """Update a job's generation."""
        if job.folder not in self._at:
            self._bar.initial += generation  # done earlier, so not part of the speed
        self._bar.update(generation - self._at.get(job.folder, 0))
        self._at[job.folder] = generation

    def done(self, outcome: Outcome) -> None:
        """Count a job that has ended."""
        job, generations = outcome.job, outcome.job.settings.plan.generations
        self._finished += 1
        self._failed += outcome.state == FAILED
        self._bar.update(generations - self._at.get(job.folder, 0))
        self._say()

    def _say(self) -> None:
        failed = f", {self._failed} failed" if self._failed else ""
        self._bar.set_description_str(f"{self._title}: {self._finished} of {self._runs} runs{failed}")
