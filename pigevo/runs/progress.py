"""A run that shows itself: a progress bar beside the log, and the first Ctrl-C heard politely."""

from __future__ import annotations

import functools
import logging
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any

from tqdm import tqdm

LOG = logging.getLogger(__name__)


@contextmanager
def progress_bar(done: int, total: int) -> Iterator[Any]:
    """A bar over generations; off when not on a terminal; the console's log handler writes above it."""
    with tqdm(initial=done, total=total, unit="gen", disable=None, dynamic_ncols=True) as bar:
        yield bar


def tracked(what: str) -> Callable[[Iterable[int]], Iterable[int]]:
    """A bar over other long work; as `progress_bar`, off when not on a terminal."""
    return functools.partial(tqdm, desc=what, disable=None, dynamic_ncols=True, leave=False)


def show(bar: Any, row: Mapping[str, Any]) -> None:
    """Put a recorded row beside the bar."""
    figures = f"cubes {row['cube_size']}  best {row['best']:.4f}  mean {row['mean']:.4f}"
    bar.set_postfix_str(figures, refresh=False)


class Interruption:
    """Whether the user has asked the run to stop, by Ctrl-C or a termination signal.

    The first request lets the present generation finish; a second Ctrl-C stops at once.
    """

    def __init__(self) -> None:
        self.requested = False

    def __enter__(self) -> Interruption:
        try:
            self._before = {s: signal.signal(s, self._hear) for s in (signal.SIGINT, signal.SIGTERM)}
        except ValueError:  # not in the main thread: nobody can interrupt
            self._before = {}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _hear(self, number: int, _frame: FrameType | None) -> None:
        if self.requested and number == signal.SIGINT:
            raise KeyboardInterrupt
        self.requested = True
        LOG.warning("stopping after this generation; press Ctrl-C again to stop at once")
