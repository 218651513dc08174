"""Many runs at the same time, each in a worker process that may die without affecting the others."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from pigevo.core.machine import available, available_cores, readable_bytes
from pigevo.errors import InputError
from pigevo.runs.progress import Interruption
from pigevo.runs.stepper import bytes_needed, refuse_too_large
from pigevo.storage.cache_dirs import display_path
from pigevo.sweeps.job import FAILED, FINISHED, INTERRUPTED, Job, Outcome, each_once, first_line, job_record
from pigevo.sweeps.run_sweep import SweepBar
from pigevo.workers.pool import Done, Worker, WorkerDied, work

LOG = logging.getLogger(__name__)


def run_jobs(
    jobs: Sequence[Job],
    workers: int = available_cores(),
    title: str = "sweep",
    on_outcome: Callable[[Outcome], object] = lambda _: None,
) -> list[Outcome]:
    """Execute all jobs, or the rest of them, each folder once; a failing job does not end the others.

    A finished job is skipped, an unfinished one continues from its checkpoint. Ctrl-C or a termination signal lets
    every worker save a checkpoint; a second Ctrl-C ends them at once. `on_outcome` is called with each outcome, except
    those of skipped jobs; `title` names the jobs in the progress bar.
    """
    unique = each_once(jobs)
    outcomes = {folder: Outcome(job, FINISHED) for folder, job in unique.items() if job.is_finished}
    left = [job for folder, job in unique.items() if folder not in outcomes]
    together = at_once(left, workers)
    with SweepBar(title, list(unique.values()), left) as bar:
        outcomes |= {o.job.folder.absolute(): o for o in _done(left, together, bar, on_outcome)}
    return [replace(outcomes[job.folder.absolute()], job=job) for job in jobs]


def _done(jobs: Sequence[Job], workers: int, bar: SweepBar, on_outcome: Callable[[Outcome], object]) -> list[Outcome]:
    """Execute jobs in worker processes; jobs that did not begin or end are interrupted."""
    outcomes = [Outcome(job, INTERRUPTED) for job in jobs]

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
            "pigevo.sweeps.job:do",
            [job_record(job) for job in jobs],
            crew,
            on_done,
            on_message=lambda number, generation: bar.step(jobs[number], generation),
            stop=lambda: stop.requested,
        )
    return outcomes


def _outcome(job: Job, done: Done) -> Outcome:
    if done.error is None:
        return Outcome(job, *done.answer)
    if isinstance(done.error, WorkerDied | InputError):
        return Outcome(job, FAILED, str(done.error))
    LOG.error("%s failed", display_path(job.folder), exc_info=done.error)  # a bug in pigevo: the other runs continue
    return Outcome(job, FAILED, f"{type(done.error).__name__}: {first_line(done.error)}")


def at_once(jobs: Sequence[Job], workers: int) -> int:
    """The number of jobs that can run at the same time: the number of workers, or fewer if memory is short."""
    if not jobs:
        return workers
    largest = max(jobs, key=lambda job: bytes_needed(job.settings))
    refuse_too_large(largest.settings)
    there, needed = available(), bytes_needed(largest.settings)
    fitting = workers if there is None else max(1, min(workers, there // needed))
    if fitting < min(workers, len(jobs)):
        LOG.warning(
            "%d runs at a time: one needs %s of memory, and there is %s",
            fitting,
            readable_bytes(needed),
            readable_bytes(there or 0),
        )
    return fitting
