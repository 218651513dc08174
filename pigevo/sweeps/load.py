"""A sweep read from its folder: its members, the state of each run, and the figures."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pigevo.core.arrays import data_frame
from pigevo.core.imports import NotebookDisplay
from pigevo.errors import InputError, unknown
from pigevo.evolution.logbook import COLUMNS, DIGEST_COLUMN, MEASURED
from pigevo.runs.baseline import SearchRecord
from pigevo.runs.checkpoint import CHECKPOINT_FILE
from pigevo.runs.load import Run, load_run
from pigevo.runs.result import searches_of
from pigevo.settings.schema import Values
from pigevo.storage.files import in_use
from pigevo.strategies import Strategy
from pigevo.sweeps import AXES, CURVES, METRICS, Standing
from pigevo.sweeps.job import finished
from pigevo.sweeps.record import (
    SWEEP_FILE,
    RunRecord,
    flat_together,
    is_number,
    label,
    read_failures,
    read_record,
    run_path,
)

if TYPE_CHECKING:
    import pandas

RANDOM_SEARCH = "random_search"  # the name of random search among ranked and compared settings
MOST_NAMED = 3  # the largest number of settings without a finished run that are named


@dataclass(frozen=True, eq=False)
class Member:
    """One run of a sweep: its setting in words and as plain values, its state, and the last error if it failed."""

    folder: Path
    setting: str
    seed: int
    values: Values = field(repr=False)
    state: Standing
    error: str = ""

    def load(self) -> Run:
        """Read the run."""
        return load_run(self.folder)


@dataclass(frozen=True)
class RandomSearch:
    """Random search with the budget of a setting's runs, for one seed.

    Its name is `random_search`, followed by its cubes if there are several, and by the keys that distinguish the
    settings with different searches. `champion` is the win probability against the optimum of the strategy, out of
    `strategies`, chosen by the runs' own matches.
    """

    setting: str
    seed: int
    strategies: int
    champion: float


def states(members: Iterable[Member]) -> str:
    """The states of those runs that have not finished, with their numbers: `1 failed, 2 missing`."""
    counts = Counter(member.state for member in members if member.state != "finished")
    return ", ".join(f"{count:,} {state}" for state, count in counts.items())


def refuse_unknown_metric(metric: str) -> None:
    """Refuse a metric that is none of `METRICS`."""
    if metric not in METRICS:
        raise unknown("metric", metric, METRICS)


@dataclass(frozen=True, eq=False)
class Sweep(NotebookDisplay):
    """A sweep on disk: its folder, the keys in which its settings differ, and its runs."""

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

    @property
    def left_out(self) -> str:
        """How many runs have finished, and which settings have no finished run; empty if all runs have finished."""
        if len(self.finished) == len(self.members):
            return ""
        some = f"{len(self.finished):,} of {len(self.members):,} runs have finished ({states(self.members)})"
        without = self.without_runs
        settings = "; ".join(without.values()) if len(without) <= MOST_NAMED else f"{len(without):,} settings have none"
        return f"{some}; the others are left out" + (f". {settings}" if without else "")

    @property
    def without_runs(self) -> dict[str, str]:
        """For each setting without a finished run a sentence that says so, and what became of its runs."""
        having = {member.setting for member in self.finished}
        return {
            setting: f"{setting or 'the sweep'} has no finished run "
            f"({states(member for member in self.members if member.setting == setting)})"
            for setting in self.settings
            if setting not in having
        }

    @cached_property
    def words(self) -> dict[str, dict[str, str]]:
        """The values of each setting as typed, by key; files without their folders."""
        typed = flat_together(member.values for member in self.members)
        return {member.setting: words for member, words in zip(self.members, typed, strict=True)}

    @cached_property
    def runs(self) -> dict[Member, Run]:
        """The finished runs, loaded."""
        return {member: member.load() for member in self.finished}

    @cached_property
    def by_setting(self) -> dict[str, list[Run]]:
        """The finished runs by setting."""
        runs: dict[str, list[Run]] = {}
        for member, run in self.runs.items():
            runs.setdefault(member.setting, []).append(run)
        return runs

    @property
    def attainable(self) -> tuple[float, float]:
        """The smallest and the largest possible win probability against the optimum, in the games of finished runs."""
        return 0.0, max(run.optimum for run in self.runs.values())

    @cached_property
    def digests(self) -> dict[str, dict[int, str]]:
        """The digests of the finished runs by setting and seed: runs with the same digest are identical."""
        digests: dict[str, dict[int, str]] = {}
        for member, run in self.runs.items():
            assert run.result is not None
            digests.setdefault(member.setting, {})[member.seed] = run.result["digest"]
        return digests

    def renamed(self, settings: Mapping[Member, str]) -> Sweep:
        """A sweep with some of its runs, under the names of their settings; loaded runs are reused."""
        renamed = {
            member: member if member.setting == setting else replace(member, setting=setting)
            for member, setting in settings.items()
        }
        sweep = replace(self, members=tuple(renamed.values()))
        if "runs" in vars(self):
            vars(sweep)["runs"] = {renamed[member]: run for member, run in self.runs.items() if member in renamed}
        return sweep

    @cached_property
    def searches(self) -> tuple[RandomSearch, ...]:
        """The random searches with which finished runs were compared, each once: settings may share them."""
        return tuple(_searches(self))

    def champions(self) -> dict[str, Strategy]:
        """The champions of the finished runs by setting and seed, for `pigevo.tournament`.

        Raises:
            InputError: no run has finished.
        """
        if not self.finished:
            raise self._unfinished()
        several = len(self.settings) > 1
        names = {member: f"{member.setting},seed={member.seed}" if several else f"seed={member.seed}"
                 for member in self.finished}  # fmt: skip
        return {name: replace(self.runs[member].champion, name=name) for member, name in names.items()}

    def results(self) -> dict[str, np.ndarray]:
        """A row for each finished run, then one for each random search with which they were compared.

        The columns, of shape (rows,), are `run, setting, seed`, then `METRICS`, then one for each swept key. A random
        search has no `run`, no values of swept keys (NaN or an empty text), and of `METRICS` only its `champion`, the
        strategy chosen by the runs' own matches.
        """
        columns: dict[str, list[Any]] = {name: [] for name in ("run", "setting", "seed", *METRICS)}
        rows = [{"run": member.folder.name, **vars(member), **figures_of(run)} for member, run in self.runs.items()]
        rows += [{"run": "", **dict.fromkeys(METRICS, np.nan), **vars(search)} for search in self.searches]
        for name, column in columns.items():
            column.extend(row[name] for row in rows)
        return {name: np.array(column) for name, column in columns.items()} | self._swept(columns["setting"])

    def by_seed(self, metric: str) -> dict[str, dict[int, float]]:
        """One of `METRICS` by setting and seed, with random search after the runs."""
        refuse_unknown_metric(metric)
        if not self.finished:
            raise self._unfinished()
        results = self.results()
        figures: dict[str, dict[int, float]] = {}
        for setting, seed, value in zip(*(results[name].tolist() for name in ("setting", "seed", metric)), strict=True):
            if not np.isnan(value):
                figures.setdefault(setting, {})[seed] = value
        return figures

    def _unfinished(self) -> InputError:
        return InputError(f"no run of {self.folder} has finished: run the sweep first.")

    def table(self) -> dict[str, np.ndarray]:
        """Everything in long form: `run, setting, seed, generation, metric, value`, then a column for each swept key.

        The figures of a finished run, and of random populations if it was compared with them, are at its last
        generation; those of random search, which has neither run nor generations, are at 0.
        """
        rows = [row for member, run in self.runs.items() for row in _long(member, run)]
        rows += [("", search.setting, search.seed, 0, "champion", search.champion) for search in self.searches]
        names = ("run", "setting", "seed", "generation", "metric", "value")
        columns = {name: np.array([row[place] for row in rows]) for place, name in enumerate(names)}
        return columns | self._swept([row[1] for row in rows])

    def _swept(self, settings: Sequence[str]) -> dict[str, np.ndarray]:
        columns = {}
        for key in self.swept:
            column = [self.words.get(setting, {}).get(key, "") for setting in settings]
            numbers = {text: float(text or "nan") for text in column if is_number(text or "nan")}
            are_numbers = len(numbers) == len(set(numbers.values())) == len(set(column))  # large ones may be rounded
            columns[key] = np.array([numbers[text] for text in column] if are_numbers else column)
        return columns

    def frame(self) -> pandas.DataFrame:
        """`table()` as a data frame of pandas."""
        return data_frame(self.table())


def load_sweep(path: str | os.PathLike[str]) -> Sweep:
    """Read a sweep.

    Args:
        path: its folder, `outputs/sweeps/NAME`, or its `sweep.json`.

    Raises:
        InputError: the sweep does not exist, or its record is damaged.

    Example:
        >>> import tempfile
        >>> import pigevo
        >>> with tempfile.TemporaryDirectory() as outputs:
        ...     same = dict(baseline="none", outputs=outputs, workers=1)
        ...     sweep = pigevo.sweep("debug=fast", "game.target=9", seed=[1, 2], **same)
        ...     len(pigevo.load_sweep(sweep.folder).finished)
        2
    """
    named = Path(path)
    record = read_record(named)
    folder = named.parent if named.name == SWEEP_FILE else named
    failures = read_failures(folder)
    members = tuple(_member(folder, run, failures.get(run["folder"], "")) for run in record["runs"])
    return Sweep(folder, tuple(record["swept"]), members)


def _member(home: Path, run: RunRecord, failure: str) -> Member:
    folder = run_path(run["folder"], home)
    state: Standing
    done, wrong = finished(folder, run["config_hash"])
    if done:
        state = "finished"
    elif in_use(folder):
        state = "running"
    elif failure := wrong or failure:
        state = "failed"
    else:
        state = "interrupted" if (folder / CHECKPOINT_FILE).exists() else "missing"
    return Member(folder, run["setting"], run["seed"], run["config"], state, failure if state == "failed" else "")


def _long(member: Member, run: Run) -> Iterator[tuple[str, str, int, int, str, float]]:
    assert run.result is not None
    run_keys = (member.folder.name, member.setting, member.seed)
    generations = run.metrics["generation"].tolist()
    own = [name for name in run.metrics if name not in (*COLUMNS, *MEASURED, DIGEST_COLUMN)]  # of `on_generation`
    for metric in (*CURVES, *(axis for axis in AXES if axis != "generation"), *own):
        for generation, value in zip(generations, run.metrics[metric].tolist(), strict=True):
            yield (*run_keys, generation, metric, float(value))
    for metric, value in figures_of(run).items():
        yield (*run_keys, generations[-1], metric, value)
    if base := run.result["baseline"]:
        yield (*run_keys, generations[-1], "random_populations_mean", base["own_mean"])
        yield (*run_keys, generations[-1], "random_populations_best", base["own_best"])


def figures_of(run: Run) -> dict[str, float]:
    """The figures of a finished run, by the names in `METRICS`."""
    assert run.result is not None
    return {name: run.result[name]["overall"] if name == "champion" else run.result[name] for name in METRICS}


_BySeed = dict[int, SearchRecord]
"""The random searches of a setting's runs, or of several settings that share them, by seed."""

