"""Arrays on disk: an `.npz` whose members are read one by one, each as the type and shape that it must have.

What a member claims to be is known from its first bytes, so nothing wrong is read, and nothing is ever unpickled.
"""

from __future__ import annotations

import errno
import io
import math
import os
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pigevo.core.arrays import Bytes
from pigevo.core.text import reason
from pigevo.errors import InputError
from pigevo.storage.files import write_bytes
from pigevo.storage.records import Later, Missing, Unreadable, from_json, open_plain

QUICKLY = 1
"""The level of compression: files are a twentieth longer than with the usual one, in a quarter of the time."""

PIECES, PIECE, WORTH = 16, 4096, 0.95
"""An array is compressed where so many pieces of so many bytes shrink to less than that share."""

LARGEST = 2**36
"""Bytes of an `.npz`."""

LARGEST_MEMBER = 2**32
"""Bytes of a member whose shape its reader does not know."""

Shape = Sequence[int | None]
"""A length for each axis; None is any."""

_OF_DAMAGE = (None, errno.EINVAL)
"""The numbers of errors that come of places in an archive that make no sense."""

_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}


class Damaged(ValueError):
    """A member is missing, or another one than it must be; says in what."""


class Archive:
    """The members of an `.npz` that is open."""

    def __init__(self, file: zipfile.ZipFile, path: str | os.PathLike[str]) -> None:
        self._file, self._path = file, path

    def __contains__(self, name: str) -> bool:
        return f"{name}.npy" in self._file.namelist()

    @property
    def names(self) -> list[str]:
        """Their names."""
        return [name.removesuffix(".npy") for name in self._file.namelist() if name.endswith(".npy")]

    def array(self, name: str, dtype: Any = None, shape: Shape | None = None) -> Any:
        """One member.

        Args:
            name: its name.
            dtype: what it must hold; numbers and booleans of any kind by default.
            shape: the shape that it must have; any by default, of less than `LARGEST_MEMBER` bytes.

        Raises:
            Damaged: it is missing, or another one.
        """
        try:
            found, kind, size = self._header(name)
            if dtype is None and kind.kind not in "biuf":
                raise Damaged(f"{name} holds {kind}")
            if dtype is not None and kind != np.dtype(dtype):
                raise Damaged(f"{name} holds {kind}, not {np.dtype(dtype)}")
            if shape is not None and not fits(found, shape):
                raise Damaged(f"{name} has the shape {found}")
            if size > LARGEST_MEMBER and (shape is None or None in shape):
                raise Damaged(f"{name} has {size:,} bytes")
            return self._read(name)
        except Exception as error:  # damage can surface anywhere below zipfile, zlib and numpy's reader
            raise _damage(error, f"{name} cannot be read") from error

    def bits(self, name: str, count: int, rows: int | None = None) -> Bytes:
        """A member of zeros and ones, eight to a byte, each row by itself where there are rows.

        Args:
            name: its name.
            count: how many there are, in each row.
            rows: how many rows there are; None for a flat one, -1 for any number.

        Raises:
            Damaged: it is missing, or holds another number of them.
        """
        width = -(-count // 8)
        shape = [width] if rows is None else [None if rows < 0 else rows, width]
        packed = self.array(name, np.uint8, shape)
        return np.unpackbits(packed, axis=-1, count=count)

    def text(self, name: str) -> str:
        """A member that is one text.

        Args:
            name: its name.

        Raises:
            Damaged: it is missing, or another one.
        """
        try:
            found, kind, size = self._header(name)
            if kind.kind != "U" or found != () or size > LARGEST_MEMBER:
                raise Damaged(f"{name} is no text")
            return str(self._read(name))
        except Exception as error:
            raise _damage(error, f"{name} cannot be read") from error

    def record(self, name: str, fits: Any, newest: int | None = None) -> Any:
        """A member that is a text of JSON.

        Args:
            name: its name.
            fits: the type that it must have.
            newest: the newest format that is known, if the record tells its `format`.

        Raises:
            Damaged: it is missing, or another one.
            Later: its format is newer.
        """
        text = self.text(name)
        if newest is not None:
            written = from_json(text, dict[str, Any]).get("format")
            if type(written) is int and written > newest:
                raise Later(f"{self._path} was written by a later pigevo (format {written}): update pigevo.")
            if type(written) is not int or written < 1:
                raise Damaged(f"{name} has no format")
        return from_json(text, fits)

    def _header(self, name: str) -> tuple[tuple[int, ...], np.dtype[Any], int]:
        """What a member says of itself: its shape, its type, and the bytes that follow."""
        try:
            entry = self._file.getinfo(f"{name}.npy")
        except KeyError as error:
            raise Damaged(f"it has no {name}") from error
        with self._file.open(entry) as file:
            shape, _, kind = _HEADERS[np.lib.format.read_magic(file)](file)
            size = math.prod(shape) * kind.itemsize
            if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # unpacked without a bound
                raise Damaged(f"{name} is packed in another way than numpy's")
            if kind.hasobject or min(shape, default=0) < 0 or size != entry.file_size - file.tell():
                raise Damaged(f"{name} is not as long as it says")
        return shape, kind, size

    def _read(self, name: str) -> Any:
        with self._file.open(f"{name}.npy") as file:
            return np.lib.format.read_array(file, allow_pickle=False)


@contextmanager
def archive(path: str | os.PathLike[str], what: str) -> Iterator[Archive]:
    """Open an `.npz`; whatever is found wrong inside the `with` becomes a sentence about the file.

    Args:
        path: the file.
        what: what it should be, for the message ("strategy", "checkpoint").

    Raises:
        Missing: there is no such file.
        Unreadable: it cannot be read.
        Later: it was written by a later pigevo.
        InputError: it is truncated, damaged or of another kind.
    """
    file = open_plain(path, LARGEST)
    try:
        with file, _opened(file) as opened:
            yield Archive(opened, path)
    except (Missing, Unreadable, Later):
        raise
    except MemoryError as error:
        raise Unreadable(f"{path} cannot be read: {reason(error)}.") from error
    except OSError as error:
        raise Unreadable(f"{path} cannot be read: {reason(error)}.") from error
    except (ValueError, KeyError, TypeError, IndexError) as error:
        said = " ".join(str(error).split()).rstrip(".") if isinstance(error, Damaged | InputError) else ""
        told = f" ({said})" if said else ""
        raise InputError(f"{path} is no {what} of pigevo, or it is damaged{told}.") from error


def _opened(file: Any) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(file)
    except Exception as error:  # of a damaged directory, nearly anything
        raise _damage(error, "it is no .npz file") from error


def _damage(error: Exception, told: str) -> Exception:
    """What an error of reading means: damage, unless the system says that nothing can be read now."""
    now = isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno not in _OF_DAMAGE)
    return error if now or isinstance(error, Damaged) else Damaged(told)


