"""The seconds spent in each phase of a computation."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager


class Compilations:
    """The seconds in which this process compiled kernels, or waited for one that another process compiles."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._depth, self._began = 0, 0.0

    def begin(self) -> None:
        """Count the time from here on as compilation, also inside another one."""
        if not self._depth:
            self._began = time.perf_counter()
        self._depth += 1

    def end(self) -> None:
        """The compilation that began last has ended."""
        self._depth -= 1
        if not self._depth:
            self.seconds += time.perf_counter() - self._began


COMPILATIONS = Compilations()
"""All compilations of this process; `compiled/kernel.py` and `compiled/cache.py` report them."""

PHASES = ("start", "compile", "play", "select", "vary", "referee", "random_search", "pictures", "rest")
"""The parts of the time that a run takes, in the order in which they are printed."""


class PhaseClock:
    """Adds up seconds by phase. A phase within another one belongs to the outer one; compilation is a phase of its own.

    Example:
        >>> clock = PhaseClock()
        >>> with clock("play"), clock("select"):
        ...     pass
        >>> list(clock.seconds)
        ['play']
    """

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._within = False
        self.begin()

    def begin(self, earlier: Mapping[str, float] | None = None, began: float | None = None) -> None:
        """Begin a session at a time of `perf_counter`, by default now.

        `earlier` are the seconds by phase of all sessions before it.
        """
        now = time.perf_counter()
        self._began = now if began is None else began
        self._earlier, self._before = dict(earlier or {}), dict(self.seconds)
        self._compiled = COMPILATIONS.seconds
        self._start = now - self._began

    def parts(self) -> dict[str, float]:
        """The seconds of this session and of the earlier ones, by phase; `rest` are those of no phase."""
        parts = dict.fromkeys(PHASES, 0.0) | self._earlier
        whole = sum(parts.values()) + time.perf_counter() - self._began
        for phase, seconds in self.seconds.items():
            parts[phase] = parts.get(phase, 0.0) + seconds - self._before.get(phase, 0.0)
        parts["start"] += self._start
        parts["compile"] += COMPILATIONS.seconds - self._compiled
        parts["rest"] = 0.0
        return parts | {"rest": max(0.0, whole - sum(parts.values()))}

    @contextmanager
    def __call__(self, phase: str) -> Iterator[None]:
        """Count the time of a `with` block as a phase."""
        if self._within:
            yield
            return
        self._within, started, compiled = True, time.perf_counter(), COMPILATIONS.seconds
        try:
            yield
        finally:
            self._within = False
            spent = time.perf_counter() - started - (COMPILATIONS.seconds - compiled)
            self.seconds[phase] = self.seconds.get(phase, 0.0) + spent
