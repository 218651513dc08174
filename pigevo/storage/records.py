"""Text files that are read: whole and of the types that their reader states, or refused in one sentence.

A record of JSON has the type of a `TypedDict`, checked by `pigevo.core.checked_values.checked`.
`pigevo.storage.array_files` does the same for arrays, `pigevo.storage.checksums` for records with a checksum.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable
from typing import Any, TypeVar

from pigevo.core.checked_values import checked
from pigevo.core.text import reason
from pigevo.errors import InputError

T = TypeVar("T")

LARGEST = 2**28
"""Bytes of a text file: more than the record of a sweep of 50,000 runs has."""


class Missing(InputError):
    """There is no such file."""


class Unreadable(InputError):
    """The file exists and cannot be read now: no permission, an error of the disk, too little memory, a folder.

    Damage is another matter: a damaged file can be read.
    """


class Later(InputError):
    """The file was written by a later pigevo."""


def read_bytes(path: str | os.PathLike[str], most: int = LARGEST) -> bytes:
    """The content of a file.

    Args:
        path: the file, or a link to it.
        most: bytes that it may have.

    Raises:
        Missing: there is none.
        Unreadable: it cannot be read, or is too large.
    """
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size > most:
                raise Unreadable(f"{path} cannot be read: it has {size:,} bytes, and {most:,} are the most.")
            return file.read()
    except Unreadable:
        raise
    except (FileNotFoundError, NotADirectoryError) as error:
        raise Missing(f"there is no file {path}.") from error
    except (OSError, ValueError, MemoryError) as error:
        raise Unreadable(f"{path} cannot be read: {reason(error)}.") from error


def read_json(path: str | os.PathLike[str], fits: Any, remedy: str) -> Any:
    """A record of JSON.

    Args:
        path: the file.
        fits: the type that it must have.
        remedy: what to do if it is damaged, for the message.

    Raises:
        Missing: there is none.
        InputError: it cannot be read, or is damaged.
    """
    return understood(path, remedy, lambda: from_json(read_bytes(path), fits))


def read_yaml(path: str | os.PathLike[str], remedy: str) -> dict[str, Any]:
    """A config of YAML, as plain values by name; arguments and errors as `read_json`."""
    return understood(path, remedy, lambda: checked(from_yaml(read_bytes(path)), dict, ""))


def from_csv(content: bytes) -> list[dict[str, str]]:
    """The rows of a CSV file by its header.

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
    """A text of JSON as values of a type; a ValueError tells what is wrong with it."""
    try:
        value = json.loads(text if isinstance(text, str) else decoded(text))
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    checked(value, fits, "")
    return value


def from_yaml(text: bytes) -> Any:
    """A text of YAML as plain values: no tag of it makes anything else; a ValueError tells what is wrong with it."""
    import yaml  # type: ignore[import-untyped]

    try:
        return yaml.safe_load(decoded(text))
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    except (yaml.YAMLError, TypeError, OverflowError) as error:
        raise ValueError(f"it is no YAML: {error}") from error


def decoded(content: bytes) -> str:
    """The content of a file as text; a ValueError if it is not in UTF-8."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError("it is no text in UTF-8") from error


def understood(path: str | os.PathLike[str], remedy: str, read: Callable[[], T]) -> T:
    """What a function reads; its errors become the sentence about a damaged file, as those of `read_json`."""
    try:
        return read()
    except (Missing, Unreadable, Later):
        raise
    except MemoryError as error:
        raise Unreadable(f"{path} cannot be read: {reason(error)}.") from error
    except (ValueError, csv.Error) as error:  # an InputError is a ValueError too
        said = " ".join(str(error).split()).rstrip(".")
        raise InputError(f"{path} is damaged ({said}): {remedy}.") from error
