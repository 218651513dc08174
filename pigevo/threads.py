"""Work spread over threads, with results that do not depend on how many."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

STRETCH = 16
"""Most items that one thread works on without looking up: so long a second Ctrl-C may take."""

_LOCK = threading.Lock()
_hearers: list[Callable[[int], object]] = []


def available_cores() -> int:
    """The number of cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def map_threads(function: Callable[[Item], Result], items: Sequence[Item], workers: int = 1) -> list[Result]:
    """`[function(item) for item in items]` on up to `workers` threads, in the order of the items.

    Pays only for functions that release the interpreter's lock, as the kernels do.
    """
    workers = min(workers, available_cores(), len(items))
    if workers <= 1:
        return [function(item) for item in items]
    step = min(STRETCH, max(1, len(items) // (8 * workers)))

    def stretch(start: int) -> list[Result]:
        return [function(item) for item in items[start : start + step]]

    with ThreadPoolExecutor(workers) as pool:
        return [result for part in pool.map(stretch, range(0, len(items), step)) for result in part]


@contextmanager
def hearing(hear: Callable[[int], object]) -> Iterator[None]:
    """Inside, `hear` is called with the number of games or pairs whenever so many more are done."""
    _hearers.append(hear)
    try:
        yield
    finally:
        _hearers.remove(hear)


def tell(done: int) -> None:
    """Tell whoever listens, from any thread, that so many games or pairs more are done."""
    if _hearers:
        with _LOCK:
            _hearers[-1](done)
