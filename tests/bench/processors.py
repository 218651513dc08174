"""Speeds and figures where numba is told of another processor: `python -m tests.bench.processors`, which prints JSON.

Numba's own settings name it (`NUMBA_CPU_NAME`, `NUMBA_CPU_FEATURES`); they are read when numba is imported, so each
processor has a process, and a cache of kernels, of its own.  The name alone changes nothing but what instructions are
taken to cost: without features numba adds all that this processor has, AVX-512 included.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.bench.child import best_seconds

PROCESSORS = {
    "this one": {},
    "with AVX2 (x86-64-v3)": {"NUMBA_CPU_NAME": "x86-64-v3", "NUMBA_CPU_FEATURES": ""},
    "without AVX (nehalem)": {"NUMBA_CPU_NAME": "nehalem", "NUMBA_CPU_FEATURES": ""},
}
"""LLVM's and C compilers' names of processors, which stand for their sets of instructions."""


def works() -> dict[str, Callable[[], Any]]:
    """What is measured, on one core; each gives figures that must be the same everywhere."""
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
    from tests.bench.peers import library, prepared

    if library() is None:
        return {}
    game = pigevo.Pig()
    best = pigevo.optimal(game).strategy
    players = {
        "random": pigevo.random_strategy(game, seed=1), "hold_at:20": pigevo.hold_at(game, 20), "optimum": best,
    }  # fmt: skip
    return {f"exact: {name} v optimum": prepared(player, best) for name, player in players.items()}


def figures(rounds: int = 50) -> dict[str, Any]:
    """Seconds of each work and of its reference, and one digest of all that ours gave, the first generations included."""
    seconds, digest = {}, hashlib.sha256()
    for name, call in works().items():
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
    if isinstance(result, tuple):
        return b"".join(map(_bytes, result))
    return np.ascontiguousarray(result).tobytes() if isinstance(result, np.ndarray) else repr(result).encode()


if __name__ == "__main__":
    print(json.dumps(figures()))
