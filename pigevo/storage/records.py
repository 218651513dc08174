"""Reading files: the content is complete and has the stated types, or is refused in one sentence.

A record of JSON has the type of a `TypedDict`, checked by `pigevo.core.checked_values.checked`.  Some records
(`result.json`, `sweep.json`) end with the SHA-256 of all bytes before it, and may hold the checksums of the files
beside them, so that a changed, cut or damaged file is detected.  `pigevo verify` proves a result by computing it again.

Arrays are in `.npz` files, whose members are read one by one and checked for type and shape.  Nothing is unpickled.
"""

from __future__ import annotations

import csv
import errno
import functools
import hashlib
import io
import json
import math
import os
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, TypeVar, overload

from pigevo.core.array_names import Bytes, Number
from pigevo.core.checked_values import JsonObject, JsonValue, checked
from pigevo.core.imports import numpy as np
from pigevo.core.text import reason
from pigevo.errors import CodeNotLoaded, InputError
from pigevo.storage.files import path_in, write_bytes

if TYPE_CHECKING:
    from numpy.typing import NDArray

T = TypeVar("T")

LARGEST = 2**28  # the size limit of a text file in bytes, larger than the record of a sweep of 50,000 runs


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
            content = b"" if size > most else file.read(most + 1)  # a device or a pipe does not tell its size
            if max(size, len(content)) > most:
                has = f"{size:,}" if size > most else f"more than {most:,}"
                raise Unreadable(f"{path} cannot be read: it has {has} bytes, and {most:,} are the most.")
            return content
    except Unreadable:
        raise
    except (FileNotFoundError, NotADirectoryError) as error:
        raise Missing(f"there is no file {path}.") from error
    except (OSError, ValueError, MemoryError) as error:
        raise Unreadable(f"{path} cannot be read: {reason(error)}.") from error


def read_json(path: str | os.PathLike[str], fits: object, remedy: str) -> JsonValue:
    """A JSON record of the type `fits`; `remedy` tells the user in the error message what to do if it is damaged."""
    return understood(path, remedy, lambda: from_json(read_bytes(path), fits))


def read_yaml(path: str | os.PathLike[str], remedy: str) -> JsonObject:
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


def from_json(text: str | bytes, fits: object) -> JsonValue:
    """Parse JSON as values of a type; raises a ValueError that describes the mistake."""
    try:
        value = json.loads(text if isinstance(text, str) else decoded(text))
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    checked(value, fits, "")
    return value


def from_yaml(text: bytes) -> JsonValue:
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
    if content.startswith(b"PK\x03\x04"):
        raise ValueError("it is a workbook, a document or an archive, not text: save it as text (a table as CSV UTF-8)")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError("it is not UTF-8 text: save it as UTF-8 (in an editor: Save with encoding)") from error


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


def to_json(record: object, indent: int | None = None) -> str:
    """A record as JSON; numbers that are not finite, which JSON does not have, are null."""
    return json.dumps(_finite(record), indent=indent, allow_nan=False)


