"""A lock on a run's folder that dies with its process."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pigevo.errors import InputError


class InUse(InputError):
    """Another process is at work in the folder."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder's lock; the operating system frees it whatever ends the process.

    Raises:
        InUse: another process holds it.
        InputError: the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / ".lock").open("a+b")
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror}.") from error
    with file:
        try:
            _take(file.fileno())
        except OSError as error:
            raise InUse(f"another process is at work in {folder}: wait for it, or end it.") from error
        yield


def _take(descriptor: int) -> None:
    if os.name == "nt":
        import msvcrt

        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def in_use(folder: Path) -> bool:
    """Whether a process is at work in the folder; nothing is written to find out."""
    try:
        with (folder / ".lock").open("rb+" if os.name == "nt" else "rb") as file:
            _take(file.fileno())
            return False
    except FileNotFoundError:
        return False
    except PermissionError:  # of Windows, where it says so of a lock; elsewhere the file is not ours to read
        return os.name == "nt"
    except OSError:
        return True
