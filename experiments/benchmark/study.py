"""The benchmark's reference results: all reference algorithms on all suites, at the usual budgets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.core.intervals import SHARE, Range
from pigevo.core.text import with_interval
from pigevo.figures.axes import figure_of, save_figure
from pigevo.storage.files import write_bytes

from ..common.spent import ecdf_data, plot_ecdf_beside
from ..common.tables import table, write_section
from .bench import benchmark
from .instances import SUITES, instance
from .results import (
    MEASURES,
    ReferenceTrial,
    Standing,
    bounded_interval,
    reference_csv,
    reference_standings,
    reference_trials,
    resampled,
)
from .zeros import zero

LOCKS_FOLDER = True  # the benchmark itself lets no second process into its folder
MOST_SEEDS = 6
"""Of each algorithm on each instance: what takes some six minutes of a core."""

BASE = "random_search"
"""The algorithm that the picture draws beside each of the others."""

LOSS: Range = (0.0, 0.5)
"""What a loss or an exploitability can be."""

Of = dict[str, list[ReferenceTrial]]


def run(folder: Path, seeds: int, workers: int) -> None:
    """Do what is missing of the trials, and write the tables and a picture.

    Args:
        folder: where everything goes.
        seeds: of each algorithm on each instance, `MOST_SEEDS` at most.
        workers: processes.
    """
    found = benchmark(suite=",".join(SUITES), seeds=min(seeds, MOST_SEEDS), folder=folder, workers=workers)
    write_bytes(folder / "trials.csv", reference_csv(found))
    for name, text in tables(reference_trials(folder / "trials.csv")).items():
        write_section(folder, name, text)
    samples = resampled(found.areas.shape[2])
    order = [BASE, *(one.algorithm for one in found.standings if one.algorithm != BASE)]
    curves = {name: ecdf_data(found.shares(name, "loss"), samples) for name in order}
    save_figure(folder / "pictures" / "hits.png", figure_of(plot_ecdf_beside(curves)))


def tables(trials: Sequence[ReferenceTrial]) -> dict[str, str]:
    """All tables by name: over the suites, on each instance, how champions end, and the zeros."""
    of: dict[str, Of] = {}
    for one in trials:
        of.setdefault(one.instance, {}).setdefault(one.algorithm, []).append(one)
    order = [one.algorithm for one in reference_standings(trials, list(of))]
    return {
        "suites": "\n".join(_suites(trials, list(of))),
        "instances": table(["instance", *order], [(name, *_areas(found, order)) for name, found in of.items()]),
        "endings": _endings(of, order),
        "zeros": _zeros(list(of)),
    }


def _suites(trials: Sequence[ReferenceTrial], names: Sequence[str]) -> Iterator[str]:
    """A table for each suite, and one for all instances."""
    for suite, within in {"all": names, **SUITES}.items():
        loss, exploitability = (reference_standings(trials, within, by) for by in MEASURES)
        other = {one.algorithm: _area(one) for one in exploitability}
        rows = [(suite, one.algorithm, _area(one), f"{one.hit:.3f}", other[one.algorithm]) for one in loss]
        yield table(["suite", "algorithm", "area by loss", "targets of loss hit", "area by exploitability"], rows)


def _area(one: Standing) -> str:
    return with_interval(one.area, one.area_low, one.area_high, ".3f")


def _areas(found: Of, order: Sequence[str]) -> Iterator[str]:
    return (_mean(found[name], lambda one: one.area_loss, SHARE, ".3f") for name in order)


def _endings(of: dict[str, Of], order: Sequence[str]) -> str:
    rows = [
        (name, algorithm, len(found[algorithm]), f"{found[algorithm][0].budget:,} {instance(name).unit}",
         _mean(found[algorithm], lambda one: one.loss, LOSS),
         _mean(found[algorithm], lambda one: one.exploitability, LOSS))
        for name, found in of.items() for algorithm in order
    ]  # fmt: skip
    return table(["instance", "algorithm", "seeds", "budget", "loss", "exploitability"], rows)


def _mean(
    trials: Sequence[ReferenceTrial], figure: Callable[[ReferenceTrial], float], within: Range, form: str = ".4f"
) -> str:
    values: Floats = np.array([figure(one) for one in trials])
    return with_interval(float(values.mean()), *bounded_interval(values, within), form)


def _zeros(names: Sequence[str]) -> str:
    rows = []
    for name in names:
        place = instance(name)
        loss, exploitability = (zero(place, by) for by in MEASURES)
        rows.append((name, f"{place.grid.genes:,}", f"{loss.figure:.4f}", loss.proof, f"{exploitability.figure:.4f}",
                     exploitability.proof))  # fmt: skip
    return table(["instance", "genes", "least loss", "proof", "least exploitability", "proof "], rows)
