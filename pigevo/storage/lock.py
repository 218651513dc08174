"""A lock on a run's folder that dies with its process."""

from __future__ import annotations

import errno
import logging
import os
import threading
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
except ImportError:  # on Windows, where only a file that is open to be written can be locked
    fcntl = None  # type: ignore[assignment,unused-ignore]

RETRY_SECONDS = 1.0
"""Seconds that a starter waits for a lock: who only looks whether a folder is in use holds it for an instant."""

STEP = 0.01
"""Seconds between two tries."""

IsKnown = Callable[[Path], bool]

_BUSY = frozenset({errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES})
_LACKING = frozenset({errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOLCK, errno.EINVAL})
_LOG = logging.getLogger(__name__)
_GUARD = threading.Lock()
_held: set[tuple[int, int, int]] = set()
_warned: list[Path] = []


class InUse(InputError):
    """Another process is at work in the folder."""


def refuse_others(folder: Path, kind: str, is_known: IsKnown) -> None:
    """Refuse a folder in which files of others lie (`pigevo.storage.files.refuse_strangers`); nothing is written.

    Raises:
        InputError: they do.
    """
    with _GUARD:
        if not _is_held(folder):  # to read its lock file and close it would end a POSIX lock
            refuse_strangers(folder, kind, is_known)


@contextmanager
def locked(folder: Path, kind: str = "run", is_known: IsKnown = lambda _: False) -> Iterator[None]:
    """Hold the folder's lock; the operating system frees it whatever ends the process.

    It is one of flock, or of POSIX where the file system has no flock (as shared ones may);
    where there are no locks at all, the first folder is warned of, and the work goes on.

    Args:
        folder: the folder, which is made if needed.
        kind: what it is the folder of, from now on: `run` or `sweep`.
        is_known: whether an unmarked folder is one of this kind (`pigevo.storage.files.refuse_strangers`).

    Raises:
        InUse: another process holds it.
        InputError: files of others lie in the folder, or it cannot be written.
    """
    until = time.monotonic() + RETRY_SECONDS
    while (file := _take(folder, kind, is_known)) is None:
        if time.monotonic() > until:
            raise InUse(f"another process is at work in {folder}: wait for it, or end it.")
        time.sleep(STEP)
    key = _key(os.fstat(file.fileno()))
    try:
        _mark(file, folder, kind)
        yield
    finally:
        with _GUARD:
            _held.discard(key)
            file.close()


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Inside, no other process makes the same file: it waits, and should then look whether the file is there.

    A holder that dies holds up nobody.  Where nothing can be locked or written, nobody waits.

    Args:
        path: the file; the lock lies beside it, and is gone afterwards.
    """
    place = path.with_name(f".{path.name}.lock")
    try:
        file = open(place, "a+b", opener=no_link)  # noqa: SIM115
    except OSError:
        yield
        return
    with file:
        with suppress(OSError):
            if _try(file.fileno(), shared=False) is False:
                _LOG.info("another process makes %s: waiting for it", path)
                while _try(file.fileno(), shared=False) is False:
                    time.sleep(STEP)
        try:
            yield
        finally:
            with suppress(OSError):
                place.unlink()


def in_use(folder: Path) -> bool:
    """Whether a process is at work in the folder; nothing is written to find out.

    Args:
        folder: the folder; it need not be there.
    """
    place = folder / LOCK_FILE
    try:
        with _GUARD:
            if _is_held(folder):
                return True
            with place.open("rb" if fcntl else "rb+") as file:
                return _try(file.fileno(), shared=True) is False
    except OSError:  # not there, not ours to read, or nothing that can be locked
        return False


def _take(folder: Path, kind: str, is_known: IsKnown) -> BinaryIO | None:
    """The open file, locked; None if another holds the lock."""
    place = folder / LOCK_FILE
    with _GUARD:
        # POSIX locks know processes, not open files: one of our own must be seen without opening the file,
        # since to close it would end the lock.
        if _is_held(folder):
            return None
        refuse_strangers(folder, kind, is_known)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file = open(place_in(folder, LOCK_FILE), "a+b", opener=no_link)  # noqa: SIM115
        except OSError as error:
            raise InputError(f"{folder} cannot be written: {reason(error)}.") from error
        try:
            taken = _try(file.fileno(), shared=False)
        except OSError as error:
            file.close()
            raise InputError(f"{place} cannot be locked: {reason(error)}.") from error
        if taken is False:
            file.close()
            return None
        _held.add(_key(os.fstat(file.fileno())))
    if taken is None:
        _warn(folder)
    return file


def _mark(file: BinaryIO, folder: Path, kind: str) -> None:
    """Say whose folder it is, where nothing says so yet."""
    try:
        if os.fstat(file.fileno()).st_size == 0:
            file.write(mark_of(kind))
            file.flush()
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror}.") from error


def _try(descriptor: int, shared: bool) -> bool | None:
    """Whether the lock was taken; None where there are no locks.

    Raises:
        OSError: something else is wrong.
    """
    for lock in _locks(shared):
        try:
            lock(descriptor)
            return True
        except OSError as error:
            if error.errno in _BUSY:
                return False
            if error.errno not in _LACKING:
                raise
    return None


def _locks(shared: bool) -> list[Callable[[int], object]]:
    """The ways to lock an open file, the best first; with a shared one, those who only look do not meet each other."""
    if fcntl is None:
        import msvcrt  # type: ignore[unreachable,unused-ignore]

        def first_byte(descriptor: int) -> object:
            os.lseek(descriptor, 0, os.SEEK_SET)  # the file may have been opened at its end
            return msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]

        return [first_byte]
    how = (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB
    return [lambda descriptor: fcntl.flock(descriptor, how), lambda descriptor: fcntl.lockf(descriptor, how)]


def _is_held(folder: Path) -> bool:
    """Whether this process itself holds the lock; the file is not opened."""
    try:
        return _key((folder / LOCK_FILE).stat()) in _held
    except OSError:
        return False


def _key(found: os.stat_result) -> tuple[int, int, int]:
    return os.getpid(), found.st_dev, found.st_ino


def _warn(folder: Path) -> None:
    if not _warned:
        _warned.append(folder)
        _LOG.warning("The file system of %s has no locks: see to it that no two processes work in one folder.", folder)
