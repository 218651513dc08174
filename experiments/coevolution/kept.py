"""Rows of figures by setting and seed, kept in a file, of which only those that are missing are computed."""

from __future__ import annotations

import csv
import io
import multiprocessing
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pigevo
from pigevo.storage.files import write_bytes

Key = tuple[str | int | float, ...]
Figures = Mapping[str, float]
Rows = dict[tuple[str, ...], dict[str, float]]
"""The figures by name for each key, whose parts are texts."""

NAME = "coevolution"

FIRST = 1000
"""The first of the seeds on which nothing was chosen; those below 1000 were looked at before the claims were fixed."""

SLOW = 30
"""Seeds at most of the parts that take long."""


def fresh(seeds: int, most: int = 40) -> range:
    """So many seeds on which nothing was chosen, and `most` of them at most."""
    return range(FIRST, FIRST + min(seeds, most))


def kept(
    path: Path, names: Sequence[str], keys: Iterable[Key], work: Callable[[Key], Figures], workers: int = 1
) -> Rows:
    """The figures of all keys, in their order; what the file has is read, what it lacks is computed and added to it.

    Args:
        path: a CSV file.
        names: of the parts of a key.
        keys: what is wanted.
        work: computes the figures of a key; a function of a module, so that other processes find it.
        workers: processes.
    """
    wanted = {tuple(map(str, key)): key for key in keys}
    found = _read(path, names) if path.exists() else {}
    missing = [key for texts, key in wanted.items() if texts not in found]
    for key, figures in _done(work, missing, workers):
        found[tuple(map(str, key))] = dict(figures)
        write_bytes(path, _written(found, names).encode())
    return {texts: found[texts] for texts in wanted}


def _done(work: Callable[[Key], Figures], keys: Sequence[Key], workers: int) -> Iterator[tuple[Key, Figures]]:
    if min(workers, len(keys)) < 2:
        yield from ((key, work(key)) for key in keys)
        return
    afresh = multiprocessing.get_context("spawn")  # threads of this process would not survive a fork
    with _same_package(), ProcessPoolExecutor(workers, afresh) as pool:
        yield from zip(keys, pool.map(work, keys), strict=True)


@contextmanager
def _same_package() -> Iterator[None]:
    """Processes that are begun meanwhile import the very pigevo of this one, whichever others are installed."""
    place = str(Path(pigevo.__file__).resolve().parents[1])
    sys.path.insert(0, place)
    try:
        yield
    finally:
        sys.path.remove(place)


def _read(path: Path, names: Sequence[str]) -> Rows:
    with path.open(newline="", encoding="utf-8") as file:
        return {
            tuple(row[name] for name in names): {
                name: float(value) for name, value in row.items() if name not in names and value
            }
            for row in csv.DictReader(file)
        }


def _written(found: Rows, names: Sequence[str]) -> str:
    text = io.StringIO()
    columns = dict.fromkeys(name for figures in found.values() for name in figures)
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*names, *columns])
    for key, figures in found.items():
        writer.writerow([*key, *(repr(float(figures[name])) if name in figures else "" for name in columns)])
    return text.getvalue()
