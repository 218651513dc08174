"""Sweeps: planning their jobs, and executing them with any launcher, by default in worker processes of this machine.

Each run is composed, checked and given a folder before any run begins.  Finished jobs are never repeated; the outcomes
of the others are read from their folders, because a launcher on another machine may die without a message.
"""

from __future__ import annotations

import itertools
import logging
import math
import re
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from hydra.core.override_parser.types import Override, RangeSweep

from pigevo.core.machine import available_cores, available_memory, readable_bytes
from pigevo.core.progress_bar import ProgressBar
from pigevo.core.text import counted, for_shell
from pigevo.errors import InputError
from pigevo.runs.folder import clear, lacks_pictures, picture_command, refuse_strangers, run_lock
from pigevo.runs.progress import Interrupted, Interruption
from pigevo.runs.stepper import bytes_needed, refuse_too_large
from pigevo.settings.compose import LARGEST_SWEEP, Composed, Composer, explained, parsed
from pigevo.settings.schema import VOLATILE
from pigevo.settings.settings import Settings
from pigevo.storage.cache_dirs import display_path
from pigevo.storage.files import locked
from pigevo.sweeps.job import (
    FAILED,
    FINISHED,
    INTERRUPTED,
    Job,
    JobOutcome,
    SomeFailed,
    changed,
    each_once,
    first_line,
    job_record,
)
from pigevo.sweeps.record import is_sweep, refuse_alike, sweep_name, tidy, write_failures, write_record
from pigevo.workers.pool import Done, Worker, WorkerDied, work

LOG = logging.getLogger(__name__)

_NUMBER = re.compile(r"(?P<key>[a-z_]+(\.[a-z_]+)?)=(?P<value>(0|[1-9][0-9]*)(\.[0-9]+)?(e-?[0-9]+)?)")
"""A setting that is a plain number, as Hydra and Python read it alike."""

LARGEST_COUNTED = 10**12  # a larger number of runs is reported as more than this number


def combinations(overrides: Sequence[str], folder: Path | None = None) -> list[list[str]]:
    """Every combination of the values in overrides such as `mutation=0.1,0.2`, with one value each.

    Patterns of names, as in `experiment=glob(cube*)`, also find the configs in a user's folder.
    """
    values = []
    with explained():
        read = parsed(overrides, folder)
        _refuse_too_many(math.prod(_count(member) for member in read))
        for word, override in zip(overrides, read, strict=True):
            if override.is_sweep_override():
                key = override.get_key_element()
                if override.key_or_group in VOLATILE:
                    raise InputError(f"{word} has several values, but {key} changes no result of a run: give one.")
                if key.startswith("hydra."):
                    raise InputError(f"{word} has several values, and a sweep has one of each Hydra setting: give one.")
                if override.is_interval_sweep():
                    raise InputError(
                        f"{word} has no values to run one by one: write a list, {key}=0.1,0.2, or '{key}=range(0,10)'; "
                        "`pigevo tune` searches an interval."
                    )
                values.append([f"{key}={value}" for value in override.sweep_string_iterator()])
            else:
                values.append([word])
    _refuse_too_many(math.prod(map(len, values)))
    for word, of_word in zip(overrides, values, strict=True):
        if not of_word:
            what = "no choice has such a name" if "glob(" in word else "its list or range of values is empty"
            raise InputError(f"the sweep has no runs, because of {word}: {what}.")
    return [list(run) for run in itertools.product(*values)]


def _count(override: Override) -> int:
    """The number of values of a range, computed without listing them; 1 for anything else."""
    value = override.value()
    if not isinstance(value, RangeSweep) or not value.step:
        return 1
    assert value.start is not None
    assert value.stop is not None
    steps = (value.stop - value.start) / value.step
    return max(1, math.ceil(min(steps, LARGEST_COUNTED))) if not math.isnan(steps) else 1


def _refuse_too_many(runs: int) -> None:
    if runs > LARGEST_SWEEP:
        count = f"{runs:,}" if runs < LARGEST_COUNTED else f"more than {LARGEST_COUNTED:,}"
        raise InputError(f"the sweep has {count} runs, more than {LARGEST_SWEEP:,}: divide it into several sweeps.")


