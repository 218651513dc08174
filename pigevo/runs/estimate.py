"""How long a run will take, told from its first generations."""

from __future__ import annotations

import math
import time

from pigevo.runs.checkpoint import Checkpoint
from pigevo.settings.settings import Settings

ENOUGH = 2.0
"""Seconds of generations from which the rest is told."""

WORTH_SAYING = 60.0
"""Seconds that are left at least where anything is said."""


class Estimate:
    """Says once how much longer a run will take, if that is long.

    Generations and recorded rows, whose cost is the referee's, count by themselves; the first generation, in which
    code may be compiled, does not count.
    """

    def __init__(self, settings: Settings) -> None:
        self._plan, self._every = settings.plan, settings.record_every
        self._compared = settings.choices["baseline"].name != "none"
        self._start: tuple[float, Checkpoint] | None = None
        self._rows, self._said = 0, False

    def step(self, point: Checkpoint, recorded: bool) -> str:
        """The sentence, at the generation from which it can be said; empty at any other."""
        if self._said:
            return ""
        now = time.perf_counter()
        if self._start is None:
            self._start = now, point
            return ""
        self._rows += recorded
        then, first = self._start
        done, took = point.state.generation - first.state.generation, now - then
        if took < ENOUGH or not self._rows:
            return ""
        self._said = True
        referee = point.phases.get("referee", 0.0) - first.phases.get("referee", 0.0)
        left = self._plan.generations - point.state.generation
        ahead = seconds_ahead(took, referee, done, self._rows, left, left // self._every)
        if ahead < WORTH_SAYING:
            return ""
        more = "; random search, with which it is compared, comes after that" if self._compared else ""
        return f"{in_words(ahead)} to go, if later generations take as long as the first {done}{more}"


def seconds_ahead(took: float, referee: float, done: int, rows: int, left: int, rows_left: int) -> float:
    """The seconds of `left` generations and `rows_left` rows, where `done` and `rows` of them took so long."""
    return (took - referee) / done * left + referee / rows * rows_left


def in_words(seconds: float) -> str:
    """A time as people say it: `about 12 minutes`."""
    for unit, size, most in (("second", 1, 90), ("minute", 60, 90), ("hour", 3600, 48), ("day", 86400, math.inf)):
        count = round(seconds / size)
        if count < most:
            return f"about {count:,} {unit}{'s' if count != 1 else ''}"
    raise AssertionError
