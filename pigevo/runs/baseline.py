"""The run beside its baseline: its peak and its champion among random ones, and random search in its place."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pigevo.arrays import Floats
from pigevo.evolution.placement import Placement, bound_of_best, bound_of_means, place
from pigevo.evolution.search import Found
from pigevo.intervals import SHARE, mean_interval
from pigevo.runs.cache import cached_sample, cached_search
from pigevo.settings import Settings
from pigevo.strategies import CubeGrid

LOG = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Comparison:
    """A run among random populations.

    Args:
        own: values of random populations of the genome that the run begins with, shape (populations, size).
        cells: values of random populations of single cells, as in the paper's figure 10.
        peak: the run's peak population mean among the means of `own`.
        recorded: how many populations the run recorded.
        peak_bound: a bound of the chance that the best of as many random populations reaches that peak.
        champion: the run's champion among random members, by the cube size of their genomes: that of the first
            wave, and that of the last, on which the champion lives.
        searches: random search with the run's budget and in its way, on the same cubes.
        files: where the samples are kept.
    """

    own: Floats
    cells: Floats
    peak: Placement
    recorded: int
    peak_bound: float
    champion: dict[str, Placement]
    searches: tuple[Found, ...]
    files: tuple[str, ...]

    def record(self) -> dict[str, Any]:
        """Plain values, for `result.json`."""
        return {
            "populations": len(self.own),
            "members": self.own.size,
            "own_mean": float(self.own.mean()),
            "own_interval": list(mean_interval(self.own.mean(axis=1), within=SHARE)),
            "own_best": float(self.own.max()),
            "cells_mean": float(self.cells.mean()),
            "cells_interval": list(mean_interval(self.cells.mean(axis=1), within=SHARE)),
            "cells_best": float(self.cells.max()),
            "peak_among_means": {
                **self.peak.record(), "recorded": self.recorded, "best_of_recorded_bound": self.peak_bound,
            },
            "champion_among_members": {cubes: found.record() for cubes, found in self.champion.items()},
            "random_search": [found.record() for found in self.searches],
            "cache": list(self.files),
        }  # fmt: skip


def compare(
    settings: Settings, peak: float, recorded: int, champion: float, evaluations: int, top: float
) -> Comparison | None:
    """Place a finished run among random populations; None if its baseline is `none`.

    Args:
        settings: the run's.
        peak: the largest mean of a recorded population.
        recorded: how many populations were recorded.
        champion: the champion's value.
        evaluations: how many strategies the run evaluated.
        top: what the optimum wins against itself, which no member exceeds.
    """
    plan = settings.plan
    first, last, single = plan.waves[0].grid, plan.waves[-1].grid, CubeGrid(plan.game, 1)
    samples: dict[str, Floats] = {}
    files: list[Path] = []
    for grid in (first, last, single):
        if grid.label in samples:
            continue
        sample, path = cached_sample(settings, grid)
        if not sample.size:
            return None
        samples[grid.label] = sample
        if path:
            LOG.info("baseline of cube size %s: %d random populations, kept in %s", grid.label, len(sample), path)
            files.append(path)
    searches = []
    lived = {grid.label: grid for grid in (first, last)}
    for label, grid in lived.items():
        found, path = cached_search(settings, grid, evaluations, samples[label])
        searches.append(found)
        files += [path] if path else []
    own = samples[first.label]
    return Comparison(
        own=own,
        cells=samples[single.label],
        peak=place(peak, own.mean(axis=1)),
        recorded=recorded,
        peak_bound=bound_of_best(bound_of_means(own, plan.size, peak, top), recorded),
        champion={label: place(champion, samples[label]) for label in lived},
        searches=tuple(searches),
        files=tuple(map(str, files)),
    )
