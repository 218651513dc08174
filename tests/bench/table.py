"""The one table of `make bench`: work, time, peak memory and growth, peers beside it; `python -m tests.bench.table FILE.md`.

Every work has two processes: one measures times, ours and the peers' in turn, the other one memory, with an allocator
that gives back what is freed.  Growth is the slope of a least-squares line through the logarithms of size and time.
"""

from __future__ import annotations

import json
import math
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from tests.bench.child import PROCESSORS

HEAD = ["work", "size", "time", "peak memory", "beside it, in the same process"]
GIVES_BACK = {"MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "65536"}
"""For glibc: large arrays are given back to the system when they are freed, so that the peak is that of one call."""

NOTES = """\
Times are the least of the rounds, except for jobs: the processor's for one thread, the clock's for several workers. Everything is
compiled and ready before; a generation includes what it allocates. Peak memory is what the resident memory of a process
of its own grows by during one call (VmHWM on Linux, else ru_maxrss), beyond what the call is given: numpy's arrays and
those of compiled code alike; below 0.1 MB nothing is said. Growth is the exponent of the size by least squares in
logarithms, with the share of the variance that it explains. A peer that would take too long did a part, and its time is
that of the whole in proportion: the loops over OpenSpiel's states play at most 300 games, and one member stands for a
population. Jobs are whole commands by the clock, from the start of Python to the end: medians of five, each with a seed
that was not run before, and once where nothing is cached and for the sweep; their memory is that of their largest
process."""


def child(module: str, *words: str, **settings: str) -> Any:
    """What a process of its own prints, as JSON."""
    command = [sys.executable, "-m", module, *words]
    done = subprocess.run(command, env=os.environ | settings, check=False, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command[1:])} failed.")
    return json.loads(done.stdout)


def growth(sizes: Sequence[float], figures: Sequence[float]) -> tuple[float, float]:
    """The exponent of a power of the size, and how much of the variance of the logarithms it explains."""
    x, y = [math.log(size) for size in sizes], [math.log(figure) for figure in figures]
    share = statistics.correlation(x, y) ** 2 if len(set(y)) > 1 else 1.0
    return statistics.linear_regression(x, y).slope, share


def seconds_text(seconds: float) -> str:
    """Three digits, in the unit that fits."""
    unit, factor = next(((u, f) for u, f in (("s", 1), ("ms", 1e3)) if seconds * f >= 1), ("µs", 1e6))
    return f"{seconds * factor:.3g} {unit}" if seconds * factor < 1000 else f"{seconds * factor:,.0f} {unit}"


def memory_text(mebibytes: float | None) -> str:
    """Megabytes (of 2^20 bytes)."""
    return "" if mebibytes is None or mebibytes < 0.1 else f"{mebibytes:,.1f} MB"


def growth_text(sizes: Sequence[float], figures: Sequence[float]) -> str:
    """An exponent with its share, which two sizes do not have."""
    if len(sizes) < 2 or min(figures) <= 0:
        return ""
    exponent, share = growth(sizes, figures)
    return f"n^{exponent:.2f}" + (f" (R² {share:.3f})" if len(sizes) > 2 else "")


def ratio_text(ratio: float) -> str:
    """Three digits, and never a power of ten."""
    return f"{ratio:,.0f} times" if ratio >= 100 else f"{ratio:.3g} times"


def rows_of(work: tuple[str, str], times: Sequence[Any], memory: Sequence[Any]) -> list[list[str]]:
    """The lines of one work: a line for each size, and one for the growth."""
    name, over = work
    lines, by_size = [], {row["size"]: row for row in memory}
    for row in times:
        space = by_size.get(row["size"], {"ours": None, "peers": {}})
        beside = []
        for peer, seconds in row["peers"].items():
            took = memory_text(space["peers"].get(peer)) if peer in space["peers"] else ""
            beside.append(f"{peer} {seconds_text(seconds)}{took and ', ' + took}: {ratio_text(seconds / row['ours'])}")
        lines.append(
            [name, f"{over} {row['size']:,}", seconds_text(row["ours"]), memory_text(space["ours"]), "; ".join(beside)]
        )
        name = ""
    sizes = [row["size"] for row in times]
    peers = {peer: [row for row in times if peer in row["peers"]] for row in times for peer in row["peers"]}
    grown = {
        peer: growth_text([r["size"] for r in some], [r["peers"][peer] for r in some]) for peer, some in peers.items()
    }
    used = [(row["size"], row["ours"]) for row in memory if row["ours"] >= 0.1]
    lines.append([
        "", "growth", growth_text(sizes, [row["ours"] for row in times]),
        growth_text([s for s, _ in used], [m for _, m in used]),
        "; ".join(f"{peer} {growth}" for peer, growth in grown.items() if growth),
    ])  # fmt: skip
    return lines


