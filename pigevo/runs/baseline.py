"""The run beside its baseline: its peak and its champion among random ones."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

from pigevo.arrays import Floats
from pigevo.evolution.placement import Placement, place
from pigevo.runs.cache import cached_sample
from pigevo.settings import Settings
from pigevo.strategies import CubeGrid

LOG = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Comparison:
    """A run among random populations.

    Args:
        own: values of random populations of the run's own genome, shape (populations, size).
        cells: values of random populations of single cells, as in the paper's figure 10.
        peak: the run's peak population mean among the means of `own`.
        champion: the run's champion among all members of `own`.
        files: where the samples are kept.
    """

    own: Floats
    cells: Floats
    peak: Placement
    champion: Placement
    files: tuple[str, ...]

    def record(self) -> dict[str, Any]:
        """Plain values, for `result.json`."""
        return {
            "populations": len(self.own),
            "own_mean": float(self.own.mean()),
            "own_best": float(self.own.max()),
            "cells_mean": float(self.cells.mean()),
            "cells_best": float(self.cells.max()),
            "peak_among_means": self.peak.record(),
            "champion_among_members": self.champion.record(),
            "cache": list(self.files),
        }


def compare(settings: Settings, peak: float, recorded: int, champion: float, evaluations: int) -> Comparison | None:
    """Place a finished run among random populations; None if its baseline is `none`.

    Args:
        settings: the run's.
        peak: the largest mean of a recorded population.
        recorded: how many populations were recorded.
        champion: the champion's value.
        evaluations: how many strategies the run evaluated.
    """
    samples, files = [], []
    plan = settings.plan
    for grid in (plan.waves[0].grid, CubeGrid(plan.game, 1)):
        sample, path = cached_sample(settings, grid)
        if not sample.size:
            return None
        samples.append(sample)
        if path:
            LOG.info("baseline of cube size %s: %d random populations, kept in %s", grid.label, len(sample), path)
            files.append(str(path))
    own, cells = samples
    return Comparison(
        own=own,
        cells=cells,
        peak=place(peak, own.mean(axis=1), recorded),
        champion=place(champion, own, evaluations),
        files=tuple(files),
    )
