"""Whole commands as a user waits for them: `python -m tests.bench.jobs`, which prints JSON, and a table of runs by size.

Caches and results of the commands lie in a folder of their own.  So the first run compiles every kernel, and each later
run of an experiment has a seed, and therefore a random search, that no run before it had.

`python -m tests.bench.jobs sizes` prints how much memory and time runs take, by target and population: the table of
docs/how_to/clusters.md. Each run is done in a process of its own, with one thread. Compiled kernels must be there, so the
first run is done twice.
"""

from __future__ import annotations

import csv
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


TARGETS = (20, 50, 100, 200)
POPULATIONS = (20, 100, 1000)
FITNESS = {"games": "fitness=games", "exact": "fitness=exact"}
GENERATIONS = 10


def measured(fitness: str, target: int, population: int) -> tuple[float, float]:
    """The peak of memory in megabytes, and the seconds of a generation."""
    with tempfile.TemporaryDirectory() as place:
        words = [
            fitness, f"game.target={target}", f"population.size={population}", f"generations={GENERATIONS}",
            "record_every=1", "workers=1", "figures=none", "baseline=none", "hydra.run.dir=run",
        ]  # fmt: skip
        process = subprocess.Popen(
            [sys.executable, "-m", "pigevo", *words], cwd=place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(process.pid, 0)
        assert status == 0, words
        rows = list(csv.DictReader((Path(place) / "run/metrics.csv").open(newline="")))
    spent = float(rows[-1]["seconds"]) - float(rows[0]["seconds"])
    return usage.ru_maxrss / 1024, spent / GENERATIONS


def print_sizes() -> None:
    """Print the table of sizes in Markdown."""
    measured(FITNESS["games"], 20, 20)
    print("| fitness | target | population | memory (MB) | a generation (ms) |\n|---|---|---|---|---|")
    for name, fitness in FITNESS.items():
        for target in TARGETS:
            for population in POPULATIONS:
                memory, seconds = measured(fitness, target, population)
                print(f"| `{name}` | {target} | {population:,} | {memory:,.0f} | {1000 * seconds:,.3g} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:] == ["sizes"]:
        print_sizes()
    else:
        print(json.dumps(figures()))