_Sharing = tuple[list[str], _BySeed]
"""Settings that share random searches, and these."""


def _searches(sweep: Sweep) -> Iterator[RandomSearch]:
    """Each random search once, named by its cubes, and by the keys in which settings with different searches differ."""
    by_cubes: dict[str, dict[str, _BySeed]] = {}
    for member, run in sweep.runs.items():
        assert run.result is not None
        for search in searches_of(run.result):
            seed = search.get("seed", 0)  # results of an early pigevo have none: all runs shared the search of seed 0
            by_cubes.setdefault(search["cubes"], {}).setdefault(member.setting, {})[seed] = search
    for cubes, by_setting in by_cubes.items():
        groups = _sharing(by_setting)
        names = _names_of([settings for settings, _ in groups], sweep)
        for name, (_, searches) in zip(names, groups, strict=True):
            parts = [RANDOM_SEARCH, f"cubes={cubes}" if len(by_cubes) > 1 else "", name]
            for seed, search in searches.items():
                yield RandomSearch(",".join(filter(None, parts)), seed, search["strategies"], search["by_matches"])


def _sharing(by_setting: Mapping[str, _BySeed]) -> list[_Sharing]:
    """Groups of settings whose searches are the same with every seed that they have in common.

    Settings with more seeds come first, since they tell which of those with fewer seeds share a search.
    """
    groups: list[_Sharing] = []
    having: dict[tuple[int, int, float], list[_Sharing]] = {}  # the groups with a search, by its seed and figures
    for setting, searches in sorted(by_setting.items(), key=lambda entry: -len(entry[1])):
        keys = [(seed, *_outcome(search)) for seed, search in searches.items()]
        alike = (group for key in keys for group in having.get(key, ()))
        group = next((group for group in alike if _agree(group[1], searches)), None)
        if group is None:
            groups.append(group := ([], {}))
        for key in keys:
            if key[0] not in group[1]:
                having.setdefault(key, []).append(group)
        group[0].append(setting)
        group[1].update(searches)
    return groups


def _agree(known: _BySeed, others: _BySeed) -> bool:
    return all(_outcome(known[seed]) == _outcome(others[seed]) for seed in known.keys() & others.keys())


def _outcome(search: SearchRecord) -> tuple[int, float]:
    return search["strategies"], search["by_matches"]


def _names_of(groups: Sequence[Sequence[str]], sweep: Sweep) -> list[str]:
    """The keys that distinguish groups of settings, or the first setting of each; empty for a single group."""
    if len(groups) < 2:
        return [""] * len(groups)
    keys = [
        key for key in sweep.swept
        if all(len({sweep.words[setting].get(key) for setting in settings}) == 1 for settings in groups)
    ]  # fmt: skip
    names = [label(sweep.words[settings[0]], keys) for settings in groups]
    return names if len(set(names)) == len(names) else [settings[0] for settings in groups]
