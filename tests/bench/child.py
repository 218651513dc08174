"""One work of the table in a process of its own: `python -m tests.bench.child (time|memory) WORK`, which prints JSON."""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

ENOUGH, ROUNDS = 0.4, 30
"""Seconds after which no further round is begun, and rounds at most."""

MIB = 2**20


def best_seconds(function: Callable[[], Any], threads: int) -> float:
    """The least time of some calls: the processor's, or the clock's where there are threads."""
    clock = time.perf_counter if threads > 1 else time.process_time
    times: list[float] = []
    while len(times) < ROUNDS and sum(times) < ENOUGH:
        begin = clock()
        function()
        times.append(clock() - begin)
    return min(times)


def peak_bytes(function: Callable[[], Any]) -> int:
    """What the resident memory of this process grows by at most during a call."""
    gc.collect()
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")  # the peak begins at what is resident now
    before = peak_of_process()
    result = function()
    grown = peak_of_process() - before
    del result
    return grown


def peak_of_process() -> int:
    """The largest resident memory of this process in bytes.

    Linux counts in `ru_maxrss` what the parent held when it began this process, so `VmHWM` is read where it exists.
    """
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM"))
    except OSError:  # macOS counts bytes, and forgets no peak
        import resource  # Windows has none

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


Measure = Callable[[Callable[[], Any], int, float], float]
"""Takes what is called, its threads, and how much of the work it does."""


def rows(measure: Measure, work: Any) -> list[dict[str, Any]]:
    """The figures of a work at all of its sizes."""
    first = work.make(work.sizes[0])
    for call in (first.ours, *(call for call, _ in first.peers.values())):
        call()  # compiles
    measured = []
    for size in work.sizes:
        made = work.make(size)
        if made is None:
            continue
        ours = measure(made.ours, made.threads, 1.0)
        peers = {name: measure(call, 1, share) for name, (call, share) in made.peers.items()}
        measured.append({"size": size, "ours": ours, "peers": peers})
    return measured


def main(what: str, name: str) -> None:
    """Measure one work, and print its rows."""
    from tests.bench.works import WORKS

    measures: dict[str, Measure] = {
        "time": lambda function, threads, share: best_seconds(function, threads) / share,
        "memory": lambda function, _threads, _share: peak_bytes(function) / MIB,
    }
    print(json.dumps(rows(measures[what], WORKS[name])))


if __name__ == "__main__":
    main(*sys.argv[1:])
