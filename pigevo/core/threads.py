"""Distributes work over threads; results do not depend on the number of threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
Progress = Callable[[int], object]
"""Called with the number of games, pairs or orbits completed since the last call."""

STRETCH = 16
"""The largest number of items that a thread completes between two checks for an interruption."""


def available_cores() -> int:
    """The number of cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def map_threads(
    function: Callable[[Item], Result],
    items: Sequence[Item],
    workers: int = 1,
    done: Callable[[Item], object] | None = None,
) -> list[Result]:
    """`[function(item) for item in items]` on up to `workers` threads, at most one a core, in the order of the items.

    This is useful only for functions that release the interpreter's lock, as the kernels do. `done` is called in the
    caller's own thread with each item, in order, when its result is available.
    """
    workers = min(workers, available_cores(), len(items))
    step = min(STRETCH, max(1, len(items) // (8 * max(1, workers))))
    parts = [items[start : start + step] for start in range(0, len(items), step)]

    def stretch(part: Sequence[Item]) -> list[Result]:
        return [function(item) for item in part]

    results: list[Result] = []
    with ThreadPoolExecutor(workers) if workers > 1 else nullcontext() as pool:
        for part, part_results in zip(parts, pool.map(stretch, parts) if pool else map(stretch, parts), strict=True):
            results += part_results
            for item in part if done else ():
                done(item)  # type: ignore[misc]  # not None here
    return results
