"""Answers from standard input: one key at a terminal, a line of a file or a pipe."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator

import click

NO_LETTER = ("\x1b", "\x00", "\xe0")
"""What an arrow and the like begin with, on Unix and on Windows."""

LONGEST_LINE = 1_000
"""Characters of a line that are read at once; the rest is the next answer."""


def answers() -> tuple[Iterator[str], bool]:
    """The answers that come on standard input, and whether they can be seen there already.

    A key answers where standard input is a terminal that can send keys, a line elsewhere, as in `yes r | pigevo play`;
    the Enter key and an empty line are "". The end of the input ends them.
    """
    if not sys.stdin.isatty():
        return _lines(), False
    if os.environ.get("TERM") == "dumb":  # it sends lines, and shows what is typed
        return _lines(), True
    return _keys(click.getchar), False


def _keys(read: Callable[[], str]) -> Iterator[str]:
    """Key after key.

    Args:
        read: waits for what is typed, which may be several keys; Ctrl-C interrupts it, and Ctrl-D ends.
    """
    while True:
        try:
            typed = read()
        except (EOFError, OSError):  # the latter where the terminal is gone
            return
        if not typed:
            return
        if typed.startswith(NO_LETTER):
            yield "an arrow"
            continue
        for key in typed:
            if key == "\x03":
                raise KeyboardInterrupt
            if key == "\x04":
                return
            yield "" if key in "\r\n" else key


def _lines() -> Iterator[str]:
    if reconfigure := getattr(sys.stdin, "reconfigure", None):
        reconfigure(errors="replace")  # whatever comes is an answer, or none
    while line := sys.stdin.readline(LONGEST_LINE):
        yield line.strip()
