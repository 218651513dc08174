"""The standard streams: printing on them, and what happens if they are closed or full.

An answer that cannot be printed is reported in one line; a remark that cannot be printed is dropped.

Also the format and the location of pictures that commands write.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from pigevo.core.text import LONGEST_SENTENCE, clipped, lines_of, safe_name, visible
from pigevo.errors import InputError
from pigevo.figures import FORMATS
from pigevo.storage.files import refuse_unwritable, telling_replaced, write_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from pigevo.figures.axes import Panels
    from pigevo.games import Game

NEGATIVE_STATUS = 1
"""The exit status of a command whose answer is no, or a part of whose work failed; a wrong input has 2."""

LEAST_WIDTH = 40  # the width of the narrowest terminal for which lines are broken
MOST_INDENT = 20  # the largest indent of a line that goes on
WIDEST = 120  # the width in characters of the longest line that is comfortable to read


def text_width(elsewhere: int = 100) -> int:
    """The width for sentences: that of the terminal, from 60 to 120; `elsewhere` if there is no terminal."""
    return max(60, min(shutil.get_terminal_size((elsewhere, 24)).columns, WIDEST))


def wrapped(text: str, first: str = "  ", rest: str | None = None) -> list[str]:
    """The lines of a text in the width of the terminal; the first line begins with `first`, the others with `rest`."""
    return lines_of(text, text_width(), first if rest is None else rest, first)


def terminal_width() -> int | None:
    """The width of the terminal that answers are printed on; None if they go elsewhere, or if it is very narrow."""
    width = shutil.get_terminal_size().columns
    return width if sys.stdout.isatty() and width >= LEAST_WIDTH else None


def fitted(text: str) -> str:
    """The text with lines that are too long for the terminal broken between words.

    In a file, sentences alone are broken, and only if COLUMNS gives a width: programs read tables by line. Commands
    stay whole, because they are copied.
    """
    width = terminal_width()
    whole = [_is_command] if width is not None else [_is_command, _is_row]
    if width is None:
        if "COLUMNS" not in os.environ:
            return text
        width = text_width()
    return "\n".join(
        line if len(line) <= width or any(stays(line) for stays in whole) else
        "\n".join(lines_of(line, width, _below(line)))
        for line in text.split("\n")
    )  # fmt: skip


def _is_command(line: str) -> bool:
    return line.split()[:1] in (["pigevo"], ["python"])


def _is_row(line: str) -> bool:
    """Whether a line has more columns than a label and its sentence."""
    return len(re.findall(r"\S {2,}(?=\S)", line)) > 1


def _below(line: str) -> str:
    """The indent of what follows a line: that of its second column, or of its beginning."""
    beginning = re.match(r" *(\S+( \S+)* {2,})?", line)
    assert beginning is not None  # it may be empty
    columns = beginning.end()
    return " " * (columns if columns <= MOST_INDENT else len(line) - len(line.lstrip()) + 2)


def open_streams() -> None:
    """Open standard input and standard error if they are closed, and make sure that any text can be printed.

    Otherwise the next opened file, a lock or a result, would get the number of the closed stream, and messages would be
    written into it.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):  # a program that calls `main` may have its own streams
            reconfigure(errors="backslashreplace")


def say(text: str, end: str = "\n") -> None:
    """Print an answer on standard output, without control characters."""
    print(visible(text), end=end, flush=end != "\n")


def remark(text: str, end: str = "\n") -> None:
    """Print lines on standard error, if possible."""
    _print_error(fitted(text), end)


def _print_error(text: str, end: str = "\n") -> None:
    try:
        print(visible(text), end=end, file=sys.stderr, flush=True)
    except OSError:
        end_stream(sys.stderr)


def complain(sentence: str) -> None:
    """Print an error on standard error, on one line."""
    _print_error(f"pigevo: {clipped(sentence, LONGEST_SENTENCE)}")


def lost_output(more: str = "") -> str | None:
    """Flush standard output; return None, or a sentence if it cannot be written.

    Flushing an empty buffer shows no error; writing `more` first does.
    """
    try:
        sys.stdout.write(more)
        sys.stdout.flush()
        return None
    except OSError as error:
        end_stream(sys.stdout)
        return f"standard output cannot be written: {error.strerror}."


def end_stream(stream: TextIO) -> None:
    """Replace a stream, which Python flushes again at exit, by one that can be flushed."""
    with suppress(OSError, ValueError):  # the stream may not be a file
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


PICTURES = Path("outputs", "pictures")  # the default folder of pictures


def picture_file(to: Path | None, kind: str | None, names: list[str], game: Game) -> Path:
    """The file of a picture: the given one, or one in `PICTURES` with safe `names` of what it shows and the game."""
    if to is None:
        from pigevo.games.game_record import file_name_of  # numpy, which may be lacking

        return PICTURES / f"{'_'.join([*names, file_name_of(game)])}.{kind or FORMATS[0]}"
    return named_picture(to, kind)


def name_with_run(word: str, name: str) -> str:
    """A strategy's name for a file; with its run's folder, since champions of many runs have the same name."""
    from pigevo.strategies.parse import CHAMPION, names_file

    if not names_file(word):
        return safe_name(name)
    run = Path(os.path.expanduser(word.rpartition("@")[0] or word))
    run = run.parent if run.is_file() and run.name == CHAMPION else run
    return f"{safe_name(run.resolve().name)}_{safe_name(name)}" if run.is_dir() else safe_name(name)


def named_picture(to: Path, kind: str | None = None) -> Path:
    """The file that the user has named for a picture, if it has a picture's ending."""
    ending = to.suffix.lower().lstrip(".")
    if ending not in FORMATS or (kind is not None and ending != kind):
        raise InputError(f"{to}: the name of a picture must end with .{kind or ' or .'.join(FORMATS)}.")
    return to


def refuse_picture(to: Path | None) -> None:
    """Refuse a picture's file that cannot be written to, before the picture is computed."""
    if to is not None:
        refuse_unwritable(named_picture(to))


def save_picture(file: Path, axes: Axes | Panels) -> str:
    """Write the result of a `plot_*` function to a file; returns its path."""
    from pigevo.figures.axes import figure_of, save_figure

    with telling_replaced(file):
        return str(save_figure(file, figure_of(axes)))


PAGES = ("pdf", "html")  # the formats of pages to print


def page_files(to: Path | None, name: str, what: str, hint: str = "") -> list[Path]:
    """The files of a page to print: the given one, or one of either format in the given folder or in `PICTURES`."""
    if to is None or to.is_dir():
        return [(to or PICTURES) / f"{name}.{kind}" for kind in PAGES]
    if to.suffix.lower().lstrip(".") not in PAGES:
        raise InputError(f"{to}: the name of a {what} must end with .{' or .'.join(PAGES)}{hint}.")
    return [to]


def write_page(file: Path, pdf: Callable[[], Figure], html: Callable[[], bytes]) -> Path:
    """Write a page to print in the format of the file's name."""
    with telling_replaced(file):
        if file.suffix.lower() != ".pdf":
            return write_bytes(file, html())
        from pigevo.figures.axes import save_figure

        return save_figure(file, pdf())
