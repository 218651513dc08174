"""Cache folders of limited size that only the user can write to.

The oldest entries are removed first.  Only files written by pigevo are considered: files with pigevo's names in
pigevo's folders, and neither links nor files behind a link.
"""

from __future__ import annotations

import os
import re
import stat
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_cache_path

OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
OTHERS = stat.S_IRWXG | stat.S_IRWXO


class NotOurOwn(OSError):
    """A folder that another user owns or could write to; the message says why."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.strerror = message


def user_cache() -> Path:
    """The user's cache folder for pigevo, which may not exist and may not be writable.

    For a user without a home, as in many containers, it is in the folder of temporary files.
    """
    try:
        folder = user_cache_path("pigevo", appauthor=False)
    except RuntimeError:
        folder = Path("~")
    return folder if folder.is_absolute() else temporary_cache()


def temporary_cache() -> Path:
    """The cache folder in the folder of temporary files, named after the user's number."""
    user = os.geteuid() if hasattr(os, "geteuid") else "user"
    return Path(tempfile.gettempdir()) / f"pigevo-{user}"


def own_folder(base: Path, *names: str) -> Path:
    """A folder below `base` (which may be a link) that only the user can write to; created if it is missing.

    The returned path has no links. `NotOurOwn` is raised if another user could write to the folder or replace one
    above it.
    """
    for level in reversed([level for level in (base, *base.parents) if not level.exists()]):
        level.mkdir(0o700, exist_ok=True)
    folder = base.resolve(strict=True)
    _check_above(folder)
    if not names:
        _check(folder, folder.lstat(), root=True)
    for name in names:
        folder /= name
        folder.mkdir(0o700, exist_ok=True)
        status = folder.lstat()
        if not stat.S_ISDIR(status.st_mode):
            raise NotOurOwn(f"{folder} is a link and not a folder")  # `mkdir` refuses everything else
        _check(folder, status, root=False)
        if status.st_mode & OTHERS:  # an earlier version made the folder readable for others
            with suppress(OSError):  # file system without modes; the check above has shown that nobody else can write
                folder.chmod(0o700)
    return folder


def own_cache(name: str) -> Path:
    """One of the caches, made by `own_folder` in the user's cache folder or else among the temporary files."""
    preferred, *fallbacks = dict.fromkeys((user_cache(), temporary_cache()))
    try:
        return own_folder(preferred.parent, preferred.name, name)
    except OSError:
        for fallback in fallbacks:
            with suppress(OSError):
                return own_folder(fallback.parent, fallback.name, name)
        raise


def _check_above(folder: Path) -> None:
    """Check that no other user can replace this folder or one of its parents."""
    for level in (*reversed(folder.parents), folder):
        status = level.lstat()
        _check(level, status, root=True)
        if not status.st_mode & OTHERS and level != folder and _is_users(status):
            return  # nobody else can reach what is below


def _check(folder: Path, status: os.stat_result, root: bool) -> None:
    """Check that only the user can write to a folder; `root` also allows root's folders and those with a sticky bit."""
    if not hasattr(os, "geteuid"):  # Windows manages the rights of a user's folders itself
        return
    if not _is_users(status) and not (root and status.st_uid == 0):
        raise NotOurOwn(f"{folder} belongs to another user")
    if status.st_mode & OTHERS_WRITE and not (root and status.st_mode & stat.S_ISVTX):
        raise NotOurOwn(f"other users can write to {folder} (`chmod go-w` closes it)")


def _is_users(status: os.stat_result) -> bool:
    return status.st_uid == os.geteuid()


def display_path(path: Path) -> Path:
    """A path as one would type it: relative if it is below the working folder."""
    try:
        return path.relative_to(Path.cwd())
    except (ValueError, OSError):  # the working folder may have been removed
        return path


MOST_BYTES = 100_000_000
"""The size limit of each cache: about twenty builds of all kernels, or two thousand baseline samples."""

BUILD = "pigevo-"  # the prefix of a build's folder name, followed by digits of its source's hash

_DIGITS = r"[0-9a-f]{16}"
_BUILD = re.compile(rf"{BUILD}{_DIGITS}")
_KERNEL = re.compile(r"[\w.<>]+-[0-9a-f]{24}\.kernel(\w+\.partial)?|[\w.]+-[0-9a-f]{24}\.same")  # 0.2.0 wrote `.same`
_SAMPLE = re.compile(rf"{_DIGITS}\.npz|\.{_DIGITS}\.npz\.(\w+\.partial|lock)")


@dataclass(frozen=True)
class CacheEntry:
    """An entry that is removed as a whole (a build's folder, or a file), with its size in bytes and its last use."""

    path: Path
    files: tuple[Path, ...]
    bytes: int
    used: float


def builds(folder: Path) -> list[CacheEntry]:
    """The builds of compiled kernels in a folder."""
    homes = [entry for entry in _entries_named(folder, _BUILD) if entry.is_dir(follow_symlinks=False)]
    return [_entry(Path(home), _files(home.path, _KERNEL)) for home in homes]


def samples(folder: Path) -> list[CacheEntry]:
    """The baseline samples and random searches in a folder."""
    return [_entry(path, [path]) for path in _files(folder, _SAMPLE)]


def make_room(entries: Iterable[CacheEntry], keep: Path, most: int = MOST_BYTES) -> None:
    """Remove the oldest entries of a cache until the rest fits into a number of bytes; `keep` is never removed."""
    known = sorted(entries, key=lambda entry: entry.used)
    total = sum(entry.bytes for entry in known)
    for entry in known:
        if total > most and entry.path != keep:
            total -= remove(entry)


def remove(entry: CacheEntry) -> int:
    """Remove an entry; returns the number of bytes freed."""
    freed = 0
    for path in entry.files:
        with suppress(OSError):  # another process may have removed it first
            size = _status(path).st_size
            path.unlink()
            freed += size
    if entry.path not in entry.files:
        with suppress(OSError):  # it contains a file that pigevo did not write
            entry.path.rmdir()
    return freed


def _entry(path: Path, files: list[Path]) -> CacheEntry:
    return CacheEntry(path, tuple(files), sum(_status(path).st_size for path in files), _status(path).st_mtime)


def _status(path: Path) -> os.stat_result:
    """The status of a file; zeros if another process has just removed it."""
    try:
        return path.lstat()
    except OSError:
        return os.stat_result([0] * 10)


def _files(folder: str | Path, name: re.Pattern[str]) -> list[Path]:
    return [Path(entry) for entry in _entries_named(folder, name) if entry.is_file(follow_symlinks=False)]


def _entries_named(folder: str | Path, name: re.Pattern[str]) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return [entry for entry in entries if name.fullmatch(entry.name)]
    except OSError:
        return []