def _finite(value: object) -> JsonValue:
    if isinstance(value, Mapping):
        return {name: _finite(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


FORMAT = 2  # the format number of records with a checksum

_HASH = b',\n  "hash": "%s"\n}\n'


def with_checksum(record: Mapping[str, object]) -> bytes:
    """A record as JSON: `format`, the entries, and finally `hash`, the checksum of everything before it."""
    body = to_json({"format": FORMAT, **record}, indent=2).removesuffix("\n}").encode()
    return body + _HASH % hashlib.sha256(body).hexdigest().encode()


def read_record(path: Path, fits: object, remedy: str, checksum: bool = True) -> JsonValue:
    """Read a JSON record written by `with_checksum`; if `checksum` is set, a wrong checksum is refused."""
    return understood(path, remedy, lambda: _record(read_bytes(path), fits, path, checksum))


def _record(content: bytes, fits: object, path: Path, checksum: bool) -> JsonObject:
    record: JsonObject = from_json(content, JsonObject)
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
        present = _hash_of(path_in(folder, name))
    except Missing:
        return f"{name} is missing"
    return "" if present == hashes[name] else f"{name} was changed since it was written"


def refuse_changed(folder: Path, name: str, record: str) -> None:
    """Refuse a file whose checksum differs from the one in the record beside it."""
    try:
        hashes = read_record(folder / record, JsonObject, "run again with force=true").get("files", {})
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


QUICKLY = 1  # the compression level: files are 5 % longer than at the default level, in a quarter of the time

PIECES, PIECE, WORTH = 16, 4096, 0.95
"""Number and size in bytes of sample pieces; an array is compressed if they shrink below this share of their size."""

Shape = Sequence[int | None]
"""A length for each axis; None means any length."""

_OF_DAMAGE = (None, errno.EINVAL)  # error numbers caused by the senseless offsets of a damaged archive


class Damaged(ValueError):
    """A member is missing or has a wrong type, shape or content; the message says which."""


class ArrayArchive:
    """The members of an `.npz`, read by a function of their name; a missing or wrong member raises `Damaged`."""

    def __init__(self, names: Sequence[str], read: Callable[[str], np.ndarray], path: str | os.PathLike[str]) -> None:
        self.names, self._member, self._path = names, read, path

    def __contains__(self, name: str) -> bool:
        return name in self.names

    @overload
    def array(self, name: str, dtype: type[Number], shape: Shape | None = None) -> NDArray[Number]: ...

    @overload
    def array(self, name: str, dtype: None = None, shape: Shape | None = None) -> np.ndarray: ...

    def array(self, name: str, dtype: type[np.generic] | None = None, shape: Shape | None = None) -> np.ndarray:
        """One member, checked for dtype (by default any numbers or booleans) and shape (by default any)."""
        array = self._read(name)
        if dtype is None and array.dtype.kind not in "biuf":
            raise Damaged(f"{name} holds {array.dtype}")
        if dtype is not None and array.dtype != np.dtype(dtype):
            raise Damaged(f"{name} holds {array.dtype}, not {np.dtype(dtype)}")
        if shape is not None and not _fits(array.shape, shape):
            raise Damaged(f"{name} has the shape {array.shape}")
        return array

    @property
    def arrays(self) -> dict[str, np.ndarray]:
        """All members, unchecked."""
        return {name: self._read(name) for name in self.names}

    def bits(self, name: str, count: int, rows: int | None = None) -> Bytes:
        """A member of `count` zeros and ones, eight to a byte, in each of `rows` rows (-1: any number; None: flat)."""
        width = -(-count // 8)
        packed = self.array(name, np.uint8, [width] if rows is None else [None if rows < 0 else rows, width])
        return np.unpackbits(packed, axis=-1, count=count)

    def text(self, name: str) -> str:
        """A member that contains one text."""
        array = self._read(name)
        if array.dtype.kind != "U" or array.shape != ():
            raise Damaged(f"{name} is not text")
        return str(array)

    def record(self, name: str, fits: object, newest: int | None = None) -> JsonValue:
        """A member that contains JSON of the type `fits`; a `format` newer than `newest` raises `Later`."""
        text = self.text(name)
        if newest is not None:
            written = from_json(text, JsonObject).get("format")
            if type(written) is int and written > newest:
                raise Later(f"{self._path} was written by a later pigevo (format {written}): update pigevo.")
            if type(written) is not int or written < 1:
                raise Damaged(f"{name} has no format")
        return from_json(text, fits)

    def _read(self, name: str) -> np.ndarray:
        if name not in self:
            raise Damaged(f"it has no {name}")
        return self._member(name)


@contextmanager
def archive(path: str | os.PathLike[str], what: str) -> Iterator[ArrayArchive]:
    """Open an `.npz`, called `what` ("strategy") in messages; errors inside the `with` become a sentence."""
    try:
        mode = os.stat(path).st_mode
        file = open(path, "rb") if stat.S_ISREG(mode) or stat.S_ISDIR(mode) else None  # noqa: SIM115
    except (FileNotFoundError, NotADirectoryError) as error:
        raise Missing(f"there is no file {path}.") from error
    except (OSError, ValueError) as error:
        raise Unreadable(f"{path} cannot be read: {reason(error)}.") from error
    if file is None:
        raise Unreadable(f"{path} cannot be read: it is a device or a pipe, and no file.")
    with _in_words(path, what), file, _opened(file) as opened:
        names = [name.removesuffix(".npy") for name in opened.namelist() if name.endswith(".npy")]
        yield ArrayArchive(names, functools.partial(_read_member, opened), path)


@contextmanager
def arrays_in_memory(arrays: Mapping[str, np.ndarray], path: str, what: str) -> Iterator[ArrayArchive]:
    """An `ArrayArchive` of arrays in memory, with the errors of `archive`; `path` is their name in messages."""
    with _in_words(path, what):
        yield ArrayArchive(list(arrays), arrays.__getitem__, path)


@contextmanager
def _in_words(path: str | os.PathLike[str], what: str) -> Iterator[None]:
    """Turn an error inside the `with` into a sentence: the file cannot be read, or is damaged."""
    try:
        yield
    except (Missing, Unreadable, Later, CodeNotLoaded):
        raise
    except (OSError, MemoryError) as error:
        raise Unreadable(f"{path} cannot be read: {reason(error)}.") from error
    except (ValueError, KeyError, TypeError, IndexError) as error:
        message = " ".join(str(error).split()).rstrip(".") if isinstance(error, Damaged | InputError) else ""
        detail = f" ({message})" if message else ""
        raise InputError(f"{path} is damaged, or not a {what} of pigevo{detail}.") from error


def _opened(file: IO[bytes]) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(file)
    except Exception as error:  # a damaged directory can cause nearly any error
        raise _damage(error, "it is not an .npz file") from error


def _read_member(opened: zipfile.ZipFile, name: str) -> np.ndarray:
    try:
        with opened.open(f"{name}.npy") as file:
            array = np.lib.format.read_array(file, allow_pickle=False)
            if file.read(1):  # the archive's own checksum is compared at the end
                raise Damaged(f"{name} is longer than it says")
            return array
    except Exception as error:  # damage can surface anywhere below zipfile, zlib and numpy's reader
        raise _damage(error, f"{name} cannot be read") from error


def _damage(error: Exception, message: str) -> Exception:
    """Classify an error of reading: a damaged file, or one that cannot be read now."""
    unreadable = isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno not in _OF_DAMAGE)
    return error if unreadable or isinstance(error, Damaged) else Damaged(message)


def _fits(lengths: Sequence[int], shape: Shape) -> bool:
    return len(lengths) == len(shape) and all(
        wanted in (None, length) for length, wanted in zip(lengths, shape, strict=True)
    )


def write_arrays(path: str | os.PathLike[str], arrays: Mapping[str, object], keep: Path | None = None) -> Path:
    """Write named arrays as one `.npz` atomically; arguments and errors are those of `write_bytes`.

    Arrays that do not shrink, such as random genes, are stored uncompressed: to compress them would take most of the
    time for nothing.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=QUICKLY) as file:
        for name, value in arrays.items():
            array = np.asanyarray(value)
            member_name = f"{name}.npy"
            entry = member_name if _shrinks(array) else zipfile.ZipInfo(member_name)  # the latter uncompressed
            with file.open(entry, "w", force_zip64=True) as member:
                np.lib.format.write_array(member, array, allow_pickle=False)
    return write_bytes(path, buffer.getvalue(), keep)


def read_arrays(path: str | os.PathLike[str]) -> dict[str, np.ndarray]:
    """All arrays of a file written by `write_arrays`, numbers and texts, by name."""
    with archive(path, "file of arrays") as file:
        return file.arrays


def _shrinks(array: np.ndarray) -> bool:
    """Whether compression is worth while, judged by a few sample pieces."""
    content = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    step = max(PIECE, len(content) // PIECES)
    sample = b"".join(content[start : start + PIECE].tobytes() for start in range(0, len(content), step))
    return len(zlib.compress(sample, QUICKLY)) < WORTH * len(sample)
