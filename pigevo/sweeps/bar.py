"""One bar for all runs of a sweep: generations done and the time left, runs done and failed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from pigevo.sweeps.job import FAILED, Job, Outcome


class SweepBar:
    """The bar on standard error; off when that is no terminal.

    Args:
        title: what it calls the runs.
        jobs: all of them.
        left: those that are not finished yet.
    """

    def __init__(self, title: str, jobs: Sequence[Job], left: Sequence[Job]) -> None:
        self._title = title
        self._runs = len(jobs)
        self._finished = len(jobs) - len(left)
        self._failed = 0
        self._at: dict[Path, int] = {}
        total = sum(job.settings.plan.generations for job in jobs)
        begun = total - sum(job.settings.plan.generations for job in left)
        self._bar = tqdm(total=total, initial=begun, unit="gen", disable=None, dynamic_ncols=True)
        self._say()

    def __enter__(self) -> SweepBar:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    def step(self, job: Job, generation: int) -> None:
        """A job stands at a generation."""
        if job.folder not in self._at and not self._bar.disable:
            self._bar.initial += generation  # done before today, so no part of the speed
        self._bar.update(generation - self._at.get(job.folder, 0))
        self._at[job.folder] = generation

    def done(self, outcome: Outcome) -> None:
        """A job has ended."""
        job, generations = outcome.job, outcome.job.settings.plan.generations
        self._finished += 1
        self._failed += outcome.state == FAILED
        self._bar.update(generations - self._at.get(job.folder, 0))
        self._say()

    def _say(self) -> None:
        failed = f", {self._failed} failed" if self._failed else ""
        self._bar.set_description_str(f"{self._title}: {self._finished} of {self._runs} runs{failed}")
