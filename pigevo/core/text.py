"""Text for messages and tables: shortened values, escaped control characters, and columns as wide as a terminal."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shlex
import textwrap
import unicodedata
from collections.abc import Iterable, Sequence

LONGEST_VALUE = 60  # the largest number of characters of a value in a message
LONGEST_SENTENCE = 1_500  # the largest number of characters of a message that lists all choices


def visible(text: str) -> str:
    r"""The text with non-printable characters, except line ends and tabs, escaped as in `\x1b[31m`."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else c.encode("unicode_escape").decode() for c in text)


def short_repr(value: object) -> str:
    """A value as shown in a message."""
    try:
        return clipped(re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value)), LONGEST_VALUE)
    except ValueError:  # an integer with more digits than Python converts
        return "a number of too many digits"
    except RecursionError:
        return "a value of too many levels"
    except Exception:  # of an object of the user's
        return kind_of(value)


def kind_of(value: object) -> str:
    """The type of a value as part of a sentence: `an int`, `a str`, or `nothing` for None."""
    name = type(value).__name__
    article = "an" if name[0].lower() in "aeio" else "a"  # a ufunc, a uint8
    return "nothing" if value is None else f"{article} {name}"


def reason(error: BaseException) -> str:
    """The message of an error; of an operating system error without its number and file name."""
    if isinstance(error, MemoryError):
        return os.strerror(errno.ENOMEM)
    if isinstance(error, IsADirectoryError):
        return "it is a folder"
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__).rstrip(".")


