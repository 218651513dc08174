"""The seconds spent in each phase of a computation."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class PhaseClock:
    """Adds up seconds by phase; a phase inside another one counts as the outer one.

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

    @contextmanager
    def __call__(self, phase: str) -> Iterator[None]:
        """Count the time of a `with` block as a phase."""
        if self._within:
            yield
            return
        self._within, started = True, time.perf_counter()
        try:
            yield
        finally:
            self._within = False
            self.seconds[phase] = self.seconds.get(phase, 0.0) + time.perf_counter() - started

    def timed(self, phase: str, function: Callable[P, R]) -> Callable[P, R]:
        """The function, with its calls counted as a phase."""
        return _Timed(self, phase, function)

    def since(self, before: Mapping[str, float], until_then: Mapping[str, float] | None = None) -> dict[str, float]:
        """The seconds by phase since an earlier copy of `seconds`, plus those in `until_then`."""
        spent = until_then or {}
        return {
            phase: spent.get(phase, 0.0) + self.seconds.get(phase, 0.0) - before.get(phase, 0.0)
            for phase in dict.fromkeys((*spent, *self.seconds))
        }


class _Timed(Generic[P, R]):
    """A function whose calls are counted as a phase; unlike an inner function it can be pickled."""

    def __init__(self, clock: PhaseClock, phase: str, function: Callable[P, R]) -> None:
        functools.update_wrapper(self, function)
        self._clock, self._phase, self._function = clock, phase, function

    def __call__(self, *args: P.args, **options: P.kwargs) -> R:
        with self._clock(self._phase):
            return self._function(*args, **options)
