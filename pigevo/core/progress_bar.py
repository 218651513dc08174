"""Progress bars for long work."""

from __future__ import annotations

import math
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, ClassVar

import tqdm

from pigevo.core.text import counted

LINE_SECONDS = 60.0  # the seconds between two lines of a bar that is not on a terminal

UNKNOWN_WIDTH, UNKNOWN_HEIGHT = 79, 20  # of a terminal that does not tell its own size


def _columns_of(stream: Any) -> int | None:
    """The columns of a terminal, 0 if it does not tell them; None if the stream is no terminal."""
    with suppress(OSError, ValueError, AttributeError):
        return os.get_terminal_size(stream.fileno()).columns
    return None


def duration_in_words(seconds: float) -> str:
    """A duration in words: `about 12 minutes`."""
    for unit, size, most in (("second", 1, 90), ("minute", 60, 90), ("hour", 3600, 48), ("day", 86400, math.inf)):
        count = round(seconds / size)
        if count < most:
            return f"about {counted(count, unit)}"
    raise AssertionError


class ProgressBar(tqdm.tqdm):  # type: ignore[misc]
    """A tqdm bar that is locked between threads only; without a terminal, a line a minute replaces it.

    tqdm's default lock also works between processes: it takes a system semaphore and, from Python 3.14 on, a process
    that watches it. Two processes of pigevo never draw the same bar.
    """

    _lock: ClassVar[threading.RLock] = threading.RLock()
    monitor_interval = 0  # no thread that stays in the process of the caller; each step looks at the clock instead

    def __init__(self, *iterables: object, **options: Any) -> None:
        self.desc, self.initial = options.get("desc") or "", options.get("initial", 0)
        options = {"miniters": 1} | options
        stream = options.get("file") or sys.stderr
        if _is_closed(stream):
            options["disable"] = True
        if _columns_of(stream) == 0:  # tqdm would draw a bar of no width
            options = {"ncols": UNKNOWN_WIDTH, "nrows": UNKNOWN_HEIGHT} | options
        super().__init__(*iterables, **options)
        self._by_lines = bool(self.disable and options.get("disable", False) is None)
        self._began = self._line = time.monotonic()

    def __iter__(self) -> Iterator[Any]:
        """Iterate, and count each item."""
        if not self._by_lines:
            yield from super().__iter__()
            return
        for item in self.iterable:
            yield item
            self.update()

    def update(self, n: float | None = 1) -> bool | None:
        """Count `n` more; without a terminal this writes a line from time to time."""
        if not self._by_lines:
            drawn: bool | None = super().update(n)
            return drawn
        self.n += n or 0
        now = time.monotonic()
        if now - self._line >= LINE_SECONDS:
            self._line = now
            with suppress(OSError, ValueError):  # standard error is closed or full
                print(self._words(now - self._began), file=sys.stderr, flush=True)
        return None

    def _words(self, seconds: float) -> str:
        title = f"{self.desc}: " if self.desc else ""
        done = self.n - self.initial
        if not self.total or done <= 0:
            return f"{title}{duration_in_words(seconds)} so far"
        left = max(0.0, seconds / done * (self.total - self.n))
        spent, ahead = duration_in_words(seconds), duration_in_words(left)
        return f"{title}{100 * self.n / self.total:.0f} % after {spent}, {ahead} to go"


def _is_closed(stream: object) -> bool:
    """Whether nothing can be written: there is no stream, or it is closed or detached."""
    try:
        return stream is None or bool(getattr(stream, "closed", False))
    except ValueError:
        return True
