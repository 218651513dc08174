"""A worker, which reads jobs from standard input and does them; `pigevo/workers/entry.py` begins it.

Whatever a run prints goes to its `run.log`.  When nobody is left to read the answers, the
run at work saves a checkpoint and the worker ends.
"""

from __future__ import annotations

import json
import logging
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from pigevo.errors import InputError
from pigevo.storage.files import no_link, place_in
from pigevo.sweeps.job import FAILED, FINISHED, INTERRUPTED, Job, changed

REPORT_SECONDS = 0.5
"""Seconds between two reports of the generation."""

LOCK_SECONDS = 20.0
"""Seconds to wait for a folder that another process holds: that of a driver that has died, say."""

LOG = logging.getLogger("pigevo")


def main() -> None:
    """Do jobs until there are no more."""
    _be_the_first_to_die()
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what anything else prints is no answer
    jobs: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(jobs,), daemon=True).start()

    def say(**answer: Any) -> None:
        with suppress(OSError):  # nobody is left to read it: the run is stopped by `_read`, and saves a checkpoint
            print(json.dumps(answer), file=answers, flush=True)

    while (line := jobs.get()) is not None:
        job = json.loads(line)
        begin = time.perf_counter()
        state, error = do(job, lambda generation: say(generation=generation))
        say(state=state, error=error, seconds=time.perf_counter() - begin)


def job_record(job: Job) -> dict[str, Any]:
    """What a worker must be told of a job, as plain values."""
    return {
        "values": job.settings.values,
        "identity": job.settings.identity,
        "base": dict(job.settings.base),
        "folder": str(job.folder.absolute()),
        "overrides": list(job.overrides),
        "pictures": job.pictures,
    }


def do(job: Mapping[str, Any], on_generation: Callable[[int], object], redirect: bool = True) -> tuple[str, str]:
    """One run; what it prints and its errors go to its folder.

    Args:
        job: what `job_record` says of it.
        on_generation: is called now and then with the number of the generation.
        redirect: whether all that this process prints goes to `run.log` from now on.

    Returns:
        finished, failed or interrupted, and the first line of the error.
    """
    from pigevo.runs import run
    from pigevo.runs.folder import make
    from pigevo.runs.progress import begin_logging
    from pigevo.settings.settings import Settings

    folder, seldom = Path(job["folder"]), _seldom(on_generation)
    try:
        make(folder)
    except InputError as error:  # there is no place for a log
        return FAILED, first_line(error)
    try:
        begin_logging(folder, console=False)
        if redirect:
            _redirect(folder)
        settings = Settings.read(job["values"], base=job["base"])
        if said := changed(settings, job["identity"]):
            raise InputError(said)
        _patiently(lambda: run(settings, folder, job["overrides"], job["pictures"], lambda found: seldom(found.number)))
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
    """The first line of an error's message, or its kind where it says nothing."""
    return next(iter(str(error).splitlines()), "") or type(error).__name__


def _patiently(action: Callable[[], object]) -> None:
    """Do it, waiting a while for the process that holds the folder."""
    from pigevo.storage.lock import InUse

    until = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            action()
            return
        except InUse:
            if time.monotonic() > until:
                raise
            time.sleep(REPORT_SECONDS)


def _read(jobs: queue.SimpleQueue[str | None]) -> None:
    """Hand on the jobs as they come in; at the end of them, stop the run at work."""
    for line in sys.stdin:
        jobs.put(line)
    jobs.put(None)
    os.kill(os.getpid(), signal.SIGTERM)


def _seldom(callback: Callable[[int], object]) -> Callable[[int], None]:
    """The callback, left out where it was called a moment ago."""
    last = -REPORT_SECONDS

    def called(generation: int) -> None:
        nonlocal last
        if time.monotonic() - last >= REPORT_SECONDS:
            last = time.monotonic()
            callback(generation)

    return called


def _redirect(folder: Path) -> None:
    """From now on, standard output and error go to the end of a run's `run.log`."""
    try:
        with open(place_in(folder, "run.log"), "a", opener=no_link) as file:
            for stream in (1, 2):
                os.dup2(file.fileno(), stream)
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror}.") from error


def _be_the_first_to_die() -> None:
    """Where memory runs out, Linux shall end a worker, which the sweep survives, and not the driver."""
    try:
        Path("/proc/self/oom_score_adj").write_text("800")
    except OSError:  # another system, or not allowed: nothing is lost
        return
