"""Reference results: trials of all reference algorithms on all suites, which the study `benchmark` has made.

An entrant is set beside them without doing them again, where instances and budgets are the same.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.core.intervals import SHARE
from pigevo.experiments import experiments_folder
from pigevo.storage.files import csv_bytes

from .results import Results, Standing
from .statistics import MEASURES, By, area, bounded_interval, hits
from .trial import Trial


@dataclass(frozen=True)
class ReferenceTrial:
    """What a trial came to.

    Args:
        instance: the task.
        algorithm: a reference algorithm.
        seed: of the trial.
        budget: of evaluations, or of games.
        spent: how much of it.
        loss, exploitability: of the champion when the budget had ended.
        area_loss, area_exploitability: the share of targets that champions held, averaged over a logarithmic budget.
        hit_loss, hit_exploitability: the share of targets that were ever hit.
    """

    instance: str
    algorithm: str
    seed: int
    budget: int
    spent: int
    loss: float
    exploitability: float
    area_loss: float
    area_exploitability: float
    hit_loss: float
    hit_exploitability: float


def reference_trials(path: Path | None = None) -> list[ReferenceTrial]:
    """The trials of a table, by default of the one that comes with pigevo."""
    with (path or experiments_folder() / "benchmark" / "trials.csv").open(newline="", encoding="utf-8") as file:
        rows = [list(row.values()) for row in csv.DictReader(file)]
    return [ReferenceTrial(a, b, *map(int, row[:3]), *map(float, row[3:])) for a, b, *row in rows]


def reference_csv(results: Results) -> bytes:
    """The table of trials of a benchmark, which `reference_trials` reads."""
    head = [field.name for field in fields(ReferenceTrial)]
    return csv_bytes([head, *_rows(results)])


def _rows(results: Results) -> Iterator[list[object]]:
    for name, place in results.instances.items():
        for algorithm, of in results.trials.items():
            columns = [
                figure(of[name], by, results.zeros[name][by], place.games or 1)
                for figure in (_areas, _hits) for by in MEASURES
            ]  # fmt: skip
            for trial, *figures in zip(of[name], *columns, strict=True):
                ends = [trial.loss[-1], trial.exploitability[-1], *figures]
                yield [name, algorithm, trial.seed, trial.budget, trial.spent[-1], *(f"{end:.6f}" for end in ends)]


def _areas(trials: Sequence[Trial], by: By, zero: float, cost: int) -> Floats:
    return area(trials, by, cost, zero)


def _hits(trials: Sequence[Trial], by: By, zero: float, _: int) -> Floats:
    shares: Floats = np.isfinite(hits(trials, by, zero=zero)).mean(axis=1)
    return shares


def reference_standings(trials: Sequence[ReferenceTrial], instances: Sequence[str], by: By = "loss") -> list[Standing]:
    """The standings over some instances, the largest area first; of algorithms that lack one there is none."""
    trials_of: dict[str, dict[str, list[ReferenceTrial]]] = {}
    for one in trials:
        trials_of.setdefault(one.algorithm, {}).setdefault(one.instance, []).append(one)
    standings = []
    for algorithm, of in trials_of.items():
        if not instances or not set(instances) <= of.keys():
            continue
        areas = np.array([[getattr(one, f"area_{by}") for one in of[name]] for name in instances]).mean(axis=0)
        hit = float(np.mean([getattr(one, f"hit_{by}") for name in instances for one in of[name]]))
        standings.append(Standing(algorithm, float(areas.mean()), *bounded_interval(areas, SHARE), hit))
    return sorted(standings, key=lambda one: -one.area)


def reference_beside(results: Results) -> list[Standing]:
    """Reference results on the instances of a benchmark, of those algorithms that did not take part themselves.

    Args:
        results: what a benchmark has returned.

    Returns:
        The largest area first; nothing where an instance has no reference results, or trials had another budget.

    Example:
        >>> import tempfile
        >>> from pigevo.experiments.benchmark import benchmark, reference_beside
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     results = benchmark("random_search", "t10-d2-c1-g10", 1, folder=folder, workers=1)
        >>> beside = reference_beside(results)
        >>> len(beside), beside[0].area > results.standings[0].area
        (9, True)
    """
    budgets = {
        (name, trial.budget) for of in results.trials.values() for name, trials in of.items() for trial in trials
    }
    known = [one for one in reference_trials() if (one.instance, one.budget) in budgets]
    if {(one.instance, one.budget) for one in known} != budgets:
        return []
    standings = reference_standings(known, list(results.instances), results.by)
    return [one for one in standings if one.algorithm not in results.trials]
