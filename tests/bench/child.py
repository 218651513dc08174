"""What is measured in a process of its own, which prints JSON: one work of the table, or the speed of another processor.

`python -m tests.bench.child (time|memory) WORK` gives the figures of a work. `python -m tests.bench.child processors` gives
speeds and figures where numba is told of another processor. Numba's own settings name it (`NUMBA_CPU_NAME`,
`NUMBA_CPU_FEATURES`); they are read when numba is imported, so each processor has a process, and a cache of kernels, of its
own.  The name alone changes nothing but what instructions are taken to cost: without features numba adds all that this
processor has, AVX-512 included.
"""

from __future__ import annotations

import gc
import hashlib
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


PROCESSORS = {
    "this one": {},
    "with AVX2 (x86-64-v3)": {"NUMBA_CPU_NAME": "x86-64-v3", "NUMBA_CPU_FEATURES": ""},
    "without AVX (nehalem)": {"NUMBA_CPU_NAME": "nehalem", "NUMBA_CPU_FEATURES": ""},
}
"""LLVM's and C compilers' names of processors, which stand for their sets of instructions."""


def works_of_processors() -> dict[str, Callable[[], Any]]:
    """What is measured, on one core; each gives figures that must be the same everywhere."""
    import numpy as np

    import pigevo
    from pigevo.exact import matrix_of_tables, prepare
    from pigevo.exact.evaluate import turn_values
    from pigevo.exact.response_kernels import optimal_tables
    from pigevo.exact.solve import TIE
    from pigevo.exact.turns import packed_die

    game = pigevo.Pig()
    best, other = pigevo.optimal(game).strategy, pigevo.random_strategy(game, seed=1)
    opponent = prepare(best)
    tables = np.stack([pigevo.random_strategy(game, seed).table for seed in range(10)])
    a, b = pigevo.hold_at(game, 20), pigevo.hold_at(game, 25)
    generations = iter(pigevo.generations("experiment=knockout_random", "workers=1", "generations=1000"))
    return {
        "exact: random v optimum": lambda: turn_values(other.table, opponent),
        "exact: hold_at:20 v optimum": lambda: turn_values(a.table, opponent),
        "exact: optimum v optimum": lambda: turn_values(best.table, opponent),
        "exact: 10 x 10 win matrix": lambda: matrix_of_tables(game, tables),
        "exact: the optimum": lambda: optimal_tables(100, packed_die(game), TIE),
        "a match of 100,000 games": lambda: pigevo.play_match(a, b, games=100_000, workers=1),
        "a generation of 20, single cells": lambda: next(generations).state.digest,
    }


def references() -> dict[str, Callable[[], float]]:
    """The plain C reference for the same pairs; none where there is no compiler."""
    import pigevo
    from tests.bench.works import library, prepared

    if library() is None:
        return {}
    game = pigevo.Pig()
    best = pigevo.optimal(game).strategy
    players = {
        "random": pigevo.random_strategy(game, seed=1), "hold_at:20": pigevo.hold_at(game, 20), "optimum": best,
    }  # fmt: skip
    return {f"exact: {name} v optimum": prepared(player, best) for name, player in players.items()}


def figures_of_a_processor(rounds: int = 50) -> dict[str, Any]:
    """Seconds of each work and of its reference, and one digest of all that ours gave, the first generations included."""
    seconds, digest = {}, hashlib.sha256()
    for name, call in works_of_processors().items():
        times = []
        for _ in range(rounds + 1):  # the first compiles
            begin = time.process_time()
            result = call()
            times.append(time.process_time() - begin)
            digest.update(_bytes(result))
        seconds[name] = min(times[1:])
    beside = {name: best_seconds(call, 1) for name, call in references().items()}
    return {"seconds": seconds, "C by rows": beside, "digest": digest.hexdigest()[:16]}


def _bytes(result: Any) -> bytes:
    import numpy as np

    if isinstance(result, tuple):
        return b"".join(map(_bytes, result))
    return np.ascontiguousarray(result).tobytes() if isinstance(result, np.ndarray) else repr(result).encode()


def main(what: str, name: str = "") -> None:
    """Measure one work, and print its rows; or all works of processors, and print their figures."""
    if what == "processors":
        print(json.dumps(figures_of_a_processor()))
        return
    from tests.bench.works import WORKS

    measures: dict[str, Measure] = {
        "time": lambda function, threads, share: best_seconds(function, threads) / share,
        "memory": lambda function, _threads, _share: peak_bytes(function) / MIB,
    }
    print(json.dumps(rows(measures[what], WORKS[name])))


if __name__ == "__main__":
    main(*sys.argv[1:])
