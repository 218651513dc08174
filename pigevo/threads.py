"""Work spread over threads, with results that do not depend on how many."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def available_cores() -> int:
    """The number of cores this process may use."""
    if hasattr(os, "sched_getaffinity"):  # Linux only; it knows the limits of a cluster's job
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def map_threads(function: Callable[[Item], Result], items: Sequence[Item], workers: int = 1) -> list[Result]:
    """`[function(item) for item in items]` on up to `workers` threads, in the order of the items.

    Pays only for functions that release the interpreter's lock, as the kernels do.
    """
    workers = min(workers, available_cores(), len(items))
    if workers <= 1:
        return [function(item) for item in items]
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(function, items))
