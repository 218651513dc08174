"""Files that survive: written beside their place, then renamed into it.

A reader therefore sees the old file or the new one, never half of one.  Files that only
grow are added to; who reads them knows how much of them is whole.
"""

from __future__ import annotations

import io
import os
import stat
import tempfile
import zipfile
import zlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pigevo.errors import InputError
from pigevo.folders import no_link
from pigevo.records import KINDS
from pigevo.telling import reason

QUICKLY = 1
"""The level of compression: files are a twentieth longer than with the usual one, in a quarter of the time."""

PIECES, PIECE, WORTH = 16, 4096, 0.95
"""An array is compressed where so many pieces of so many bytes shrink to less than that share."""


def write_bytes(path: str | os.PathLike[str], content: bytes, keep: Path | None = None) -> Path:
    """Write `content` to `path` in one step; the folder is made if needed.

    Args:
        path: the place; where anything goes wrong, the file that was there stays.
        content: what to write.
        keep: where the former file goes, if it shall not be lost.

    Raises:
        InputError: the place cannot be written (no space, no permission).
    """
    place = Path(path)
    _refuse_no_file(place)
    partial = None
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with open(place.parent / f".{place.name}.{os.urandom(4).hex()}.partial", "xb") as file:
            partial = Path(file.name)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if keep is not None and place.exists():
            os.replace(place, keep)
        os.replace(partial, place)
    except BaseException as error:
        if partial is not None:
            partial.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise InputError(f"{place} cannot be written: {error.strerror}.") from error
        raise
    return place


def append_bytes(path: Path, content: bytes, size: int) -> None:
    """Write `content` to the end of a file.

    Args:
        path: the file; where anything goes wrong, it is as long as before.
        content: what to write.
        size: how long the file is.

    Raises:
        InputError: it cannot be written.
    """
    try:
        with open(path, "r+b", buffering=0, opener=no_link) as file:
            try:
                file.seek(size)
                left = memoryview(content)
                while left:
                    left = left[file.write(left) :]
                os.fsync(file.fileno())
            except BaseException:
                with suppress(OSError):
                    file.truncate(size)
                raise
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}.") from error


def refuse_unwritable(path: str | os.PathLike[str]) -> None:
    """Find out, before long work whose result shall go there, whether a file can be written; nothing is left behind.

    Raises:
        InputError: the place cannot be written.
    """
    place = Path(path)
    _refuse_no_file(place)
    new = [folder for folder in place.parents if not os.path.lexists(folder)]
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(prefix=f".{place.name}.", suffix=".partial", dir=place.parent):
            pass
    except OSError as error:
        raise InputError(f"{place} cannot be written: {error.strerror}.") from error
    finally:
        for folder in new:
            with suppress(OSError):  # it was not made, or another process has put something into it
                folder.rmdir()


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


def _refuse_no_file(place: Path) -> None:
    """Refuse a place where something else than a file is, which writing would put out of the way."""
    try:
        kind = KINDS.get(stat.S_IFMT(os.lstat(place).st_mode))
    except (FileNotFoundError, NotADirectoryError):  # the latter is told by who makes the folder
        return
    except (OSError, ValueError) as error:
        raise InputError(f"{place} cannot be written: {reason(error)}.") from error
    if kind:
        raise InputError(f"{place} cannot be written: it is {kind}.")
