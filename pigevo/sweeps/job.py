"""What a worker is given and what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

State = Literal["finished", "failed", "interrupted"]
FINISHED: State = "finished"
FAILED: State = "failed"
INTERRUPTED: State = "interrupted"


class SomeFailed(Exception):
    """Runs of a sweep failed; the message lists them."""


@dataclass(frozen=True, eq=False)
class Job:
    """One run of many.

    Args:
        config: its checked config, plain values.
        folder: where it lies on disk.
        overrides: the words that made the config, for the record.
        pictures: whether the run's own pictures are drawn; among hundreds of runs nobody looks at them.
    """

    config: Mapping[str, Any]
    folder: Path
    overrides: tuple[str, ...] = ()
    pictures: bool = True


@dataclass(frozen=True, eq=False)
class Outcome:
    """What became of a job.

    Args:
        job: the job.
        state: finished, failed, or interrupted (then it goes on when it is run again).
        error: the first line of what went wrong; empty if nothing did.
        seconds: how long the run itself took here; 0 if it was not begun.
    """

    job: Job
    state: State
    error: str = ""
    seconds: float = 0.0
