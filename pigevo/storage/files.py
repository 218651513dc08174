"""Files are written to a temporary name and renamed; folders are emptied by exact names, never through links.

A reader sees the old file or the new one, never a part of one.  Files that only grow are appended
to; their readers know how much of them is complete.

A folder made by pigevo is marked by its lock file from the start; a folder without the mark is
not touched unless it is empty.  The lock dies with its process, and testing whether a folder is in use takes only a
shared lock.  The `filelock` package is not used, because it empties the lock file, which would remove the mark.
"""

from __future__ import annotations

import csv
import errno
import hashlib
import io
import logging
import os
import re
import stat
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from pigevo.core.text import reason
from pigevo.errors import InputError

try:
    import fcntl
except ImportError:  # on Windows, only a file opened for writing can be locked
    fcntl = None  # type: ignore[assignment,unused-ignore]

LOG = logging.getLogger("pigevo")

LOCK_FILE = ".lock"

_PARTIAL = "[a-z0-9_]{8}"  # the suffix of a temporary file's name, after the file's own name
_SHOWN = 3  # the number of foreign files that a message names


def mark_of(kind: str) -> bytes:
    """The content of the lock file in a folder of the given kind (`run`, `sweep`)."""
    return f"pigevo {kind}\n".encode()


def no_link(path: str, flags: int) -> int:
    """An `opener` for `open` that does not follow a link."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), 0o666)


def is_marked(folder: Path, kind: str) -> bool:
    """Whether pigevo made the folder as one of this kind."""
    mark = mark_of(kind)
    try:
        with open(folder / LOCK_FILE, "rb", opener=no_link) as file:
            return file.read(len(mark) + 1) == mark
    except PermissionError:  # Windows refuses while another process holds the lock
        return True
    except OSError:
        return False


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        what = "a link to nothing" if folder.is_symlink() else "a file"
        raise InputError(f"{folder} cannot be written: it is {what}; name another folder.") from error


def make_marked(folder: Path, kind: str) -> None:
    """Make a folder of this kind; its mark is its first file."""
    try:
        _make(folder)
        mark = path_in(folder, LOCK_FILE)
        if not mark.exists() or mark.stat().st_size == 0:  # a full disk, or a kill, may have left it empty
            # Without truncation: another process may have written it in the meantime.
            with os.fdopen(no_link(str(mark), os.O_CREAT | os.O_WRONLY), "wb") as file:
                file.write(mark_of(kind))
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror}.") from error


def refuse_strangers(folder: Path, kind: str, is_known: Callable[[Path], bool]) -> None:
    """Refuse a folder with foreign files, unless it is one of this kind (`run`, `sweep`); nothing is written.

    `is_known` returns whether an unmarked folder, such as a copy, is one of this kind.
    """
    try:
        names = sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):  # the caller that makes the folder reports this
        return
    except OSError as error:
        raise InputError(f"{folder} cannot be read: {error.strerror}.") from error
    files = [name for name in names if name != LOCK_FILE]
    if files and not is_marked(folder, kind) and not is_known(folder):
        listed = ", ".join(files[:_SHOWN]) + (", ..." if len(files) > _SHOWN else "")
        raise InputError(f"{folder} must be new or empty, but has other files ({listed}): name another folder.")


def instead_of(wanted: str, folder: Path) -> str:
    """What is at a path where a folder with something was wanted: nothing, a file, an empty folder, or other files."""
    if not os.path.exists(folder):
        return f"there is no folder {folder}"
    if not os.path.isdir(folder):
        return f"{folder} is a file"
    with suppress(OSError):  # it cannot be listed
        if not os.listdir(folder):
            return f"{folder} is empty"
    return f"{folder} holds no {wanted}"


def path_in(folder: Path, name: str) -> Path:
    """The path `folder / name`; refused if anything below `folder` on it is a link."""
    parts = name.split("/")
    if any(part in ("", ".", "..") for part in parts):
        raise InputError(f"{name!r} cannot be the name of a file in {folder}.")
    for number in range(1, len(parts) + 1):
        path, wanted = folder.joinpath(*parts[:number]), "file" if number == len(parts) else "folder"
        try:
            mode = os.lstat(path).st_mode
        except (FileNotFoundError, NotADirectoryError):  # the caller that makes the folder reports the latter
            break
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror}.") from error
        if not (stat.S_ISREG(mode) if wanted == "file" else stat.S_ISDIR(mode)):
            what = "a link" if stat.S_ISLNK(mode) else f"not a {wanted}"
            raise InputError(f"{path} is {what}, and pigevo's {wanted} would be there: move it away.")
    return folder.joinpath(*parts)


def remove_own(folder: Path, names: Iterable[str]) -> None:
    """Remove files of pigevo by name (see `path_in`), in order, then the folders that became empty."""
    paths = [path_in(folder, name) for name in names]
    for path in paths:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise InputError(f"{path} cannot be removed: {error.strerror}.") from error
    for inner in sorted({inner for path in paths for inner in path.relative_to(folder).parents}, reverse=True):
        if inner != Path():
            with suppress(OSError):  # it contains something else
                (folder / inner).rmdir()


def remove_partials(folder: Path, names: Iterable[str]) -> None:
    """Remove the temporary files of a killed process from a locked folder."""
    inside: dict[Path, list[str]] = {}
    for name in names:
        path = path_in(folder, name)
        inside.setdefault(path.parent, []).append(re.escape(path.name))
    for home, files in inside.items():
        partial = re.compile(rf"\.({'|'.join(files)})\.{_PARTIAL}\.partial")
        with suppress(OSError):  # the folder does not exist or is not readable: no file of ours is in it
            for name in os.listdir(home):
                if partial.fullmatch(name) and stat.S_ISREG(os.lstat(home / name).st_mode):
                    os.unlink(home / name)


_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # the first characters of a cell that spreadsheets run as a formula


def csv_bytes(rows: Iterable[Iterable[object]]) -> bytes:
    """Rows as comma-separated values, with numbers in full precision.

    A text that a spreadsheet would run as a formula, such as a name `=1+1`, has an apostrophe before it, which
    spreadsheets do not show; `cell_text` takes it away.
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([_as_text(cell) for cell in row] for row in rows)
    return text.getvalue().encode()