def rows_of_processors(by_processor: dict[str, Any]) -> list[list[str]]:
    """A line for each work and processor that numba was told of."""
    here, lines = next(iter(by_processor)), []
    for work, seconds in by_processor[here]["seconds"].items():
        for place, (name, figures) in enumerate(by_processor.items()):
            took, same = figures["seconds"][work], figures["digest"] == by_processor[here]["digest"]
            beside = []
            if place:
                beside += [
                    f"{ratio_text(took / seconds)} this one's",
                    f"{'the same' if same else 'NOT THE SAME'} to the bit",
                ]
            if reference := figures["C by rows"].get(work):
                beside.append(f"C by rows {seconds_text(reference)}: {ratio_text(reference / took)}")
            lines.append([work if not place else "", name, seconds_text(took), "", "; ".join(beside)])
    return lines


def rows_of_bound(figures: Sequence[Any]) -> list[list[str]]:
    """A line for each strategy: how far its evaluation is from what loads and multiply-adds allow."""
    return [
        ["the core's bound: a pair v optimum" if not n else "", row["strategy"], seconds_text(row["seconds"]), "",
         f"{row['loads']:,} loads and {row['adds']:,} multiply-adds of 16 floats: {row['bound']:,.0f} cycles at "
         f"{row['hertz'] / 1e9:.2f} GHz, {seconds_text(row['bound'] / row['hertz'])}; it takes {row['ratio']:.1f} times that"]
        for n, row in enumerate(figures)
    ]  # fmt: skip


def rows_of_jobs(jobs: Sequence[tuple[str, int, Sequence[float]]]) -> list[list[str]]:
    """A line for each command: the clock, the largest of its processes, and the processor's time."""
    return [
        [
            name,
            f"runs {runs}",
            seconds_text(seconds),
            memory_text(peak / 2**20),
            f"{seconds_text(processor)} of processor",
        ]
        for name, runs, (seconds, processor, peak) in jobs
    ]


def as_text(lines: Sequence[Sequence[str]]) -> str:
    """Columns for a terminal."""
    widths = [max(len(line[n]) for line in [HEAD, *lines]) for n in range(4)]
    return "\n".join(
        "  ".join([line[0].ljust(widths[0]), *(line[n].rjust(widths[n]) for n in (1, 2, 3)), line[4]]).rstrip()
        for line in [HEAD, *lines]
    )


def as_markdown(lines: Sequence[Sequence[str]]) -> str:
    """The same for the documentation."""
    return "\n".join("| " + " | ".join(line) + " |" for line in [HEAD, ["---", "---:", "---:", "---:", "---"], *lines])


PEERS = ("pigevo", "numpy", "numba", "llvmlite", "deap", "open_spiel")


def machine() -> str:
    """The processor's model, its cores and their load, Python and the system."""
    name = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo") as facts:
            name = next(line.split(":", 1)[1].strip() for line in facts if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{name}, {os.cpu_count()} cores{load}, Python {platform.python_version()}, {platform.system()}"


def versions() -> str:
    """Those of what is measured."""
    return ", ".join(f"{name} {_version(name)}" for name in PEERS)


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "(not here)"


def main(file: str) -> None:
    """Measure everything, print the table and write it."""
    works = {name: (text, over) for name, text, over in child("tests.bench.works")}
    lines = []
    for name, work in works.items():
        print(f"measuring {work[0]}", file=sys.stderr, flush=True)
        times = child("tests.bench.child", "time", name)
        memory = child("tests.bench.child", "memory", name, **GIVES_BACK)
        lines += rows_of(work, times, memory)
    print("measuring whole commands", file=sys.stderr, flush=True)
    lines += rows_of_jobs(child("tests.bench.jobs"))
    print("measuring the bound and other processors", file=sys.stderr, flush=True)
    lines += rows_of_bound(child("tests.bench.bound"))
    if os.uname().machine in ("x86_64", "amd64"):
        with tempfile.TemporaryDirectory() as folder:
            lines += rows_of_processors({
                name: child("tests.bench.child", "processors", NUMBA_CACHE_DIR=str(Path(folder, str(n))), **settings)
                for n, (name, settings) in enumerate(PROCESSORS.items())
            })  # fmt: skip
    about = f"{machine()}; {versions()}."
    print(f"{about}\n\n{as_text(lines)}\n\n{NOTES}")
    place = Path(file)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(f"{about}\n\n{as_markdown(lines)}\n\n{NOTES}\n")
    print(f"\n{place}")


if __name__ == "__main__":
    main(sys.argv[1])
