"""A sweep read back from its folder: what it is made of, how far each run is, and the figures."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from pigevo.core.arrays import data_frame
from pigevo.core.notebook import NotebookDisplay
from pigevo.errors import InputError
from pigevo.runs.checkpoint import CHECKPOINT_FILE
from pigevo.runs.load import Run, load_run
from pigevo.runs.result import read_result
from pigevo.storage.lock import in_use
from pigevo.sweeps.record import SWEEP_FILE, RunRecord, place_of, read_failures, read_record

if TYPE_CHECKING:
    import pandas

Standing = Literal["finished", "running", "failed", "interrupted", "missing"]

RESULTS = ("champion", "peak_mean", "last_mean", "best_seen")
"""The figures of a finished run that settings are compared by: win probabilities against the optimum."""

CURVES = ("best", "mean", "worst", "diversity")
"""The metrics that are drawn."""

AXES = ("generation", "evaluations", "games", "seconds")
"""What a curve can be drawn along."""


@dataclass(frozen=True, eq=False)
class Member:
    """One run of a sweep: its setting in words and as plain values, its state, and the last error if it failed."""

    folder: Path
    setting: str
    seed: int
    values: Mapping[str, Any] = field(repr=False)
    state: Standing
    error: str = ""

    def load(self) -> Run:
        """Read the run."""
        return load_run(self.folder)


@dataclass(frozen=True, eq=False)
class Sweep(NotebookDisplay):
    """A sweep on disk.

    Args:
        folder: that of its `sweep.json`.
        swept: the keys in which the settings differ.
        members: its runs.
    """

    folder: Path
    swept: tuple[str, ...]
    members: tuple[Member, ...] = field(repr=False)

    @property
    def settings(self) -> list[str]:
        """The settings, in the order of the runs."""
        return list(dict.fromkeys(member.setting for member in self.members))

    @property
    def finished(self) -> list[Member]:
        """The runs that have finished."""
        return [member for member in self.members if member.state == "finished"]

    @cached_property
    def runs(self) -> dict[Member, Run]:
        """The finished runs, read."""
        return {member: member.load() for member in self.finished}

    def results(self) -> dict[str, np.ndarray]:
        """A row for each finished run: `run, setting, seed`, then `RESULTS`; columns of shape (runs,)."""
        columns: dict[str, list[Any]] = {name: [] for name in ("run", "setting", "seed", *RESULTS)}
        for member, run in self.runs.items():
            assert run.result is not None
            figures = {**run.result, "champion": run.result["champion"]["overall"]}
            row = {"run": member.folder.name, "setting": member.setting, "seed": member.seed, **figures}
            for name, column in columns.items():
                column.append(row[name])
        return {name: np.array(column) for name, column in columns.items()}

    def table(self) -> dict[str, np.ndarray]:
        """Everything in long form: columns `run, setting, seed, generation, metric, value`, of shape (rows,).

        The figures of a finished run, and of random populations where it was compared with them, stand
        at its last generation.
        """
        rows = [row for member, run in self.runs.items() for row in _long(member, run)]
        names = ("run", "setting", "seed", "generation", "metric", "value")
        return {name: np.array(column) for name, column in zip(names, zip(*rows, strict=True), strict=False)}

    def frame(self) -> pandas.DataFrame:
        """`table()` as a data frame of pandas."""
        return data_frame(self.table())


def load_sweep(path: str | os.PathLike[str]) -> Sweep:
    """Read a sweep.

    Args:
        path: its folder, `outputs/sweeps/NAME`, or its `sweep.json`.

    Raises:
        InputError: there is no sweep, or its record is damaged.
    """
    place = Path(path)
    record = read_record(place)
    folder = place.parent if place.name == SWEEP_FILE else place
    failures = read_failures(folder)
    members = tuple(_member(folder, run, failures.get(run["folder"], "")) for run in record["runs"])
    return Sweep(folder, tuple(record["swept"]), members)


def _member(home: Path, run: RunRecord, failure: str) -> Member:
    folder = place_of(run["folder"], home)
    state: Standing
    done, wrong = _is_finished(folder, run["config_hash"])
    if done:
        state = "finished"
    elif in_use(folder):
        state = "running"
    elif failure := wrong or failure:
        state = "failed"
    else:
        state = "interrupted" if (folder / CHECKPOINT_FILE).exists() else "missing"
    return Member(folder, run["setting"], run["seed"], run["config"], state, failure if state == "failed" else "")


def _is_finished(folder: Path, key: str) -> tuple[bool, str]:
    """Whether a run has finished; and what is wrong with its result, if that cannot be told."""
    try:
        found = read_result(folder)
    except InputError as error:
        return False, str(error)
    return found is not None and found["config_hash"] == key, ""


def _long(member: Member, run: Run) -> Iterator[tuple[str, str, int, int, str, float]]:
    assert run.result is not None
    who = (member.folder.name, member.setting, member.seed)
    generations = run.metrics["generation"].tolist()
    for metric in (*CURVES, *(axis for axis in AXES if axis != "generation")):
        for generation, value in zip(generations, run.metrics[metric].tolist(), strict=True):
            yield (*who, generation, metric, float(value))
    for metric in RESULTS:
        value = run.result[metric]
        yield (*who, generations[-1], metric, value["overall"] if metric == "champion" else value)
    if base := run.result["baseline"]:
        yield (*who, generations[-1], "random_search_mean", base["own_mean"])
        yield (*who, generations[-1], "random_search_best", base["own_best"])