def clipped(text: str, most: int) -> str:
    """The text on one line, with its middle left out where it is longer than `most` characters."""
    line = " ".join(text.split())
    half = max(1, (most - 3) // 2)
    return line if len(line) <= most else f"{line[:half]}...{line[-half:]}"


def counted(number: int, thing: str) -> str:
    """A number of things: `1 game`, `2 games`, `2 entries`."""
    plural = re.sub("([^aeiou])ys$", r"\1ies", f"{thing}s")
    return f"{number:,} {thing if number == 1 else plural}"


def simultaneous(intervals: int) -> str:
    """What is said of several intervals that hold together: `simultaneous for all 14`; empty for a single one."""
    return f"simultaneous for all {intervals:,}" if intervals > 1 else ""


def alternatives(words: Iterable[str]) -> str:
    """The words as a choice: `a, b or c`."""
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last


def percent(share: float, digits: int = 1) -> str:
    """A share in percent. With one digit or more it is never rounded to 0 or 100 unless it is exact."""
    shown = max(1, digits)
    least = 10.0**-shown  # in percent
    if 0 < share < least / 200 or 1 - least / 200 < share < 1:
        return f"less than {least:.{shown}f} %" if share < 0.5 else f"more than {100 - least:.{shown}f} %"
    return f"{100 * share:.{digits}f} %"


def percent_below(share: float, limit: float) -> str:
    """A share in percent, with as many digits as tell it from a limit: `49.98 %` where 50 % is the limit."""
    digits = next((n for n in range(1, 6) if round(100 * share, n) != round(100 * limit, n)), 1)
    return percent(share, digits)


def percent_with_interval(share: float, low: float | None, high: float | None, name: str = "") -> str:
    """A share in percent and, if there is one, its interval in parentheses, after its name."""
    return percent(share) + ("" if low is None or high is None else f" ({name}{100 * low:.1f} to {100 * high:.1f})")


def commas(number: float) -> str:
    """A number as short as `g` has it; a whole one with commas."""
    return f"{number:,.0f}" if abs(number) >= 1000 and number == round(number) else f"{number:g}"


def for_shell(word: str | os.PathLike[str]) -> str:
    r"""A word or a path as it is typed in the user's shell, within quotes if it needs them.

    On Windows these are double quotes, which cmd and PowerShell have in common, and a program reads `\"` as one.
    """
    text = os.fspath(word)
    if os.name != "nt":
        return shlex.quote(text)
    escaped = re.sub(r'(\\*)("|\Z)', lambda end: 2 * end[1] + ('\\"' if end[2] else ""), text)
    return text if re.fullmatch(r"[\w./:+=-]+", text) else f'"{escaped}"'


def sentence(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def multiplied(text: str) -> str:
    """The text with sizes as in `20x10x5` written with multiplication signs, for what is drawn or in a page."""
    return re.sub(r"(?<=\d)x(?=\d)", "\N{MULTIPLICATION SIGN}", text)


UNIT = re.compile(r" (?=%)|(?<=\d) (?=(?:m?s|min|h|[kMGT]i?B)\b)|(?<=\bp) (?==)|(?<=\bp =) ")
"""The space between a number and its unit, and those of `p = 0.05`."""


def lines_of(text: str, width: int, indent: str = "", first: str = "") -> list[str]:
    """The lines of a text, all but the first indented; commands in it, and numbers with their units, are not broken."""
    bound = re.sub(r"`pigevo\b[^`]*`", lambda command: command[0].replace(" ", "\0"), text)
    bound = UNIT.sub("\0", bound)
    lines = textwrap.wrap(bound, width, initial_indent=first, subsequent_indent=indent,
                          break_long_words=False, break_on_hyphens=False)  # fmt: skip
    return [line.replace("\0", " ") for line in lines]


def level(share: float) -> str:
    """A chosen level in percent: `95 %`, `99.9 %`."""
    return f"{100 * share:.6g} %"


_ENDINGS = "py|csv|npz|npy|txt|tsv|json|ya?ml|toml|md|log|dat|db|xlsx?|ods|ipynb|pkl|pickle|zip|pdf|png|html?"
_FILE = re.compile(
    r"""(?:(?<![\w./+-])~?/|\b[A-Za-z]:[\\/]+)(?:[^<>"'\n:,=/\\]+[\\/]+)*?([^<>"'\n:,=/\\]+?\.(?:"""
    rf"{_ENDINGS})\b)"
)
"""An absolute path of a file of a kind that pupils have; its name is the group."""


def without_folders(text: str) -> str:
    """The text with only the names of files that it gives by absolute paths, for what is published.

    A path often begins with the name of the user.
    """
    return _FILE.sub(r"\1", text)


MOST_BYTES = 60  # of a name in a file's name, in UTF-8


def safe_name(name: str) -> str:
    """A name converted to a part of a file name; a long one is cut, and has letters of its hash at the end.

    Letters of all alphabets stay, so that Jörg and Jürg have files of their own.
    """
    safe = re.sub(r"[^\w.+=-]+", "-", unicodedata.normalize("NFC", name)).strip("-.") or "strategy"
    if len(safe.encode()) <= MOST_BYTES:
        return safe
    cut = safe.encode()[: MOST_BYTES - 9].decode(errors="ignore")
    return f"{cut}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


def with_interval(middle: float, low: float | None, high: float | None, form: str = ".4f") -> str:
    """A figure with its interval or band, if it has one: `0.2758 (0.2661 to 0.2855)`."""
    return f"{middle:{form}}" + ("" if low is None else f" ({low:{form}} to {high:{form}})")


def ends_of(low: float | None, high: float | None, *, form: str = ".4f") -> str:
    """An interval alone: `0.2661 to 0.2855`, or `undetermined`."""
    return "undetermined" if low is None or high is None else f"{low:{form}} to {high:{form}}"


def ranges_of(numbers: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """The ranges of ascending whole numbers without gaps, each as its ends."""
    ranges: list[tuple[int, int]] = []
    for number in numbers:
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1] = ranges[-1][0], number
        else:
            ranges.append((number, number))
    return tuple(ranges)


def ranges_in_short(numbers: Iterable[int]) -> str:
    """Ascending whole numbers in short: `0 to 9, 20`."""
    return ", ".join(str(low) if low == high else f"{low} to {high}" for low, high in ranges_of(numbers))


GAP = "  "  # between two columns


def table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], align: str, width: int | None = None, keys: int = 1,
    indent: str = "  ",
) -> list[str]:  # fmt: skip
    """The lines of a table; `align` has `<` or `>` for each column, and `width` is that of the terminal, or None.

    In a table that is too wide, heads are broken first, and then the sentences of a last column that is aligned to the
    left. If that is not enough, the columns that do not fit follow below in a second table, which repeats the first
    `keys` columns. Other cells are not broken: they are numbers, and names to be copied.
    """
    room = None if width is None else width - len(indent)
    cells = [max(map(len, column)) for column in zip(*rows, strict=True)] or [0] * len(heads)
    widths = list(map(max, cells, map(len, heads)))
    _narrow(widths, list(map(max, cells, map(_longest_word, heads))), room)
    if align[-1] == "<":
        _narrow(widths, [*widths[:-1], max(_longest_word(row[-1]) for row in (heads, *rows))], room)
    fitting = len(heads)
    while fitting > keys + 1 and room is not None and _total(widths[:fitting]) > room:
        fitting -= 1
    lines = _row(list(map(_in_words, heads, widths))[:fitting], align, widths, indent, at_bottom=True)
    for row in rows:
        texts = [*([text] for text in row[:-1]), _in_words(row[-1], widths[-1])]
        lines += _row(texts[:fitting], align, widths, indent)
    if fitting == len(heads):
        return lines
    further = [[*row[:keys], *row[fitting:]] for row in (heads, *rows)]
    return [*lines, "", *table(further[0], further[1:], align[:keys] + align[fitting:], width, keys, indent)]


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + len(GAP) * (len(widths) - 1)


def _narrow(widths: list[int], least: Sequence[int], room: int | None) -> None:
    """Narrow the column with most spare width, again and again, until the table fits or no column has any."""
    while room is not None and _total(widths) > room:
        spare = [wide - needed for wide, needed in zip(widths, least, strict=True)]
        if max(spare) == 0:
            return
        widths[spare.index(max(spare))] -= 1


def _longest_word(text: str) -> int:
    return max(map(len, text.split()), default=1)


def _in_words(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, max(1, width), break_long_words=False, break_on_hyphens=False) or [""]


def _row(
    texts: Sequence[Sequence[str]], align: str, widths: Sequence[int], indent: str, at_bottom: bool = False
) -> list[str]:
    """The lines of a row, with the lines of each of its cells at the top or at the bottom."""
    height = max(map(len, texts))
    columns = []
    for text, side, wide in zip(texts, align, widths, strict=False):
        empty = [""] * (height - len(text))
        columns.append([f"{line:{side}{wide}}" for line in ([*empty, *text] if at_bottom else [*text, *empty])])
    return [(indent + GAP.join(line)).rstrip() for line in zip(*columns, strict=True)]
