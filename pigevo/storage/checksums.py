"""Checksums: how a file that was changed, cut or damaged is told from what pigevo wrote.

A JSON record (`result.json`, `sweep.json`) ends with the SHA-256 of all its bytes before, and may hold the
checksums of the files beside it.  They find accidents; that a result is true, `pigevo verify` proves by
computing it again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pigevo.core.checked_values import checked
from pigevo.core.text import reason
from pigevo.errors import InputError
from pigevo.storage.files import place_in
from pigevo.storage.records import Later, Missing, Unreadable, from_json, read_bytes, understood

FORMAT = 2
"""Of records with a checksum."""

_HASH = b',\n  "hash": "%s"\n}\n'


def with_checksum(record: Mapping[str, Any]) -> bytes:
    """A record as JSON: `format` before its own entries, and after them `hash`, the checksum of all before."""
    body = json.dumps({"format": FORMAT, **record}, indent=2).removesuffix("\n}").encode()
    return body + _HASH % hashlib.sha256(body).hexdigest().encode()


def read_record(path: Path, fits: Any, remedy: str, checksum: bool = True) -> Any:
    """A record of JSON that `with_checksum` has written.

    Args:
        path: the file.
        fits: the type that it must have.
        remedy: what to do if it is damaged, for the message.
        checksum: whether one with another checksum is refused.

    Raises:
        Missing: there is none.
        Later: a later pigevo wrote it.
        InputError: it cannot be read, or is damaged.
    """
    return understood(path, remedy, lambda: _record(read_bytes(path), fits, path, checksum))


def _record(content: bytes, fits: Any, path: Path, checksum: bool) -> Any:
    record = from_json(content, dict[str, Any])
    written = record.get("format")
    if isinstance(written, int) and written > FORMAT:
        raise Later(f"{path} was written by a later pigevo (format {written}): update pigevo.")
    if checksum and not is_whole(content):
        raise ValueError("it was changed since it was written")
    checked(record, fits, "")
    return record


def is_whole(content: bytes) -> bool:
    """Whether the checksum at the end of a record is that of what comes before."""
    body = content[: -len(_HASH % (b"0" * 64))]
    return content == body + _HASH % hashlib.sha256(body).hexdigest().encode()


def hashes_of(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """The checksums of those files of a folder that exist, by their names."""
    return {name: _hash_of(folder / name) for name in names if (folder / name).is_file()}


def difference(folder: Path, name: str, hashes: Mapping[str, str]) -> str:
    """In what a file differs from what was written, as a sentence; empty if in nothing, or if it has no checksum.

    Raises:
        InputError: it cannot be read.
    """
    if name not in hashes:
        return ""
    try:
        found = _hash_of(place_in(folder, name))
    except Missing:
        return f"{name} is missing"
    return "" if found == hashes[name] else f"{name} was changed since it was written"


def refuse_changed(folder: Path, name: str, record: str) -> None:
    """Refuse a file that differs from the checksum in the record beside it, if there is one.

    Raises:
        InputError: the file was changed, or the record is damaged; or one of them cannot be read.
    """
    try:
        hashes = read_record(folder / record, dict[str, Any], "run again with force=true").get("files", {})
    except Missing:
        return
    if said := difference(folder, name, hashes):
        raise InputError(f"{folder}: {said}.")


def _hash_of(path: Path) -> str:
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise Missing(f"there is no file {path}.") from error
    except OSError as error:
        raise Unreadable(f"{path} cannot be read: {reason(error)}.") from error
