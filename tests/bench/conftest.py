"""Benchmarks tell every figure as a ratio to a plain reference, measured in the same run."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.bench.machine import machine

ROWS = pytest.StashKey[list[dict[str, Any]]]()
RATES = pytest.StashKey[list[tuple[str, dict[str, Any]]]]()


def best_seconds(function: Callable[[], Any], rounds: int) -> float:
    """The least seconds that a call took: what the machine does when it is not disturbed."""
    times = []
    for _ in range(rounds):
        begin = time.perf_counter()
        function()
        times.append(time.perf_counter() - begin)
    return min(times)


@pytest.fixture
def measure(benchmark: Any, request: pytest.FixtureRequest) -> Callable[..., None]:
    """Measure a function, and the plain way to the same result beside it."""

    def run(
        what: str,
        function: Callable[[], Any],
        *,
        plain: Callable[[], Any] | None = None,
        plain_is: str = "",
        target: float | None = None,
        rounds: int = 20,
    ) -> None:
        function()  # compile and warm up
        benchmark.pedantic(function, rounds=rounds, iterations=1)
        took = min(benchmark.stats.stats.data)
        row = {"what": what, "seconds": took, "target": target, "plain": None, "plain_is": plain_is}
        if plain is not None:
            plain()
            row["plain"] = best_seconds(plain, max(1, rounds // 10))
            benchmark.extra_info |= {"plain": plain_is, "ratio to plain": row["plain"] / took}
        request.config.stash.setdefault(ROWS, []).append(row)

    return run


@pytest.fixture(autouse=True)
def note_rates(request: pytest.FixtureRequest) -> Iterator[None]:
    """Keep what a benchmark tells in `extra_info` beside its time, for the table."""
    yield
    benchmark = request.node.funcargs.get("benchmark")
    if benchmark is not None and "games/s" in benchmark.extra_info:
        request.config.stash.setdefault(RATES, []).append((request.node.name, dict(benchmark.extra_info)))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """The table of figures, with the machine's facts."""
    rows, rates = config.stash.get(ROWS, []), config.stash.get(RATES, [])
    if not rows and not rates:
        return
    write = terminalreporter.write_line
    write("")
    write(f"{machine()}; best of the rounds")
    for name, info in rates:
        write(f"{name}: " + ", ".join(f"{what} {figure:,}" for what, figure in info.items()))
    if not rows:
        return
    write(f"{'what':58s} {'took':>11s} {'target':>9s} {'ratio to plain':>15s}")
    for row in rows:
        target = f"{row['target'] * 1e3:.1f} ms" if row["target"] else ""
        ratio = f"{row['plain'] / row['seconds']:.1f} x" if row["plain"] else ""
        write(f"{row['what']:58s} {row['seconds'] * 1e3:8.3f} ms {target:>9s} {ratio:>15s}  {row['plain_is']}")
