"""A run on a terminal: progress bars, estimates of time, log lines that do not break the bars, and Ctrl-C."""

from __future__ import annotations

import functools
import logging
import shutil
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from statistics import median
from types import FrameType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from pigevo.core.checked_values import JsonObject
from pigevo.core.imports import RememberedInterrupt
from pigevo.core.machine import Progress
from pigevo.core.phase_clock import COMPILATIONS
from pigevo.core.progress_bar import ProgressBar, duration_in_words
from pigevo.core.text import for_shell, lines_of, visible
from pigevo.storage.cache_dirs import display_path
from pigevo.storage.files import no_link

if TYPE_CHECKING:
    from pigevo.evolution.plan import Plan, State
    from pigevo.runs.checkpoint import Checkpoint
    from pigevo.settings.settings import Settings

T = TypeVar("T")

WITHOUT_POSTFIX = 57  # the characters of a bar that can be read, with its counts and times
RECENT_GENERATIONS = 20  # the number of generations over which the rate of games is averaged


class Moment(NamedTuple):
    """The progress of a run at a point in time."""

    time: float
    evaluations: int
    games: int


class RunBar:
    """The bar of a run: generations a second, time left, and, as far as they fit, the last row and games a second."""

    def __init__(self, state: State, total: int) -> None:
        self._bar = ProgressBar(initial=state.generation, total=total, unit="gen", disable=None, dynamic_ncols=True)
        self._figures: tuple[str, ...] = ()
        self._past = deque([Moment(time.perf_counter(), state.evaluations, state.games)], maxlen=RECENT_GENERATIONS)

    def __enter__(self) -> RunBar:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    def end(self, state: State) -> None:
        """Finish the bar at a state, possibly before the end of the plan."""
        self._bar.total = state.generation
        self._bar.refresh()

    def step(self, state: State, row: JsonObject | None) -> None:
        """Update the bar to a state, and possibly to a recorded row."""
        if row is not None:
            self._figures = (f"cubes {row['cube_size']}", f"mean {row['mean']:.4f}", f"best {row['best']:.4f}")
        self._past.append(Moment(time.perf_counter(), state.evaluations, state.games))
        columns = self._bar.format_dict["ncols"] or sys.maxsize  # a width that is not known is no bound
        figures = that_fit([*self._figures, pace(self._past)], columns - WITHOUT_POSTFIX)
        self._bar.set_postfix_str(figures, refresh=False)
        self._bar.update(state.generation - self._bar.n)


def that_fit(parts: Sequence[str], room: int) -> str:
    """As many of the first parts as fit in `room` characters, at least one."""
    lines = ["  ".join(parts[:number]) for number in range(1, len(parts) + 1)]
    return max((line for line in lines if len(line) <= room), key=len, default=lines[0])


def pace(past: Sequence[Moment]) -> str:
    """Games a second, or evaluated strategies if no games are played, between the first moment and the last."""
    first, last = past[0], past[-1]
    played = last.games - first.games
    done, unit = (played, "games") if played else (last.evaluations - first.evaluations, "evaluations")
    return f"{ProgressBar.format_sizeof(done / max(last.time - first.time, 1e-9))} {unit}/s"


ENOUGH_SECONDS, ENOUGH_GENERATIONS = 2.0, 3
"""The numbers of seconds and generations after which the rest is estimated."""

WORTH_SAYING = 60.0  # the smallest number of remaining seconds that is reported


class Estimate:
    """Estimates once how much longer a run will take, if that is long.

    Generations with and without a recorded row have separate medians. A mean would be too long, because the few
    generations in which the champion's luck is computed take longer. The first generation and all compilation are not
    counted.
    """

    def __init__(self, settings: Settings) -> None:
        self._plan, self._every = settings.plan, settings.record_every
        self._compared = settings.choices["baseline"].name != "none"
        self._times: dict[bool, list[float]] = {True: [], False: []}
        self._last: float | None = None
        self._said = False

    def step(self, point: Checkpoint, recorded: bool) -> str:
        """The sentence at the generation at which the estimate is made; empty at any other."""
        if self._said:
            return ""
        now = time.perf_counter() - COMPILATIONS.seconds
        if self._last is not None:
            self._times[recorded].append(now - self._last)
        self._last = now
        rows, unrecorded = self._times[True], self._times[False]
        done = len(rows) + len(unrecorded)
        if sum(rows) + sum(unrecorded) < ENOUGH_SECONDS or done < ENOUGH_GENERATIONS or not rows:
            return ""
        self._said = True
        left = self._plan.generations - point.state.generation
        rows_left = left // self._every
        ahead = median(rows) * rows_left + median(unrecorded or rows) * (left - rows_left)
        if ahead < WORTH_SAYING:
            return ""
        more = "; random search, with which it is compared, comes after that" if self._compared else ""
        return f"{duration_in_words(ahead)} to go, if later generations take as long as the first {done}{more}"


