"""Files that others may have written: read whole or refused in one sentence, whatever they hold.

A file is read if it is a plain one of a bounded size; what it says, if it is nested to a bounded depth
and of the types that its reader states, a `TypedDict` mostly.  `pigevo.storage.array_files` does the same for arrays.
"""

from __future__ import annotations

import csv
import io
import json
import os
import stat
from collections.abc import Callable
from typing import Any, TypeVar

from pigevo.core.checked_values import checked
from pigevo.core.text import reason
from pigevo.errors import InputError

T = TypeVar("T")

LARGEST = 2**28
"""Bytes of a file of text: more than the record of a sweep of 50,000 runs has."""

LARGEST_CONFIG = 2**18
"""Bytes of a config, of which a second reads that many."""

DEEPEST = 30
"""Levels of dicts and lists in a record; pigevo's own have at most seven."""

MOST_NODES = 100_000
"""Values of a config, those that an alias repeats counted each time."""

KINDS = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a named pipe", stat.S_IFSOCK: "a socket",
         stat.S_IFCHR: "a device", stat.S_IFBLK: "a device"}  # fmt: skip


class Missing(InputError):
    """There is no such file."""


class Unreadable(InputError):
    """There is something, and it cannot be read: no permission, an error of the disk, too little memory, no plain file.

    What is damaged is another matter: that was read.
    """


class Later(InputError):
    """The file was written by a later pigevo."""


def open_plain(path: str | os.PathLike[str], most: int = LARGEST) -> io.BufferedReader:
    """Open a plain file for reading; nothing else is waited for, as a named pipe would be.

    Args:
        path: the file, or a link to it.
        most: bytes that it may have.

    Raises:
        Missing: there is none.
        Unreadable: it is no plain file, too large, or not to be read.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        file = os.fdopen(descriptor, "rb")  # refuses a folder, and closes it
    except (FileNotFoundError, NotADirectoryError) as error:
        raise Missing(f"there is no file {path}.") from error
    except (OSError, ValueError) as error:
        raise Unreadable(f"{path} cannot be read: {reason(error)}.") from error
    found = os.fstat(file.fileno())
    wrong = "" if stat.S_ISREG(found.st_mode) else f"it is {KINDS.get(stat.S_IFMT(found.st_mode), 'no file')}"
    if not wrong and found.st_size > most:
        wrong = f"it has {found.st_size:,} bytes, and {most:,} are the most"
    if wrong:
        file.close()
        raise Unreadable(f"{path} cannot be read: {wrong}.")
    return file


def read_bytes(path: str | os.PathLike[str], most: int = LARGEST) -> bytes:
    """The content of a plain file; arguments and errors as `open_plain`."""
    with open_plain(path, most) as file:
        try:
            return file.read()
        except (OSError, MemoryError) as error:
            raise Unreadable(f"{path} cannot be read: {reason(error)}.") from error


def is_there(path: str | os.PathLike[str]) -> bool:
    """Whether a path leads anywhere; one that cannot be followed does not."""
    return os.path.exists(path)


def read_json(path: str | os.PathLike[str], fits: Any, remedy: str) -> Any:
    """A record of JSON.

    Args:
        path: the file.
        fits: the type that it must have.
        remedy: what to do where it is damaged.

    Raises:
        Missing: there is none.
        InputError: it cannot be read, or is damaged.
    """
    return understood(path, remedy, lambda: from_json(read_bytes(path), fits))


def read_yaml(path: str | os.PathLike[str], remedy: str) -> dict[str, Any]:
    """A config of YAML, as plain values by name; arguments and errors as `read_json`."""
    return understood(path, remedy, lambda: checked(from_yaml(read_bytes(path, LARGEST_CONFIG)), dict, ""))


def read_csv(path: str | os.PathLike[str], remedy: str) -> list[dict[str, str]]:
    """The rows of a CSV file by its header; arguments and errors as `read_json`."""
    return understood(path, remedy, lambda: from_csv(read_bytes(path)))


def from_csv(content: bytes) -> list[dict[str, str]]:
    """The rows of a text by its header.

    Raises:
        ValueError: there are none, or one has another number of columns.
    """
    found = list(csv.DictReader(io.StringIO(decoded(content), newline=""), restval=None))
    if not found:
        raise ValueError("it has no rows")
    for line, row in enumerate(found, start=2):
        if None in row or None in row.values():
            raise ValueError(f"line {line} has another number of columns")
    return found


def from_json(text: str | bytes, fits: Any) -> Any:
    """A text of JSON as values of a type.

    Args:
        text: the text.
        fits: the type.

    Raises:
        ValueError: it is no such value; of an InputError's sentence without the file.
    """
    try:
        value = json.loads(text if isinstance(text, str) else decoded(text))
    except RecursionError as error:
        raise ValueError(f"it is nested to more than {DEEPEST} levels") from error
    _refuse_deep(value)
    checked(value, fits, "")
    return value


def from_yaml(text: bytes) -> Any:
    """A text of YAML as plain values; no tag of it makes anything else.

    Args:
        text: the text, in UTF-8.

    Raises:
        ValueError: it is no YAML, is nested too deeply, or its aliases make too many values of it.
    """
    import yaml  # type: ignore[import-untyped]

    try:
        loader = yaml.SafeLoader(decoded(text))
        node = loader.get_single_node()
        _weigh(node, {}, 0)
        return None if node is None else loader.construct_document(node)
    except RecursionError as error:
        raise ValueError(f"it is nested to more than {DEEPEST} levels") from error
    except (yaml.YAMLError, TypeError, OverflowError) as error:
        raise ValueError(f"it is no YAML: {error}") from error


def decoded(content: bytes) -> str:
    """The content of a file as text.

    Raises:
        ValueError: it is none.
    """
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError("it is no text in UTF-8") from error


def understood(path: str | os.PathLike[str], remedy: str, read: Callable[[], T]) -> T:
    """What a function reads, or the sentence about a damaged file; the other arguments and errors as `read_json`."""
    try:
        return read()
    except (Missing, Unreadable, Later):
        raise
    except MemoryError as error:
        raise Unreadable(f"{path} cannot be read: {reason(error)}.") from error
    except (ValueError, csv.Error) as error:  # an InputError is a ValueError too
        said = " ".join(str(error).split()).rstrip(".")
        raise InputError(f"{path} is damaged ({said}): {remedy}.") from error


def _refuse_deep(value: Any) -> None:
    """Refuse values that are nested too deeply; a level at a time, since a function that calls itself would fail."""
    level = [value]
    for _ in range(DEEPEST):
        level = [
            inner for one in level if isinstance(one, dict | list)
            for inner in (one.values() if isinstance(one, dict) else one)
        ]  # fmt: skip
    if level:
        raise ValueError(f"it is nested to more than {DEEPEST} levels")


def _weigh(node: Any, known: dict[int, int], depth: int) -> int:
    """How many values a node of YAML stands for; an alias is the very node that its anchor marks."""
    if depth > DEEPEST:  # or it lies within itself
        raise ValueError(f"it is nested to more than {DEEPEST} levels")
    if node is None or isinstance(node.value, str):
        return 1
    if id(node) not in known:
        inner = [one for item in node.value for one in (item if isinstance(item, tuple) else (item,))]
        known[id(node)] = 1 + sum(_weigh(one, known, depth + 1) for one in inner)
        if known[id(node)] > MOST_NODES:
            raise ValueError(f"it stands for more than {MOST_NODES:,} values")
    return known[id(node)]
