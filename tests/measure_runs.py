"""How much memory and time runs take, by target and population: the table of docs/how_to/clusters.md.

`python -m tests.measure_runs` does each run in a process of its own, with one thread, and prints the table. Compiled
kernels must be there, so the first run is done twice.
"""

import csv
import os
import subprocess
import sys
import tempfile
from pathlib import Path

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


def main() -> None:
    """Print the table in Markdown."""
    measured(FITNESS["games"], 20, 20)
    print("| fitness | target | population | memory (MB) | a generation (ms) |\n|---|---|---|---|---|")
    for name, fitness in FITNESS.items():
        for target in TARGETS:
            for population in POPULATIONS:
                memory, seconds = measured(fitness, target, population)
                print(f"| `{name}` | {target} | {population:,} | {memory:,.0f} | {1000 * seconds:,.3g} |", flush=True)


if __name__ == "__main__":
    main()
