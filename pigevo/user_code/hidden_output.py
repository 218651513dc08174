"""Hides what users' strategies print, and lets them ask nothing: one is called for hundreds of thousands of states."""

from __future__ import annotations

import io
import logging
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

LOG = logging.getLogger("pigevo")

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
