"""The plain C reference, compiled by the machine's own compiler; absent where there is none."""

from __future__ import annotations

import ctypes
import functools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import pigevo
from pigevo.exact import prepare
from pigevo.exact.turns import packed_die

SOURCE = Path(__file__).with_name("plain.c")


@functools.cache
def library() -> Any:
    """The compiled reference, for the processor that numba compiles for, or None."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        return None
    folder = Path(tempfile.mkdtemp(prefix="pigevo-bench-"))
    words = [
        compiler,
        "-O3",
        f"-march={os.environ.get('NUMBA_CPU_NAME', 'native')}",
        "-shared",
        "-fPIC",
        "-o",
        str(folder / "plain.so"),
        str(SOURCE),
    ]
    done = subprocess.run(words, check=False, capture_output=True)
    loaded = ctypes.CDLL(str(folder / "plain.so")) if done.returncode == 0 else None
    shutil.rmtree(folder)
    return loaded


def prepared(strategy: pigevo.Strategy, opponent: pigevo.Strategy) -> Callable[[], float]:
    """The call of the reference for one strategy against another one whose turns are known."""
    game, T = strategy.game, strategy.game.target
    gains, chances = (np.ascontiguousarray(part) for part in packed_die(game))
    turns, ends = prepare(opponent), np.zeros((T, T, T))
    for i in range(T):
        for j in range(T):
            run = turns.hold[turns.start[i, j] : turns.start[i, j + 1]][: T - j - turns.low[i, j]]
            ends[i, j, turns.low[i, j] : turns.low[i, j] + len(run)] = run
    leave = np.ascontiguousarray(turns.leave.T)
    stand, behind, moving = np.zeros((2 * T + 2 * gains[0], T)), np.zeros((T + gains[0], T)), np.zeros((T, T))
    table = np.ascontiguousarray(strategy.table)
    arrays = gains, chances, table, ends, leave, stand, behind, moving
    words = [ctypes.c_long(T), ctypes.c_long(len(gains)), *(ctypes.c_void_p(a.ctypes.data) for a in arrays)]

    def call() -> float:
        library().win_rows(*words)
        return float(moving[0, 0])

    call.arrays = arrays  # type: ignore[attr-defined]  # they live as long as the call
    return call
