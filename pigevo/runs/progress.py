"""A run on a terminal: bars, how long it will take, log lines that do not break them, and Ctrl-C."""

from __future__ import annotations

import functools
import logging
import math
import shlex
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, NamedTuple

from pigevo.core.progress_bar import ProgressBar
from pigevo.core.text import visible
from pigevo.core.threads import Progress
from pigevo.storage.cache_dirs import display_path
from pigevo.storage.files import no_link

if TYPE_CHECKING:
    from pigevo.evolution.plan import Plan, State
    from pigevo.runs.checkpoint import Checkpoint
    from pigevo.settings.settings import Settings

RECENT_GENERATIONS = 20
"""Generations over which the rate of games is taken."""


class Moment(NamedTuple):
    """The progress of a run at a time."""

    time: float
    evaluations: int
    games: int


class RunBar:
    """The bar of a run: generations a second and the time left, games a second, and the last recorded row."""

    def __init__(self, state: State, total: int) -> None:
        self._bar = ProgressBar(initial=state.generation, total=total, unit="gen", disable=None, dynamic_ncols=True)
        self._figures = ""
        self._past = deque([Moment(time.perf_counter(), state.evaluations, state.games)], maxlen=RECENT_GENERATIONS)

    def __enter__(self) -> RunBar:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    def end(self, state: State) -> None:
        """The run ended at a state, perhaps before its plan does."""
        self._bar.total = state.generation
        self._bar.refresh()

    def step(self, state: State, row: Mapping[str, Any] | None) -> None:
        """The run stands at a state, and perhaps at a recorded row."""
        if row is not None:
            self._figures = f"cubes {row['cube_size']}  best {row['best']:.4f}  mean {row['mean']:.4f}"
        if self._bar.disable:
            return
        self._past.append(Moment(time.perf_counter(), state.evaluations, state.games))
        self._bar.set_postfix_str(f"{pace(self._past)}  {self._figures}", refresh=False)
        self._bar.update(state.generation - self._bar.n)


def pace(past: Sequence[Moment]) -> str:
    """Games a second, or strategies evaluated where no games are played, between the first moment and the last."""
    first, last = past[0], past[-1]
    played = last.games - first.games
    done, unit = (played, "games") if played else (last.evaluations - first.evaluations, "evaluations")
    return f"{ProgressBar.format_sizeof(done / max(last.time - first.time, 1e-9))} {unit}/s"


ENOUGH_SECONDS = 2.0
"""Seconds of generations from which the rest is estimated."""

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
        if took < ENOUGH_SECONDS or not self._rows:
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


BRIEF: dict[str, Any] = {"disable": None, "dynamic_ncols": True, "leave": False}
"""A bar that is off when not on a terminal, as that of a run, and gone when its work is done."""


def tracked(what: str, total: int | None = None) -> Callable[[Iterable[Any]], Iterable[Any]]:
    """A bar over other long work."""
    return functools.partial(ProgressBar, desc=what, total=total, **BRIEF)


@contextmanager
def bar_of_champion(plan: Plan) -> Iterator[Progress]:
    """A bar over the evaluation that names a champion; games count where there are any.

    Yields:
        What is to be called with the number of games or pairs that are done.
    """
    plays = plan.fitness.plays
    matches = plan.champion_matches if plays.members else plan.size
    total, unit = (matches * plays.games, " games") if plays.games else (matches, " evaluations")
    with ProgressBar(desc="finding the champion", total=total, unit=unit, unit_scale=True, **BRIEF) as bar:
        yield bar.update


class ConsoleHandler(logging.Handler):
    """Writes to standard error, above the bars of tqdm if there are any."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record."""
        try:
            self._write(visible(self.format(record)))
        except OSError:  # closed or full: the line is lost
            return
        except Exception:  # as every handler of logging: a failed log line must not end the run
            self.handleError(record)

    def _write(self, line: str) -> None:
        ProgressBar.write(line, file=sys.stderr)


class FileHandler(logging.FileHandler):
    """Writes `run.log`; where the disk is full, a line is lost and the run itself says what is wrong."""

    def _open(self) -> TextIOWrapper:
        return open(self.baseFilename, "a", encoding=self.encoding, opener=no_link)

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record; with the first one the file is made."""
        try:
            super().emit(record)
        except OSError:  # the file cannot be made
            self.handleError(record)

    def handleError(self, record: logging.LogRecord) -> None:
        """Ignore a line that cannot be written."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handleError(record)


def begin_logging(folder: Path | None, console: bool = True) -> None:
    """The log of a run: short lines on the console (if `console`), with times at the end of the folder's `run.log`.

    The file is made with its first line, so a run that is refused leaves none.
    """
    root = logging.getLogger()
    for handler in [h for h in root.handlers if isinstance(h, ConsoleHandler | FileHandler)]:
        root.removeHandler(handler)
        handler.close()
    if console:
        root.addHandler(ConsoleHandler())
    if folder is not None:
        file = FileHandler(folder / "run.log", encoding="utf-8", delay=True)
        file.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        root.addHandler(file)
    logging.getLogger("pigevo").setLevel(logging.INFO)


LOG = logging.getLogger(__name__)


class Interrupted(KeyboardInterrupt):
    """The user stopped the run; its message says how to go on."""


class Interruption:
    """Whether the user has asked the run to stop, by Ctrl-C or a termination signal.

    The first request lets the present generation finish; a second Ctrl-C stops at once.
    """

    def __init__(self) -> None:
        self.requested = False

    def __enter__(self) -> Interruption:
        try:
            self._before = {s: signal.signal(s, self._on_signal) for s in (signal.SIGINT, signal.SIGTERM)}
        except ValueError:  # not in the main thread: nobody can interrupt
            self._before = {}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        if self.requested and number == signal.SIGINT:
            raise KeyboardInterrupt
        self.requested = True
        LOG.warning("stopping after this generation; press Ctrl-C again to stop at once")


def going_on(folder: Path, forced: bool) -> str:
    """How a stopped run goes on; the same command does not if it says force=true, which begins anew."""
    resume = f"`pigevo resume {shlex.quote(str(display_path(folder)))}`"
    return f"{resume} goes on from there." if forced else f"the same command goes on from there, as does {resume}."
