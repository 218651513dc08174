"""The streams of the process: what pigevo says on them, and what if they are closed or full.

An answer that cannot be given is reported in one line; a remark that cannot is lost, and costs nothing.

Pictures that a command writes: of which format, and where.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from pigevo.core.text import LONGEST_SENTENCE, clipped, visible
from pigevo.errors import InputError
from pigevo.figures import FORMATS
from pigevo.storage.files import refuse_unwritable, write_bytes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDEST = 120
"""Columns of the widest line of text that is comfortable to read."""


def text_width(elsewhere: int = 100) -> int:
    """The columns that sentences may take: those of the terminal, from 60 to 120; `elsewhere` where there is none."""
    return max(60, min(shutil.get_terminal_size((elsewhere, 24)).columns, WIDEST))


def wrapped(text: str, first: str = "  ", rest: str | None = None) -> list[str]:
    """The lines of a text in the width of the terminal; the first one begins with `first`, the others with `rest`."""
    return textwrap.wrap(text, text_width(), initial_indent=first, subsequent_indent=first if rest is None else rest)


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


PLACE = Path("outputs", "pictures")
"""Where pictures lie of which nobody said where."""


def picture_file(to: Path | None, kind: str | None, names: list[str]) -> Path:
    """The file of a picture of things with these names: the one that was named, or one in `PLACE`."""
    if to is None:
        return PLACE / f"{'_'.join(map(safe_name, names))}.{kind or FORMATS[0]}"
    ending = to.suffix.lower().lstrip(".")
    if ending not in FORMATS or (kind is not None and ending != kind):
        raise InputError(f"{to}: the name of a picture must end with .{kind or ' or .'.join(FORMATS)}.")
    return to


def refuse_picture(to: Path | None) -> None:
    """Refuse a picture's file that cannot be written, before what is drawn is computed."""
    if to is not None:
        refuse_unwritable(picture_file(to, None, []))


def save_picture(file: Path, axes: Any) -> str:
    """Write what a `plot_*` function returned to a file; its path."""
    from pigevo.figures.axes import figure_of, save_figure

    return str(save_figure(file, figure_of(axes)))


PAGES = ("pdf", "html")
"""Formats of pages to print."""


def page_files(to: Path | None, name: str, what: str, hint: str = "") -> list[Path]:
    """The files of a page to print: the one that was named, or one of either format in `PLACE`."""
    if to is None:
        return [PLACE / f"{name}.{kind}" for kind in PAGES]
    if to.suffix.lower().lstrip(".") not in PAGES:
        raise InputError(f"{to}: the name of a {what} must end with .{' or .'.join(PAGES)}{hint}.")
    return [to]


def write_page(file: Path, pdf: Callable[[], Figure], html: Callable[[], bytes]) -> Path:
    """Write a page to print in the format of the file's name."""
    if file.suffix.lower() != ".pdf":
        return write_bytes(file, html())
    from pigevo.figures.axes import save_figure

    return save_figure(file, pdf())


def safe_name(name: str) -> str:
    """A name as a part of a file's name."""
    return re.sub(r"[^\w.+=-]+", "-", name, flags=re.ASCII).strip("-.")[:60] or "strategy"
