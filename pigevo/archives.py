"""Archives of arrays (`.npz`), read member by member: nothing is unpacked that was not asked for or has another size.

A member can claim any size, and a few bytes can unpack to any number; so the size of each
is known before, from the caller or from a record that was read first, and a member of
another one is damage.  Nothing is ever unpickled.
"""

from __future__ import annotations

import errno
import math
import os
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from pigevo.errors import InputError
from pigevo.memory import available

LONGEST_TEXT = 1_000_000
"""Characters of a text at most, unless said."""

_READERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
_OF_DAMAGE = (None, errno.EINVAL)
"""The numbers of errors that `zipfile` gives where the places in an archive make no sense."""


class Unreadable(InputError):
    """A file that is there, and may be whole, but that cannot be read now."""


class Archive:
    """An open archive; what is wrong with it is a `ValueError`, or whatever `zipfile` and numpy raise.

    Args:
        file: the archive.
        length: bytes that it has on disk.
    """

    def __init__(self, file: zipfile.ZipFile, length: int) -> None:
        self._file = file
        self._length = length

    def __contains__(self, name: str) -> bool:
        return f"{name}.npy" in self._file.NameToInfo

    def text(self, name: str, longest: int = LONGEST_TEXT) -> str:
        """A member that is one text.

        Args:
            name: of the member.
            longest: characters that it may have.
        """
        with self._file.open(f"{name}.npy") as member:
            shape, dtype = _header(member)
            if shape != () or dtype.kind != "U" or dtype.itemsize > 4 * longest:
                raise ValueError(f"{name} is no text, or too long")
            return str(self._content(name, member, shape, dtype))

    def array(self, name: str, dtype: Any, shape: Sequence[int | None]) -> NDArray[Any]:
        """A member that is an array of numbers, not to be written to.

        Args:
            name: of the member.
            dtype: its type.
            shape: its shape; None where any length will do.
        """
        with self._file.open(f"{name}.npy") as member:
            found, kind = _header(member)
            if kind != np.dtype(dtype) or kind.hasobject or len(found) != len(shape):
                raise ValueError(f"{name} is an array of another kind")
            if any(length not in (None, there) for length, there in zip(shape, found, strict=True)):
                raise ValueError(f"{name} is an array of another size")
            return self._content(name, member, found, kind)

    def _content(self, name: str, member: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
        info, size = self._file.NameToInfo[f"{name}.npy"], math.prod(shape) * dtype.itemsize
        plain = info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others are unpacked without a bound
        if not plain or info.file_size != member.tell() + size or info.compress_size > self._length:
            raise ValueError(f"{name} has another length than it says")
        there = available()
        if there is not None and size > there:
            raise MemoryError
        content = member.read(size)
        if len(content) != size or member.read(1):  # read to its end: there its checksum is compared
            raise ValueError(f"{name} has another length than it says")
        return np.frombuffer(content, dtype).reshape(shape) if size else np.empty(shape, dtype)


@contextmanager
def archive(path: str | os.PathLike[str], what: str) -> Iterator[Archive]:
    """Open an `.npz`; what goes wrong inside is told as what is wrong with the file.

    Args:
        path: the file.
        what: what it should be, for the message ("strategy", "checkpoint").

    Yields:
        The archive; errors of the caller's own are to be `InputError`, or a `ValueError`, `KeyError` or
        `TypeError` for damage.

    Raises:
        Unreadable: the file is there and cannot be read now: no permission, an error of the disk, no memory.
        InputError: the file is missing, truncated or of another kind.
    """
    try:
        with zipfile.ZipFile(path) as file:
            yield Archive(file, os.stat(path).st_size)
    except InputError:
        raise
    except FileNotFoundError as error:
        raise InputError(f"there is no file {path}.") from error
    except MemoryError as error:
        raise Unreadable(f"{path} cannot be read as a {what}: there is not enough memory.") from error
    except OSError as error:
        if error.errno in _OF_DAMAGE:
            raise InputError(f"{path} is no {what} of pigevo, or it is damaged.") from error
        raise Unreadable(f"{path} cannot be read as a {what}: {error.strerror}.") from error
    except Exception as error:  # damage can surface anywhere below zipfile, zlib and numpy's reader
        raise InputError(f"{path} is no {what} of pigevo, or it is damaged.") from error


def _header(member: Any) -> tuple[tuple[int, ...], np.dtype[Any]]:
    shape, fortran, dtype = _READERS[npy.read_magic(member)](member)
    if fortran and len(shape) > 1:
        raise ValueError("an array in another order")
    return shape, dtype
