"""Many runs at once, each in a process that may die without the others noticing.

Every worker is a process that lives for many runs, so that imports, compiled kernels and
the optimum are paid once.  A thread of this process stands for each of them: it hands over
the next job and waits for the answer, or for the death.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from pigevo.memory import available, shown
from pigevo.places import shown as shown_path
from pigevo.runs.interruption import Interruption
from pigevo.runs.need import bytes_needed, refuse_too_large
from pigevo.sweeps.bar import SweepBar
from pigevo.sweeps.job import FAILED, FINISHED, INTERRUPTED, Job, Outcome, each_once
from pigevo.sweeps.serve import first_line
from pigevo.sweeps.worker import Worker
from pigevo.threads import available_cores

LOG = logging.getLogger(__name__)

__all__ = ["Job", "Outcome", "run_jobs"]

LISTEN_SECONDS = 0.2
"""Seconds after which a request to stop is surely noticed."""


def run_jobs(
    jobs: Sequence[Job],
    workers: int = available_cores(),
    title: str = "sweep",
    on_outcome: Callable[[Outcome], object] = lambda _: None,
) -> list[Outcome]:
    """Do all jobs, or what is left of them, and outlive those that fail.

    A finished job is skipped, an unfinished one goes on from its checkpoint.  Ctrl-C or a
    termination signal lets every worker save a checkpoint; a second Ctrl-C ends them at once.

    Args:
        jobs: the runs; those with the same folder are one.
        workers: processes; no result depends on it.
        title: what the bar on standard error calls them.
        on_outcome: is called with each outcome when it is there, those of skipped jobs aside.

    Returns:
        What became of each, in the order of the jobs.

    Raises:
        InputError: two different runs would share a folder, or there is not enough memory for one of them;
            nothing was begun.
    """
    unique = each_once(jobs)
    outcomes = {folder: Outcome(job, FINISHED) for folder, job in unique.items() if job.is_finished}
    left = [job for folder, job in unique.items() if folder not in outcomes]
    together = at_once(left, workers)
    with SweepBar(title, list(unique.values()), left) as bar:
        outcomes |= {o.job.folder.absolute(): o for o in _Pool(left, together, bar, on_outcome).work()}
    return [replace(outcomes[job.folder.absolute()], job=job) for job in jobs]


def at_once(jobs: Sequence[Job], workers: int) -> int:
    """How many of the jobs can be done at the same time: so many workers, or fewer where memory is short.

    Raises:
        InputError: there is not enough memory for one of them alone.
    """
    if not jobs:
        return workers
    largest = max(jobs, key=lambda job: bytes_needed(job.settings))
    refuse_too_large(largest.settings)
    there, needed = available(), bytes_needed(largest.settings)
    fitting = workers if there is None else max(1, min(workers, there // needed))
    if fitting < min(workers, len(jobs)):
        LOG.warning(
            "%d runs at a time: one needs %s of memory, and there is %s", fitting, shown(needed), shown(there or 0)
        )
    return fitting


class _Pool:
    """The workers, the jobs they still have to be given, and what they say."""

    def __init__(
        self, jobs: Sequence[Job], workers: int, bar: SweepBar, on_outcome: Callable[[Outcome], object]
    ) -> None:
        self._jobs = jobs
        self._bar = bar
        self._on_outcome = on_outcome
        self._waiting: queue.SimpleQueue[Job] = queue.SimpleQueue()
        self._said: queue.SimpleQueue[Callable[[], Any]] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self._outcomes: dict[Path, Outcome] = {}
        self._workers = [Worker() for _ in range(max(1, min(workers, len(jobs))))]
        for job in jobs:
            self._waiting.put(job)

    def work(self) -> list[Outcome]:
        threads = [threading.Thread(target=self._serve, args=(worker,), daemon=True) for worker in self._workers]
        with Interruption() as stop:
            try:
                for thread in threads:
                    thread.start()
                while any(thread.is_alive() for thread in threads) or not self._said.empty():
                    self._listen()
                    if stop.requested and not self._stopping.is_set():
                        self._stop()
            except KeyboardInterrupt:
                self._stopping.set()
            finally:
                for worker in self._workers:
                    worker.kill()
        return [self._outcomes.get(job.folder, Outcome(job, INTERRUPTED)) for job in self._jobs]

    def _listen(self) -> None:
        try:
            self._said.get(timeout=LISTEN_SECONDS)()
        except queue.Empty:
            return

    def _stop(self) -> None:
        self._stopping.set()
        for worker in self._workers:
            worker.stop()

    def _serve(self, worker: Worker) -> None:
        """The life of a worker's thread."""
        while not self._stopping.is_set():
            try:
                job = self._waiting.get_nowait()
            except queue.Empty:
                break
            try:
                outcome = worker.do(job, partial(self._on_generation, job))
            except Exception as error:  # of pigevo's own: the other runs go on
                LOG.exception("%s failed", shown_path(job.folder))
                outcome = Outcome(job, FAILED, f"{type(error).__name__}: {first_line(error)}")
                worker.renew()
            if self._stopping.is_set() and outcome.state != FINISHED:
                outcome = replace(outcome, state=INTERRUPTED)
            self._said.put(partial(self._done, outcome))
        worker.close()

    def _on_generation(self, job: Job, generation: int) -> None:
        self._said.put(partial(self._bar.step, job, generation))

    def _done(self, outcome: Outcome) -> None:
        self._outcomes[outcome.job.folder] = outcome
        self._bar.done(outcome)
        self._on_outcome(outcome)
