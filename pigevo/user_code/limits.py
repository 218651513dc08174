"""What a call of a function of a user may take and print: a limit of time, and no output.

The limit of time is kept in this process, in any thread and on every system.  A watching thread raises an error in the
thread that calls.  Python raises it between two of its instructions: a function that waits in compiled code, such as
`time.sleep(1e9)`, is interrupted only when it returns from there.

A strategy is called for hundreds of thousands of states: what it prints is hidden, and it can ask nothing.
"""

from __future__ import annotations

import ctypes
import io
import logging
import math
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import TextIO, TypeVar

from pigevo.errors import InputError

LOG = logging.getLogger("pigevo")

T = TypeVar("T")

SECONDS, MOST_SECONDS = 60.0, 100_000.0
"""Seconds of processor time that a call may take, and the most that may be asked for.

They are of wall-clock time where the system does not tell a thread's.
"""

PATIENCE = 10
"""The limit of wall-clock time as a multiple of processor time: a function may sleep, and the machine may be busy."""

WORD_SECONDS = 5.0  # before it is said what a call waits for

LOOK_SECONDS = 0.2  # between two looks at the clock, and what a function may use between two interruptions

_seconds: ContextVar[float] = ContextVar("seconds", default=SECONDS)
_watched: ContextVar[bool] = ContextVar("watched", default=False)


OF_PROCESSOR = " of processor time"

_KNOWS_THREADS = hasattr(time, "pthread_getcpuclockid")  # whether the system tells a thread's processor time


class TimeIsUp(BaseException):
    """A user's function has taken longer than its limit; its own `except Exception` does not catch this."""

    def __str__(self) -> str:
        return too_long(_seconds.get(), OF_PROCESSOR if _KNOWS_THREADS else "")


class ClockTimeIsUp(TimeIsUp):
    """It has taken longer than its limit of wall-clock time, as a function that sleeps does."""

    def __str__(self) -> str:
        return too_long(PATIENCE * _seconds.get())


def too_long(seconds: float, where: str = "") -> str:
    """The sentence about a function that has taken longer than its limit."""
    return f"it takes more than {seconds:g} s{where}; perhaps it never ends"


def refuse_timeout(seconds: float) -> None:
    """Refuse a limit that no call could keep, or that is none."""
    if not 0 < seconds <= MOST_SECONDS:
        raise InputError(f"a timeout must be above 0 and at most {MOST_SECONDS:,.0f} s, not {seconds:g} s.")


@contextmanager
def limit_of(seconds: float) -> Iterator[None]:
    """A context with another limit."""
    before = _seconds.set(seconds)
    try:
        yield
    finally:
        _seconds.reset(before)


def limited(call: Callable[[], T], name: str) -> T:
    """Return the result of a call of the function `name`; `TimeIsUp` is raised in it after the limit.

    After a few seconds a line says that the function is still at work, and how long it may be.

    A call inside such a call has no limit of its own: otherwise two errors could be raised, the second after the first
    was handled.
    """
    if _watched.get() or _seconds.get() == math.inf:
        return call()
    watch = _Watch(_seconds.get(), name)
    outside = _watched.set(True)
    try:
        try:
            watch.start()
            return call()
        finally:
            watch.finish()
    finally:
        watch.finish()  # an interruption may come even in the line above, and the next one not so soon
        _watched.reset(outside)


class _Watch(threading.Thread):
    """A thread that interrupts the thread that made it."""

    def __init__(self, seconds: float, called: str) -> None:
        super().__init__(daemon=True)
        self._seconds, self._called, self._thread = seconds, called, threading.get_ident()
        self._clock = time.pthread_getcpuclockid(self._thread) if _KNOWS_THREADS else None
        self._began, self._before = time.monotonic(), self._used()
        self.finished, self._lock, self._has_interrupted = threading.Event(), threading.Lock(), False

    def run(self) -> None:
        limit, is_silent = self._seconds, True
        while not self.finished.wait(LOOK_SECONDS):
            if is_silent and time.monotonic() - self._began > WORD_SECONDS:
                is_silent = False
                LOG.warning("%s is still at work; it may take %g s of processor time", self._called, self._seconds)
            with self._lock:
                if self.finished.is_set():
                    return
                by_processor, by_clock = self._used() - self._before, (time.monotonic() - self._began) / PATIENCE
                used = max(by_processor, by_clock)
                if used > limit:
                    self._interrupt(TimeIsUp if by_processor > limit else ClockTimeIsUp)
                    limit = used + LOOK_SECONDS  # on a busy machine the error needs time to come out

    def _used(self) -> float:
        return time.clock_gettime(self._clock) if self._clock is not None else time.monotonic()

    def finish(self) -> None:
        """End the watch, in the watched thread, and catch an interruption that is still pending."""
        with self._lock:
            self.finished.set()
        if self._has_interrupted:
            # Raised and caught, and not cancelled by NULL: Python 3.11 hangs under a profiler or a debugger after that.
            with suppress(TimeIsUp):
                while True:  # a signal's handler may have caught it
                    self._interrupt(TimeIsUp)

    def _interrupt(self, error: type[BaseException]) -> None:
        self._has_interrupted = True
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread), ctypes.py_object(error))


_told: set[str] = set()  # the absolute paths of the files that a line has named


class _Nowhere(io.RawIOBase):
    """A stream that only notes whether something was written."""

    written = False

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        size = memoryview(data).nbytes  # type: ignore[arg-type]
        self.written |= size > 0
        return size


class _Hidden(io.TextIOWrapper):
    """A text stream to nowhere; what other threads than the one that made it print is printed."""

    def __init__(self, nowhere: _Nowhere, shown: TextIO | None) -> None:
        super().__init__(nowhere, encoding="utf-8", errors="backslashreplace")  # type: ignore[arg-type]
        self.shown, self.thread = shown, threading.get_ident()

    def write(self, text: str, /) -> int:
        if self.shown is None or threading.get_ident() == self.thread:
            return super().write(text)
        return self.shown.write(text)

    def flush(self) -> None:
        if self.shown is None or threading.get_ident() == self.thread:
            super().flush()
        else:
            self.shown.flush()


@contextmanager
def hidden_output(file: str) -> Iterator[None]:
    """A context in which this thread prints nothing on standard output; a line, once for each file, says that it does.

    Standard input is empty, since a prompt would be hidden. Both belong to all threads, so this is so in the main
    thread only.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    nowhere = _Nowhere()
    asked, shown = sys.stdin, sys.stdout
    stream = _Hidden(nowhere, shown)
    try:
        sys.stdin, sys.stdout = io.StringIO(), stream
        yield
    finally:
        sys.stdin, sys.stdout = asked, shown  # no call comes before, in which a time limit could raise an error
        stream.flush()
        path = os.path.abspath(os.path.expanduser(file))
        if nowhere.written and path not in _told:
            _told.add(path)
            LOG.warning("%s prints: its output is not shown", os.path.basename(path))
