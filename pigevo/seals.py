"""Hashes by which a file that was changed, cut or damaged is told from what pigevo wrote.

A text file that others depend on ends with the SHA-256 of all its bytes before: its *seal*.
Such a file holds the hashes of others.  This finds accidents and careless hands; who wants
to deceive can compute hashes too, and what then tells is to make the run again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pigevo.errors import InputError
from pigevo.folders import place_in

JSON_END = ',\n  "hash": "{}"\n}}\n'
"""The end of a sealed JSON file; the object must have an entry before."""

FORMAT = 2
"""Of JSON files with a seal; those of pigevo 0.1.0 have none, and format 1 or no entry `format`."""

YAML_END = "# SHA-256 of all above: {}\n"
"""The end of a sealed YAML file."""


class LaterFormat(ValueError):
    """A record of a later pigevo; the message goes on after the file's name."""


def sealed_json(record: Mapping[str, Any]) -> bytes:
    """A record as JSON with a seal: after its own entries `hash`, before them `format`."""
    return sealed(json.dumps({"format": FORMAT, **record}, indent=2).removesuffix("\n}").encode(), JSON_END)


def sealed(body: bytes, end: str) -> bytes:
    """Some bytes with their seal.

    Args:
        body: the bytes.
        end: `JSON_END` or `YAML_END`.
    """
    return body + end.format(hashlib.sha256(body).hexdigest()).encode()


def is_whole(content: bytes, end: str) -> bool:
    """Whether a sealed file is as it was written."""
    return content == sealed(content[: -len(end.format("0" * 64))], end)


def opened(content: bytes) -> dict[str, Any]:
    """The record of a JSON file, of which the seal was checked if it has one.

    Raises:
        LaterFormat: a later pigevo wrote it.
        ValueError: it is no record, or not as it was written.
    """
    record = json.loads(content)
    if not isinstance(record, dict):
        raise ValueError("no record")
    written = record.get("format", 1)
    if isinstance(written, int) and written > FORMAT:
        raise LaterFormat(f"was written by a later pigevo (format {written}): update pigevo.")
    if is_sealed(record) and not is_whole(content, JSON_END):
        raise ValueError("changed since it was written")
    return record


def is_sealed(record: Mapping[str, Any]) -> bool:
    """Whether a record says of itself, in one of two entries, that it has a seal: no single damage can hide it."""
    return "hash" in record or record.get("format", 1) != 1


def refuse_changed(folder: Path, name: str, record: str) -> None:
    """Refuse a file that is not what the record beside it says, if there is one.

    Args:
        folder: where both lie.
        name: of the file.
        record: the name of a sealed JSON file, whose entry `files` holds hashes.

    Raises:
        InputError: the file was changed, or the record is damaged; or one of them cannot be read.
    """
    try:
        hashes = opened((folder / record).read_bytes()).get("files", {})
    except FileNotFoundError:
        return
    except OSError as error:
        raise InputError(f"{folder / record} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise InputError(f"{folder / record} is damaged: {error}.") from error
    if said := difference(folder, name, hashes):
        raise InputError(f"{folder}: {said}.")


def hash_of_file(path: Path) -> str:
    """The SHA-256 of a file's content, in hex.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def hashes_of(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """The hashes of those files of a folder that are there, by their names."""
    return {name: hash_of_file(folder / name) for name in names if (folder / name).is_file()}


def difference(folder: Path, name: str, hashes: Mapping[str, str]) -> str:
    """In what a file differs from what was written, as a sentence; empty if in nothing, or if it has no hash.

    Args:
        folder: the folder.
        name: of the file.
        hashes: by name.

    Raises:
        InputError: it cannot be read.
    """
    if name not in hashes:
        return ""
    try:
        found = hash_of_file(place_in(folder, name))
    except FileNotFoundError:
        return f"{name} is missing"
    except OSError as error:
        raise InputError(f"{folder / name} cannot be read: {error.strerror}.") from error
    return "" if found == hashes[name] else f"{name} was changed since it was written"