def fits(found: Sequence[int], shape: Shape) -> bool:
    """Whether a shape is one that was asked for."""
    return len(found) == len(shape) and all(wanted in (None, there) for there, wanted in zip(found, shape, strict=True))


def write_arrays(path: str | os.PathLike[str], arrays: Mapping[str, Any], keep: Path | None = None) -> Path:
    """Write named arrays as one `.npz`, in one step; arguments and errors as `write_bytes`.

    Arrays that do not shrink, as random genes, are stored as they are: to try it would take longer than all else.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=QUICKLY) as file:
        for name, value in arrays.items():
            array = np.asanyarray(value)
            place: Any = f"{name}.npy" if _shrinks(array) else zipfile.ZipInfo(f"{name}.npy")  # which is stored
            with file.open(place, "w", force_zip64=True) as member:
                np.lib.format.write_array(member, array, allow_pickle=False)
    return write_bytes(path, buffer.getvalue(), keep)


def _shrinks(array: NDArray[Any]) -> bool:
    """Whether compression is worth while, by a few pieces of the whole."""
    content = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    step = max(PIECE, len(content) // PIECES)
    sample = b"".join(content[start : start + PIECE].tobytes() for start in range(0, len(content), step))
    return len(zlib.compress(sample, QUICKLY)) < WORTH * len(sample)