BRIEF: JsonObject = {"disable": None, "dynamic_ncols": True, "leave": False}
"""Options of a bar that is shown only on a terminal and removed when its work is done."""


def tracked(what: str, total: int | None, unit: str) -> Callable[[Iterable[T]], Iterable[T]]:
    """A bar over the items of long work, counted by their unit."""
    return functools.partial(ProgressBar, desc=what, total=total, unit=unit, **BRIEF)


@contextmanager
def bar_of_champion(plan: Plan) -> Iterator[Progress]:
    """A bar over the search for a champion; it counts games if there are any.

    Yields:
        A function to be called with the number of games or pairs just completed.
    """
    plays = plan.fitness.plays
    matches = plan.champion_matches if plays.members else plan.size
    total, unit = (matches * plays.games, " games") if plays.games else (matches, " evaluations")
    with ProgressBar(desc="finding the champion", total=total, unit=unit, unit_scale=True, **BRIEF) as bar:
        yield bar.update


class ConsoleHandler(logging.Handler):
    """Writes to standard error, above tqdm's bars if there are any."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record."""
        try:
            line, width = visible(self.format(record)), shutil.get_terminal_size((sys.maxsize, 24)).columns
            if len(line) > width and "\n" not in line:
                line = "\n".join(lines_of(line, width, "  "))
            ProgressBar.write(line, file=sys.stderr)
        except OSError:  # closed or full: the line is lost
            return
        except Exception:  # like every logging handler: a failed log line must not end the run
            self.handleError(record)


class FileHandler(logging.FileHandler):
    """Writes `run.log`; if the disk is full, a line is lost, and the run itself reports the error."""

    def _open(self) -> TextIOWrapper:
        return open(self.baseFilename, "a", encoding=self.encoding, opener=no_link)

    def format(self, record: logging.LogRecord) -> str:
        """A line without control characters, which names of folders may contain."""
        return visible(super().format(record))

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record; the first one creates the file."""
        try:
            super().emit(record)
        except OSError:  # the file cannot be created
            self.handleError(record)

    def handleError(self, record: logging.LogRecord) -> None:
        """Ignore a line that cannot be written."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handleError(record)


def begin_logging(folder: Path | None, console: bool = True) -> None:
    """Start a run's log: short lines on the console (if `console`), and lines with times in the folder's `run.log`.

    The file is created with its first line, so a refused run leaves none.
    """
    root = logging.getLogger()
    for handler in [handler for handler in root.handlers if isinstance(handler, ConsoleHandler | FileHandler)]:
        root.removeHandler(handler)
        with suppress(OSError):  # a full disk
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
    """The user stopped the run; the message explains how to resume it."""


_PYTHONS_OWN = (signal.SIG_DFL, signal.default_int_handler)


class Interruption:
    """Whether the user has asked the run to stop, by Ctrl-C or a termination signal.

    After the first request the present generation is finished; a second Ctrl-C stops at once. A signal that is ignored,
    as in a shell's background job, stays ignored, and one that a host program handles remains the host's.
    """

    def __init__(self) -> None:
        self.requested = False

    def __enter__(self) -> Interruption:
        before = signal.getsignal(signal.SIGINT)
        if isinstance(before, RememberedInterrupt) and before.came:  # and a library has swallowed it
            self.requested = True
        self._before: dict[int, Any] = {}
        with suppress(ValueError):  # not in the main thread: there are no interruptions
            for number in (signal.SIGINT, signal.SIGTERM):
                handler = signal.getsignal(number)
                if handler in _PYTHONS_OWN or str(getattr(handler, "__module__", "")).startswith("pigevo."):
                    signal.signal(number, self._on_signal)
                    self._before[number] = handler
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
    """How to resume a stopped run; a command with force=true would begin again."""
    resume = f"`pigevo resume {for_shell(display_path(folder))}`"
    return f"{resume} goes on from there." if forced else f"the same command goes on from there, as does {resume}."
