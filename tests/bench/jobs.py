"""Whole commands as a user waits for them: `python -m tests.bench.jobs`, which prints JSON.

Caches and results lie in a folder of their own.  So the first run compiles every kernel, and each later run of an
experiment has a seed, and therefore a random search, that no run before it had.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

MAIN = ("experiment=cube_random", "mutation=0.005")
QUICK = ("experiment=cube_random", "debug=fast")
SWEEP = (
    "-m",
    "experiment=cube_random",
    "mutation=0.001,0.005,0.01",
    "seed=range(1000,1010)",
    "hydra.launcher.workers=2",
)


class Cost(NamedTuple):
    """What a command costs: seconds of the clock and of the processor, and the largest peak of a process in bytes."""

    seconds: float
    processor: float
    bytes: int


def cost_of(words: Sequence[str], folder: Path) -> Cost:
    """Run pigevo with its results and caches in a folder."""
    environment = {**os.environ, "HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache")}
    begin = time.perf_counter()
    with tempfile.TemporaryFile() as printed:
        process = subprocess.Popen(
            [sys.executable, "-m", "pigevo", *words], cwd=folder, env=environment, stdout=printed, stderr=printed
        )
        _, status, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            printed.seek(0)
            raise SystemExit(f"pigevo {' '.join(words)} failed: {printed.read().decode().strip()}")
    unit = 1 if sys.platform == "darwin" else 1 << 10
    return Cost(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * unit)


def median_cost(words: Sequence[str], folder: Path, seeds: Sequence[int]) -> Cost:
    """The medians of a run with several seeds."""
    costs = [cost_of([*words, f"seed={seed}"], folder) for seed in seeds]
    return Cost(*(statistics.median(figures) for figures in zip(*costs, strict=True)))


def figures() -> list[tuple[str, int, Cost]]:
    """The name of each job, its number of runs, and its cost; the first finds nothing in the caches."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        return [
            ("the main job, nothing cached", 1, cost_of([*MAIN, "seed=0"], folder)),
            ("the main job", 1, median_cost(MAIN, folder, range(1, 6))),
            ("the main job, debug=fast", 1, median_cost(QUICK, folder, range(6, 11))),
            ("a sweep of the main job, two workers", 30, cost_of(SWEEP, folder)),
        ]


if __name__ == "__main__":
    print(json.dumps(figures()))