def cell_text(cell: str) -> str:
    """The text of a cell that `csv_bytes` wrote."""
    return cell[1:] if cell[:1] == "'" and cell[1:].startswith(_FORMULA) else cell


def _as_text(cell: object) -> object:
    if not isinstance(cell, str) or not cell.startswith(_FORMULA):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell


def write_bytes(path: str | os.PathLike[str], content: bytes, keep: Path | None = None) -> Path:
    """Write `content` to `path` atomically; a failure leaves the old file, which `keep` preserves at that path."""
    target = Path(path)
    _refuse_no_file(target)
    partial = None
    try:
        _make(target.parent)
        with open(target.parent / f".{target.name}.{os.urandom(4).hex()}.partial", "xb") as file:
            partial = Path(file.name)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if keep is not None and target.exists():
            os.replace(target, keep)
        os.replace(partial, target)
    except BaseException as error:
        if partial is not None:
            partial.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise InputError(f"{target} cannot be written: {error.strerror}.") from error
        raise
    return target


@contextmanager
def telling_replaced(*paths: Path) -> Iterator[None]:
    """A context for writing files: at its end, a warning names each file whose earlier content was replaced."""
    before = {path: _digest(path) for path in paths}
    yield
    for path, digest in before.items():
        if digest is not None and digest != _digest(path):
            LOG.warning("%s was written anew: its content is different now", path)


def _digest(path: Path) -> bytes | None:
    with suppress(OSError), open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").digest()
    return None


def append_bytes(path: Path, content: bytes, size: int) -> None:
    """Append `content` to a file of `size` bytes; after a failure the file has its old length."""
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
    """Refuse a path that cannot be written to, before long work begins; nothing is left behind."""
    target = Path(path)
    _refuse_no_file(target)
    new = [folder for folder in target.parents if not os.path.lexists(folder)]
    try:
        _make(target.parent)
        with tempfile.NamedTemporaryFile(prefix=f".{target.name}.", suffix=".partial", dir=target.parent):
            pass
    except OSError as error:
        raise InputError(f"{target} cannot be written: {error.strerror}.") from error
    finally:
        for folder in new:
            with suppress(OSError):  # it was not made, or another process has written to it
                folder.rmdir()


def _refuse_no_file(path: Path) -> None:
    """Refuse a path of something that is not a file, because writing would replace it."""
    try:
        mode = os.lstat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):  # the caller that makes the folder reports the latter
        return
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be written: {reason(error)}.") from error
    if not (stat.S_ISREG(mode) or stat.S_ISLNK(mode)):
        raise InputError(f"{path} cannot be written: it is {'a folder' if stat.S_ISDIR(mode) else 'not a file'}.")


RETRY_SECONDS = 1.0  # seconds to wait for a lock: a process that only tests it holds it for an instant
STEP = 0.01  # seconds between two attempts

_BUSY = frozenset({errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES})
_LACKING = frozenset({errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOLCK, errno.EINVAL})
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
        _make(folder)
        file = open(path_in(folder, LOCK_FILE), "a+b", 0, opener=no_link)  # noqa: SIM115  # closing it writes nothing
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
            LOG.warning(
                "The file system of %s has no locks: see to it that no two processes work in one folder.", folder
            )
        try:
            if os.fstat(file.fileno()).st_size == 0:  # the folder is not marked yet
                file.write(mark_of(kind))
        except OSError as error:
            raise InputError(f"{folder} cannot be written: {error.strerror}.") from error
        yield


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Hold a lock while one process makes a file; a process that waited should then check whether the file exists.

    The lock of a dead process is free. Where nothing can be locked or written, no process waits.
    """
    lock = path.with_name(f".{path.name}.lock")
    try:
        file = open(lock, "a+b", opener=no_link)  # noqa: SIM115
    except OSError:
        yield
        return
    with file:
        with suppress(OSError):
            if _try(file) is False:
                LOG.info("another process makes %s: waiting for it", path)
                while _try(file) is False:
                    time.sleep(STEP)
        try:
            yield
        finally:
            with suppress(OSError):
                lock.unlink()


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
