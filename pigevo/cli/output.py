"""The streams of the process: what pigevo says on them, and what if they are closed or full.

An answer that cannot be given is told in one line; a remark that cannot is lost, and costs nothing.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TextIO

from pigevo.telling import LONGEST_SENTENCE, clipped, visible


def open_streams() -> None:
    """Give standard input and standard error a place where they are closed, and see to it that any text can be said.

    Else the next file to be opened, a lock or a result, would have the number of the closed stream, and what is
    said there would go into it.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):  # a program that calls `main` may have its own
            reconfigure(errors="backslashreplace")


def say(text: str, end: str = "\n") -> None:
    """Print an answer on standard output, with nothing in it that a terminal would obey."""
    print(visible(text), end=end, flush=end != "\n")


def remark(text: str, end: str = "\n") -> None:
    """Print lines on standard error, if that takes them."""
    try:
        print(visible(text), end=end, file=sys.stderr, flush=True)
    except OSError:
        end_stream(sys.stderr)


def complain(sentence: str) -> None:
    """Print what was wrong on standard error: one line."""
    remark(f"pigevo: {clipped(sentence, LONGEST_SENTENCE)}")


def lost_output(more: str = "") -> str | None:
    """The sentence about a standard output that does not take what was printed, or `more`; None if it does."""
    try:
        sys.stdout.write(more)
        sys.stdout.flush()
        return None
    except OSError as error:
        end_stream(sys.stdout)
        return f"standard output cannot be written: {error.strerror}."


def end_stream(stream: TextIO) -> None:
    """Give Python, which flushes a stream once more at exit, a place where that works."""
    with suppress(OSError, ValueError):  # it need not be a file
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
