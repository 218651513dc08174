"""What pigevo keeps in its caches: how large it is, and how it is removed, oldest first.

Only files that pigevo writes there are seen: those whose names are of its making, in the places
where it makes them, and neither links nor what lies behind one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

MOST_BYTES = 100_000_000
"""Of each cache: about twenty builds of all kernels, or two thousand baseline samples."""

BUILD = "pigevo-"
"""How the folder of a build's kernels begins; the digits of its source follow."""

_DIGITS = r"[0-9a-f]{16}"
_KERNEL = re.compile(r"[\w.<>]+-[0-9a-f]{24}\.kernel(\w+\.partial)?|[\w.]+-[0-9a-f]{24}\.same")
_FORMER_HOME, _FORMER_KERNEL = re.compile(r"\w+_[0-9a-f]{40}"), re.compile(r".+\.nb[ic](\.tmp\.\w+)?")  # of 0.1.0
_SAMPLE = re.compile(rf"{_DIGITS}\.npz|\.{_DIGITS}\.npz\.(\w+\.partial|lock)")


@dataclass(frozen=True)
class Entry:
    """What is removed as a whole.

    Args:
        place: the folder of a build, or the file.
        files: the files of it.
        folders: its folders, inner ones first, which go once they are empty.
        bytes: the size of the files.
        used: when it was last written or used, seconds of the clock.
    """

    place: Path
    files: tuple[Path, ...]
    folders: tuple[Path, ...]
    bytes: int
    used: float


def builds(folder: Path) -> list[Entry]:
    """The builds of compiled kernels in a folder, those of pigevo 0.1.0 too."""
    return [*_each(folder, _build, rf"{BUILD}{_DIGITS}"), *_each(folder, _former_build, _DIGITS)]


def samples(folder: Path) -> list[Entry]:
    """The baseline samples and random searches in a folder."""
    return [_entry(path, [path], []) for path in _files(folder, _SAMPLE)]


def make_room(entries: Iterable[Entry], keep: Path, most: int = MOST_BYTES) -> None:
    """Remove the oldest entries, until the others take no more than so many bytes.

    Args:
        entries: of one cache.
        keep: the place of the one that stays in any case.
        most: bytes.
    """
    known = sorted(entries, key=lambda entry: entry.used)
    total = sum(entry.bytes for entry in known)
    for entry in known:
        if total > most and entry.place != keep:
            total -= remove(entry)


def remove(entry: Entry) -> int:
    """Remove an entry; the number of bytes that are free now."""
    freed = 0
    for path in entry.files:
        with suppress(OSError):  # another process may have been faster
            size = _about(path).st_size
            path.unlink()
            freed += size
    for folder in entry.folders:
        with suppress(OSError):  # somebody else's file is in it
            folder.rmdir()
    return freed


def _each(folder: Path, read: Callable[[Path], Entry], name: str) -> list[Entry]:
    return [read(home) for home in _folders(folder, re.compile(name))]


def _build(home: Path) -> Entry:
    return _entry(home, [*_files(home, _KERNEL)], [home])


def _former_build(home: Path) -> Entry:
    inner = [*_folders(home, _FORMER_HOME)]
    return _entry(home, [path for place in inner for path in _files(place, _FORMER_KERNEL)], [*inner, home])


def _entry(place: Path, files: list[Path], folders: list[Path]) -> Entry:
    used = _about(place).st_mtime
    return Entry(place, tuple(files), tuple(folders), sum(_about(path).st_size for path in files), used)


def _about(path: Path) -> os.stat_result:
    """What is known of a file; zeros where another process has just removed it."""
    try:
        return path.lstat()
    except OSError:
        return os.stat_result([0] * 10)


def _files(folder: Path, name: re.Pattern[str]) -> Iterator[Path]:
    return (Path(found) for found in _found(folder, name) if found.is_file(follow_symlinks=False))


def _folders(folder: Path, name: re.Pattern[str]) -> Iterator[Path]:
    return (Path(found) for found in _found(folder, name) if found.is_dir(follow_symlinks=False))


def _found(folder: Path, name: re.Pattern[str]) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return [one for one in found if name.fullmatch(one.name)]
    except OSError:
        return []