def plan_jobs(
    runs: Sequence[Sequence[str]], composer: Composer, folder_of: Callable[[Composed, Settings, int], Path]
) -> list[Job]:
    """The job of each run, in order; several may be the same run.

    `folder_of` is called with a run's config, settings and number. Runs that differ only in numbers are composed once;
    those that differ only in their seed are checked and planned once. Pictures are drawn only if `figures` is given.
    """
    composed_by_words: dict[tuple[str, ...], Composed] = {}
    settings_by_words: dict[tuple[str, ...], Settings] = {}
    jobs: list[Job] = []
    warned: set[str] = set()  # a setting of a file that has no effect is reported once
    for number, overrides in enumerate(ProgressBar(runs, "planning", unit="run", delay=2, leave=False, disable=None)):
        words, numbers = _without_numbers(overrides)
        known = composed_by_words.get(words)
        derived = known.with_numbers(overrides, numbers) if known else None
        composed = derived or composer(overrides)
        composed_by_words.setdefault(words, composed)
        without_seed = (*words, *(f"{key}={value!r}" for key, value in numbers.items() if key != "seed"))
        if derived and without_seed in settings_by_words and "seed" in numbers:
            settings = settings_by_words[without_seed].with_(seed=numbers["seed"])
        else:
            written = {key: text for key, text in composed.written.items() if text not in warned}
            warned.update(written.values())
            settings = Settings.read(composed.values, composed.typed, composed.base, written=written).with_(workers=1)
            if settings.figures == "auto":  # drawing takes ten times as long as the rest of a small run
                settings = settings.with_(figures="none")
            settings.refuse_unidentified()
            settings.refuse_impossible()
            settings_by_words.setdefault(without_seed, settings)
        jobs.append(Job(settings, folder_of(composed, settings, number), tuple(overrides)))
    return jobs


def _without_numbers(overrides: Sequence[str]) -> tuple[tuple[str, ...], dict[str, int | float]]:
    """The overrides without their numbers, and the numbers by key; a key that occurs twice keeps its numbers."""
    texts = {match["key"]: match["value"] for word in overrides if (match := _NUMBER.fullmatch(word))}
    keys = [word.partition("=")[0] for word in overrides]
    numbers: dict[str, int | float] = {
        key: int(text) if text.isdecimal() else float(text) for key, text in texts.items() if keys.count(key) == 1
    }
    words = tuple(f"{key}=" if key in numbers else word for key, word in zip(keys, overrides, strict=True))
    return words, numbers


class Launcher(Protocol):
    """A function that executes jobs: `run_jobs`, or one of `pigevo.sweeps.launchers` with its options."""

    def __call__(self, jobs: Sequence[Job], *, on_outcome: Callable[[JobOutcome], object]) -> list[JobOutcome]:
        """Execute jobs, and call `on_outcome` with each outcome as it arrives."""


def drive(jobs: Sequence[Job], overrides: Sequence[str], home: Path, launcher: Launcher) -> Path:
    """Write the sweep's record, execute its unfinished runs, print their outcomes, and return the sweep's folder.

    `home` is the folder of all sweeps; the same run may be among the jobs twice.
    """
    unique = list(each_once(jobs).values())
    folder = home / sweep_name(unique)
    refuse_alike(unique)
    for job in unique:
        refuse_strangers(job.folder)
    with locked(folder, "sweep", is_sweep):
        tidy(folder)
        write_record(folder, unique, overrides)
        outcomes = _outcomes(unique, folder, launcher)
    _conclude(outcomes, folder, any(job.settings.force for job in unique))
    return folder


def _outcomes(unique: Sequence[Job], folder: Path, launcher: Launcher) -> list[JobOutcome]:
    """Execute the unfinished jobs, and record failures as they occur."""
    done = {job for job in unique if job.is_finished}
    left = [_cleared(job) for job in unique if job not in done]
    count = counted(len(unique), "run") + (f", {len(done)} finished before" if done else "")
    bare = [job for job in done if lacks_pictures(job.folder, job.settings.figures)]
    if bare:
        count += (
            f", {len(bare)} of them without pictures: {picture_command('RUN', bare[0].settings.figures)} draws them"
        )
    LOG.info("%s: %s", display_path(folder), count)
    failures: dict[Path, str] = {}

    def on_outcome(outcome: JobOutcome) -> None:
        if outcome.state == FAILED:
            failures[outcome.job.folder] = outcome.error
            write_failures(folder, failures)

    began = time.perf_counter()
    by_folder = {outcome.job.folder: outcome for outcome in (launcher(left, on_outcome=on_outcome) if left else [])}
    outcomes = [by_folder.get(job.folder) or JobOutcome(job, FINISHED) for job in unique]
    if left:
        worked, spent = sum(outcome.seconds for outcome in outcomes), time.perf_counter() - began
        LOG.info("%.1f s of runs in %.1f s", worked, spent)
    return outcomes


def _conclude(outcomes: Sequence[JobOutcome], folder: Path, forced: bool) -> None:
    failed = [outcome for outcome in outcomes if outcome.state == FAILED]
    finished = sum(outcome.state == FINISHED for outcome in outcomes)
    count = f"{finished} of {len(outcomes)} runs are finished"
    failures = "\n".join(f"  {display_path(outcome.job.folder)}\n    {outcome.error}" for outcome in failed)
    again = "the same command" + (", without force=true," if forced else "")
    if any(outcome.state == INTERRUPTED for outcome in outcomes):
        more = f", {len(failed)} failed:\n{failures}\n" if failed else "; "
        raise Interrupted(f"stopped; {count}{more}{again} goes on from there.")
    if failed:
        hint = advice_after_changes([outcome.job for outcome in failed]) or f"{again.capitalize()} tries them again."
        raise SomeFailed(f"{count}, {len(failed)} failed:\n{failures}\n{hint}")
    LOG.info("%s; `pigevo report %s` has the answer", count, for_shell(display_path(folder)))


