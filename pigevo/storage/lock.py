"""A lock on a run's folder that dies with its process.

The lock file also identifies the kind of the folder (`pigevo.storage.files.is_marked`), and testing whether a folder
is in use takes only a shared lock.  The `filelock` package empties the file, so it is not used.
"""

from __future__ import annotations

import errno
import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from pigevo.core.text import reason
from pigevo.errors import InputError
from pigevo.storage.files import LOCK_FILE, mark_of, no_link, place_in, refuse_strangers

try:
    import fcntl
except ImportError:  # on Windows, only a file opened for writing can be locked
    fcntl = None  # type: ignore[assignment,unused-ignore]

RETRY_SECONDS = 1.0
"""Seconds to wait for a lock: a process that only tests it holds it for an instant."""

STEP = 0.01
"""Seconds between two attempts."""

_BUSY = frozenset({errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES})
_LACKING = frozenset({errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOLCK, errno.EINVAL})
_LOG = logging.getLogger(__name__)
_warned: list[Path] = []


class InUse(InputError):
    """Another process is using the folder."""


@contextmanager
def locked(folder: Path, kind: str = "run", is_known: Callable[[Path], bool] = lambda _: False) -> Iterator[None]:
    """Hold the lock of a folder of this kind; the operating system releases it when the process ends.

    On a file system without locks, a warning is printed once and work continues.
    """
    refuse_strangers(folder, kind, is_known)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = open(place_in(folder, LOCK_FILE), "a+b", opener=no_link)  # noqa: SIM115
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {reason(error)}.") from error
    with file:
        until = time.monotonic() + RETRY_SECONDS
        try:
            while (taken := _try(file)) is False:
                if time.monotonic() > until:
                    raise InUse(f"another process is at work in {folder}: wait for it, or end it.")
                time.sleep(STEP)
        except OSError as error:
            raise InputError(f"{folder / LOCK_FILE} cannot be locked: {reason(error)}.") from error
        if taken is None and not _warned:
            _warned.append(folder)
            _LOG.warning(
                "The file system of %s has no locks: see to it that no two processes work in one folder.", folder
            )
        try:
            if os.fstat(file.fileno()).st_size == 0:  # the folder is not marked yet
                file.write(mark_of(kind))
                file.flush()
        except OSError as error:
            raise InputError(f"{folder} cannot be written: {error.strerror}.") from error
        yield


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold a lock while one process makes a file; a process that waited should then check whether the file exists.

    The lock of a dead process is free. Where nothing can be locked or written, no process waits.
    """
    place = path.with_name(f".{path.name}.lock")
    try:
        file = open(place, "a+b", opener=no_link)  # noqa: SIM115
    except OSError:
        yield
        return
    with file:
        with suppress(OSError):
            if _try(file) is False:
                _LOG.info("another process makes %s: waiting for it", path)
                while _try(file) is False:
                    time.sleep(STEP)
        try:
            yield
        finally:
            with suppress(OSError):
                place.unlink()


def in_use(folder: Path) -> bool:
    """Whether a process is using the folder, which need not exist; the test writes nothing."""
    try:
        with open(folder / LOCK_FILE, "rb" if fcntl else "rb+") as file:
            return _try(file, shared=True) is False
    except OSError:  # it does not exist, is not readable, or cannot be locked
        return False


def _try(file: BinaryIO, shared: bool = False) -> bool | None:
    """Whether the lock was taken; None if the file system has no locks.

    Shared locks are for tests only: they do not exclude each other.
    """
    try:
        if fcntl is None:
            import msvcrt  # type: ignore[unreachable,unused-ignore]

            file.seek(0)  # the file may have been opened at its end
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            fcntl.flock(file.fileno(), (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _BUSY:
            return False
        if error.errno in _LACKING:
            return None
        raise
    return True
