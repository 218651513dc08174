"""What a worker is given and what became of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pigevo.errors import InputError
from pigevo.runs.result import read_result
from pigevo.settings.settings import Settings
from pigevo.storage.cache_dirs import display_path

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
        settings: its settings.
        folder: where it lies on disk.
        overrides: the settings that were typed, for the record.
        pictures: whether the run's own pictures are drawn; among hundreds of runs nobody looks at them.
    """

    settings: Settings
    folder: Path
    overrides: tuple[str, ...] = ()
    pictures: bool = True

    @property
    def is_finished(self) -> bool:
        """Whether the folder holds the result of these very settings, and it is not to be done again."""
        try:
            found = read_result(self.folder)
        except InputError:  # damaged: the run itself says what to do
            return False
        return found is not None and not self.settings.force and found["config_hash"] == self.settings.hash


def changed(settings: Settings, identity: Mapping[str, Any]) -> str:
    """In what settings that are read again differ from those that a sweep was planned with; empty if in nothing.

    Args:
        settings: as they are read here and now.
        identity: of those that the sweep was planned with.
    """
    now, then = (json.loads(json.dumps(one)) for one in (settings.identity, identity))
    keys = [key for key in now.keys() | then.keys() if now.get(key) != then.get(key)]
    chosen = [settings.choices[key] for key in sorted(keys) if key in settings.choices]
    names = [word for one in chosen for word in (one.reference, *one.strategies) if word]
    if names:
        return f"{', '.join(names)}: changed since the sweep was planned"
    return "the settings compose differently here: is another version of pigevo installed?" if keys else ""


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


def each_once(jobs: Sequence[Job]) -> dict[Path, Job]:
    """The jobs by folder, each once, in order.

    Raises:
        InputError: two different runs would share a folder.
    """
    unique: dict[Path, Job] = {}
    for job in jobs:
        before = unique.setdefault(job.folder.absolute(), job)
        if before.settings.hash != job.settings.hash:
            raise InputError(
                f"two different runs would share the folder {display_path(job.folder)}: give each its own."
            )
    return unique