def advice_after_changes(failed: Sequence[Job]) -> str:
    """The advice if a user's file was changed during the sweep; empty if none was."""
    for job in failed:
        choices = job.settings.choices.values()
        if job.settings.on_generation or any(choice.user_code or choice.strategies for choice in choices):
            try:
                change = changed(Settings.read(job.settings.values, base=job.settings.base), job.settings.identity)
            except InputError as error:  # it can no longer be read
                change = str(error)
            if change:
                return (
                    f"{change.rstrip('.')}. The runs that are finished stay as they are. Change the file back, and "
                    "the same command tries the others again; with the file as it is now, it begins another sweep."
                )
    return ""


def _cleared(job: Job) -> Job:
    """Delete the results of a job that is to be repeated (`force`); returns the job without `force`."""
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

    def done(self, outcome: JobOutcome) -> None:
        """Count a job that has ended; an interrupted one stays where it is."""
        if outcome.state == INTERRUPTED:
            return
        job, generations = outcome.job, outcome.job.settings.plan.generations
        self._finished += 1
        self._failed += outcome.state == FAILED
        self._bar.update(generations - self._at.get(job.folder, 0))
        self._say()

    def _say(self) -> None:
        failed = f", {self._failed} failed" if self._failed else ""
        self._bar.set_description_str(f"{self._title}: {self._finished} of {self._runs} runs{failed}")


def run_jobs(
    jobs: Sequence[Job],
    workers: int = available_cores(),
    title: str = "sweep",
    on_outcome: Callable[[JobOutcome], object] = lambda _: None,
) -> list[JobOutcome]:
    """Execute all jobs, or the rest of them, each folder once; a failing job does not end the others.

    A finished job is skipped, an unfinished one continues from its checkpoint. Ctrl-C or a termination signal lets
    every worker save a checkpoint; a second Ctrl-C ends them at once. `on_outcome` is called with each outcome, except
    those of skipped jobs; `title` names the jobs in the progress bar.
    """
    unique = each_once(jobs)
    outcomes = {folder: JobOutcome(job, FINISHED) for folder, job in unique.items() if job.is_finished}
    left = [job for folder, job in unique.items() if folder not in outcomes]
    together = jobs_at_once(left, workers)
    with SweepBar(title, list(unique.values()), left) as bar:
        executed = _executed(left, together, bar, on_outcome)
        outcomes |= {outcome.job.folder.absolute(): outcome for outcome in executed}
    return [replace(outcomes[job.folder.absolute()], job=job) for job in jobs]


def _executed(
    jobs: Sequence[Job], workers: int, bar: SweepBar, on_outcome: Callable[[JobOutcome], object]
) -> list[JobOutcome]:
    """Execute jobs in worker processes; jobs that did not begin or end are interrupted."""
    outcomes = [JobOutcome(job, INTERRUPTED) for job in jobs]

    def on_done(done: Done) -> None:
        outcome = _outcome(jobs[done.number], done)
        if stop.requested and outcome.state != FINISHED:
            outcome = replace(outcome, state=INTERRUPTED)
        outcomes[done.number] = outcome
        bar.done(outcome)
        on_outcome(outcome)

    crew = [Worker(one_thread=True, keep_errors=True) for _ in range(max(1, min(workers, len(jobs))))]
    with Interruption() as stop, suppress(KeyboardInterrupt):
        work(
            "pigevo.sweeps.job:do", [job_record(job) for job in jobs], crew, on_done,
            on_message=lambda number, generation: bar.step(jobs[number], generation), stop=lambda: stop.requested,
        )  # fmt: skip
    return outcomes


def _outcome(job: Job, done: Done) -> JobOutcome:
    if done.error is None:
        return JobOutcome(job, *done.answer)
    if isinstance(done.error, WorkerDied | InputError):
        return JobOutcome(job, FAILED, str(done.error))
    LOG.error("%s failed", display_path(job.folder), exc_info=done.error)  # a bug in pigevo: the other runs continue
    return JobOutcome(job, FAILED, f"{type(done.error).__name__}: {first_line(done.error)}")


def jobs_at_once(jobs: Sequence[Job], workers: int) -> int:
    """The number of jobs that can run at the same time: the number of workers, or fewer if memory is short."""
    if not jobs:
        return workers
    largest = max(jobs, key=lambda job: bytes_needed(job.settings))
    refuse_too_large(largest.settings)
    available, needed = available_memory(), bytes_needed(largest.settings)
    fitting = workers if available is None else max(1, min(workers, available // needed))
    if fitting < min(workers, len(jobs)):
        LOG.warning(
            "%d runs at a time: one needs %s of memory, and there is %s",
            fitting,
            readable_bytes(needed),
            readable_bytes(available or 0),
        )
    return fitting
