"""Work spread over threads, with results that do not depend on how many."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

STRETCH = 256
"""Most items that one thread works on without looking up: so long a second Ctrl-C may take."""

_TOLD: ContextVar[Callable[[int], object] | None] = ContextVar("told", default=None)


def available_cores() -> int:
    """The number of cores this process may use."""
    if hasattr(os, "sched_getaffinity"):  # Linux only; it knows the limits of a cluster's job
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def telling(advance: Callable[[int], object]) -> Iterator[None]:
    """Inside, `map_threads` calls `advance` with the number of items just done, from time to time."""
    token = _TOLD.set(advance)
    try:
        yield
    finally:
        _TOLD.reset(token)


def map_threads(function: Callable[[Item], Result], items: Sequence[Item], workers: int = 1) -> list[Result]:
    """`[function(item) for item in items]` on up to `workers` threads, in the order of the items.

    Pays only for functions that release the interpreter's lock, as the kernels do.
    """
    workers = max(1, min(workers, available_cores(), len(items)))
    step = min(STRETCH, max(1, len(items) // (8 * workers)))
    advance = _TOLD.get() or _nobody

    def stretch(start: int) -> list[Result]:
        return [function(item) for item in items[start : start + step]]

    starts = range(0, len(items), step)
    results: list[Result] = []
    if workers == 1:
        for start in starts:
            results += stretch(start)
            advance(step)
        return results
    with ThreadPoolExecutor(workers) as pool:
        for part in pool.map(stretch, starts):
            results += part
            advance(step)
    return results


def _nobody(_done: int) -> None:
    """Hears what nobody asked for."""
