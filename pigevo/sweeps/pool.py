"""Many runs at once, each in a process that may die without the others noticing.

Every worker is a process that lives for many runs, so that imports, compiled kernels and
the optimum are paid once.  A thread of this process stands for each of them: it hands over
the next job and waits for the answer, or for the death.

A worker as seen by the process that hands out the jobs.

The two speak in lines of JSON.  The worker lies in a session of its own: a Ctrl-C in the
terminal reaches only the one process that knows what to do about it.
"""

from __future__ import annotations

import json
import logging
import os
import queue
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import IO, Any

from pigevo.core.import_path import working_folder
from pigevo.core.memory import available, readable_bytes
from pigevo.core.threads import available_cores
from pigevo.runs.interruption import Interruption
from pigevo.runs.memory_estimate import bytes_needed, refuse_too_large
from pigevo.storage.cache_dirs import display_path as shown_path
from pigevo.sweeps.job import FAILED, FINISHED, INTERRUPTED, Job, Outcome, each_once
from pigevo.sweeps.run_sweep import SweepBar
from pigevo.sweeps.serve import first_line, job_record
from pigevo.workers.entry import answers, words_of

ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")

DEATH_SECONDS = 5.0
"""Seconds that a worker which no longer speaks has for ending by itself."""


class Worker:
    """A process that does one job after the other; after its death a fresh one takes over."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._errors: IO[str] | None = None
        self._lock = threading.Lock()
        self._stopped = False

    def do(self, job: Job, on_generation: Callable[[int], object]) -> Outcome:
        """Do a job, whatever becomes of it.

        Args:
            job: the job.
            on_generation: is called now and then with the generation that the run stands at.
        """
        try:
            process = self._living()
            if process is None:
                return Outcome(job, FAILED, "stopped before it began")
            assert process.stdin is not None
            assert process.stdout is not None
            print(json.dumps(job_record(job)), file=process.stdin, flush=True)
            for answer in answers(process.stdout):
                if "state" in answer:
                    return Outcome(job, **answer)
                if "generation" in answer:
                    on_generation(answer["generation"])
        except OSError as error:  # it died while it was spoken to
            if self._process is None:
                return Outcome(job, FAILED, f"no worker could be started: {error}")
        return Outcome(job, FAILED, self._death())

    def stop(self) -> None:
        """Ask the run at work to save a checkpoint and end."""
        with self._lock:
            self._stopped = True
            if self._process is not None:
                self._process.terminate()

    def kill(self) -> None:
        """End the process at once."""
        with self._lock:
            self._stopped = True
            if self._process is not None:
                self._process.kill()
                self._process.wait()

    def renew(self) -> None:
        """End the process at once; the next job gets a fresh one."""
        with self._lock:
            if self._process is not None:
                self._process.kill()
                self._process.wait()
                self._process = None
            if self._errors is not None:
                self._errors.close()

    def close(self) -> None:
        """Let the process end by itself: there are no more jobs."""
        with self._lock:
            if self._process is not None and self._process.stdin is not None:
                with suppress(OSError):  # it is dead already
                    self._process.stdin.close()

    def _living(self) -> subprocess.Popen[str] | None:
        """The process, a new one if there is none; None where it was told to stop."""
        with self._lock:
            if self._stopped:
                return None
            if self._process is None:
                self._errors = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115
                self._process = subprocess.Popen(
                    words_of("pigevo.sweeps.serve"),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=self._errors,
                    text=True,
                    encoding="utf-8",
                    errors="replace",
                    env=_environment(),
                    start_new_session=True,
                )
            return self._process

    def _death(self) -> str:
        """How the process ended, in a few words."""
        assert self._process is not None
        assert self._errors is not None
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(DEATH_SECONDS)
        if self._process.poll() is None:  # alive, but not understood
            self._process.kill()
        status = self._process.wait()
        self._errors.seek(0)
        last = self._errors.read().strip().rpartition("\n")[2]
        self._errors.close()
        with self._lock:
            self._process = None
        if status < 0:
            return f"killed by signal {-status} ({signal.strsignal(-status)})"
        return f"its process ended with status {status}" + (f": {last}" if last else "")


def _environment() -> dict[str, str]:
    """That of this process; the working folder is asked for modules last, and numeric libraries keep to one core."""
    named = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    paths = [place for place in named if place and os.path.abspath(place) != working_folder()]
    alone = {name: "1" for name in ONE_THREAD if name not in os.environ}
    return {**os.environ, **alone, "PYTHONPATH": os.pathsep.join(paths)}


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
            "%d runs at a time: one needs %s of memory, and there is %s",
            fitting,
            readable_bytes(needed),
            readable_bytes(there or 0),
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
