"""Reading text files: the content is complete and has the stated types, or is refused in one sentence.

A record of JSON has the type of a `TypedDict`, checked by `pigevo.core.checked_values.checked`;
`pigevo.storage.array_files` does the same for arrays.  Some records (`result.json`, `sweep.json`)
end with the SHA-256 of all their bytes before, and may hold the checksums of the files beside
them, so that a changed, cut or damaged file is detected.  `pigevo verify` proves a result by
computing it again.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pigevo.core.checked_values import checked
from pigevo.core.text import reason
from pigevo.errors import CodeNotLoaded, InputError
from pigevo.storage.files import place_in

T = TypeVar("T")

LARGEST = 2**28
"""The size limit of a text file in bytes, larger than the record of a sweep of 50,000 runs."""


class Missing(InputError):
    """The file does not exist."""


class Unreadable(InputError):
    """The file exists but cannot be read now: permissions, a disk error, too little memory, or a folder.

    A damaged file is a different case: it can be read.
    """


class Later(InputError):
    """The file was written by a later pigevo."""


def read_bytes(path: str | os.PathLike[str], most: int = LARGEST) -> bytes:
    """The content of a file of up to `most` bytes; raises `Missing` or `Unreadable`."""
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
    """A JSON record of the type `fits`; `remedy` tells the user in the error message what to do if it is damaged."""
    return understood(path, remedy, lambda: from_json(read_bytes(path), fits))


def read_yaml(path: str | os.PathLike[str], remedy: str) -> dict[str, Any]:
    """A YAML config as plain values by name; arguments and errors are those of `read_json`."""
    return understood(path, remedy, lambda: checked(from_yaml(read_bytes(path)), dict, ""))


def from_csv(content: bytes) -> list[dict[str, str]]:
    """The rows of a CSV file as mappings from its header."""
    rows = list(csv.DictReader(io.StringIO(decoded(content), newline=""), restval=None))
    if not rows:
        raise ValueError("it has no rows")
    for line, row in enumerate(rows, start=2):
        if None in row or None in row.values():
            raise ValueError(f"line {line} has another number of columns")
    return rows


def from_json(text: str | bytes, fits: Any) -> Any:
    """Parse JSON as values of a type; raises a ValueError that describes the mistake."""
    try:
        value = json.loads(text if isinstance(text, str) else decoded(text))
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    checked(value, fits, "")
    return value


def from_yaml(text: bytes) -> Any:
    """Parse YAML as plain values without tags; raises a ValueError that describes the mistake."""
    import yaml  # type: ignore[import-untyped]

    try:
        return yaml.safe_load(decoded(text))
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    except (yaml.YAMLError, TypeError, OverflowError) as error:
        raise ValueError(f"it is not valid YAML: {error}") from error


def decoded(content: bytes) -> str:
    """The content of a file as text; raises a ValueError if it is not UTF-8."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError("it is not UTF-8 text") from error


def understood(path: str | os.PathLike[str], remedy: str, read: Callable[[], T]) -> T:
    """Call a reader and turn its errors into the sentence about a damaged file, as in `read_json`."""
    try:
        return read()
    except (Missing, Unreadable, Later, CodeNotLoaded):
        raise
    except MemoryError as error:
        raise Unreadable(f"{path} cannot be read: {reason(error)}.") from error
    except (ValueError, csv.Error) as error:  # an InputError is a ValueError too
        message = " ".join(str(error).split()).rstrip(".")
        raise InputError(f"{path} is damaged ({message}): {remedy}.") from error


def to_json(record: Any, indent: int | None = None) -> str:
    """A record as JSON; numbers that are not finite, which JSON does not have, are null."""
    return json.dumps(_finite(record), indent=indent, allow_nan=False)


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _finite(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


FORMAT = 2
"""The format number of records with a checksum."""

_HASH = b',\n  "hash": "%s"\n}\n'


def with_checksum(record: Mapping[str, Any]) -> bytes:
    """A record as JSON: `format`, the entries, and finally `hash`, the checksum of everything before it."""
    body = to_json({"format": FORMAT, **record}, indent=2).removesuffix("\n}").encode()
    return body + _HASH % hashlib.sha256(body).hexdigest().encode()


def read_record(path: Path, fits: Any, remedy: str, checksum: bool = True) -> Any:
    """Read a JSON record written by `with_checksum`; if `checksum` is set, a wrong checksum is refused."""
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
    """Whether the checksum at the end of a record matches the content before it."""
    body = content[: -len(_HASH % (b"0" * 64))]
    return content == body + _HASH % hashlib.sha256(body).hexdigest().encode()


def hashes_of(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """The checksums of the named files that exist in a folder, by name."""
    return {name: _hash_of(folder / name) for name in names if (folder / name).is_file()}


def difference(folder: Path, name: str, hashes: Mapping[str, str]) -> str:
    """A sentence about how a file differs from its checksum; empty if it matches or has no checksum."""
    if name not in hashes:
        return ""
    try:
        present = _hash_of(place_in(folder, name))
    except Missing:
        return f"{name} is missing"
    return "" if present == hashes[name] else f"{name} was changed since it was written"


def refuse_changed(folder: Path, name: str, record: str) -> None:
    """Refuse a file whose checksum differs from the one in the record beside it."""
    try:
        hashes = read_record(folder / record, dict[str, Any], "run again with force=true").get("files", {})
    except Missing:
        return
    if sentence := difference(folder, name, hashes):
        raise InputError(f"{folder}: {sentence}.")


def _hash_of(path: Path) -> str:
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise Missing(f"there is no file {path}.") from error
    except OSError as error:
        raise Unreadable(f"{path} cannot be read: {reason(error)}.") from error
