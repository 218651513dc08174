"""The first Ctrl-C lets the present generation finish, the second one ends the run at once."""

from __future__ import annotations

import logging
import shlex
import signal
from pathlib import Path
from types import FrameType

from pigevo.storage.cache_dirs import display_path

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
    """How a stopped run goes on; the same command does not where it says force=true, which begins anew.

    Args:
        folder: the run's.
        forced: whether it was begun with force=true.
    """
    resume = f"`pigevo resume {shlex.quote(str(display_path(folder)))}`"
    return f"{resume} goes on from there." if forced else f"the same command goes on from there, as does {resume}."
