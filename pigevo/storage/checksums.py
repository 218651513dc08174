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
from typing import Any, NotRequired, TypedDict

from pigevo.core.checked_values import checked
from pigevo.core.text import reason
from pigevo.errors import InputError
from pigevo.storage.files import place_in
from pigevo.storage.records import Later, Missing, Unreadable, from_json, open_plain, read_bytes, understood

JSON_END = ',\n  "hash": "{}"\n}}\n'
"""The end of a sealed JSON file; the object must have an entry before."""

FORMAT = 2
"""Of JSON files with a seal; those of pigevo 0.1.0 have none, and format 1 or no entry `format`."""

LARGEST_FILE = 2**36
"""Bytes of a file that has a hash."""

YAML_END = "# SHA-256 of all above: {}\n"
"""The end of a sealed YAML file."""


class Hashes(TypedDict):
    """What a record says of the files beside it."""

    files: NotRequired[dict[str, str]]


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


def has_end(content: bytes, end: str) -> bool:
    """Whether the end of a sealed file is there, of whatever content."""
    return content[-len(end.format("0" * 64)) :].startswith(end.partition("{")[0].encode())


def is_whole(content: bytes, end: str) -> bool:
    """Whether a sealed file is as it was written."""
    return content == sealed(content[: -len(end.format("0" * 64))], end)


def read_sealed(path: Path, fits: Any, remedy: str) -> Any:
    """A record of JSON, of which the seal is checked if it has one; arguments as `pigevo.storage.records.read_json`.

    Raises:
        Missing: there is none.
        Later: a later pigevo wrote it.
        InputError: it cannot be read, or is damaged, or not as it was written.
    """
    return understood(path, remedy, lambda: _opened(read_bytes(path), fits, path))


def _opened(content: bytes, fits: Any, path: Path) -> Any:
    record = from_json(content, dict[str, Any])
    written = record.get("format", 1)
    if isinstance(written, int) and written > FORMAT:
        raise Later(f"{path} was written by a later pigevo (format {written}): update pigevo.")
    if is_sealed(record) and not is_whole(content, JSON_END):
        raise ValueError("it was changed since it was written")
    checked(record, fits, "")
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
        hashes = read_sealed(folder / record, Hashes, "run again with force=true").get("files", {})
    except Missing:
        return
    if said := difference(folder, name, hashes):
        raise InputError(f"{folder}: {said}.")


def hash_of_file(path: Path) -> str:
    """The SHA-256 of a file's content, in hex.

    Raises:
        Missing: there is none.
        Unreadable: it cannot be read.
    """
    with open_plain(path, LARGEST_FILE) as file:
        try:
            return hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise Unreadable(f"{path} cannot be read: {reason(error)}.") from error


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
    except Missing:
        return f"{name} is missing"
    return "" if found == hashes[name] else f"{name} was changed since it was written"
