"""A worker as seen by the process that hands out the jobs.

The two speak in lines of JSON.  The worker lies in a session of its own: a Ctrl-C in the
terminal reaches only the one process that knows what to do about it.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import IO

from pigevo.begin import answers, words_of
from pigevo.import_path import working_folder
from pigevo.sweeps.job import FAILED, Job, Outcome
from pigevo.sweeps.serve import told

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
            print(json.dumps(told(job)), file=process.stdin, flush=True)
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
