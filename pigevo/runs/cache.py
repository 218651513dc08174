"""Baseline samples, kept between runs: they belong to a game and a grid, not to a run."""

from __future__ import annotations

import hashlib
from pathlib import Path

from pigevo.arrays import Floats
from pigevo.dice import STREAM_VERSION
from pigevo.errors import InputError
from pigevo.exact import ENGINE_VERSION
from pigevo.files import read_arrays, write_arrays
from pigevo.places import user_cache
from pigevo.runs.progress import tracked
from pigevo.settings import Settings
from pigevo.strategies import CubeGrid


def cached_sample(settings: Settings, grid: CubeGrid) -> tuple[Floats, Path | None]:
    """The sample of a run's baseline on a grid, from the cache if it is there.

    Args:
        settings: the run's.
        grid: where the sample's genomes live.

    Returns:
        Win probabilities against the optimum, shape (populations, size), and the file that keeps them;
        None where nothing can be written.
    """
    choice, plan = settings.choices["baseline"], settings.plan
    key = repr((grid.game.rules, grid.edges, plan.size, sorted(choice.values.items()), STREAM_VERSION, ENGINE_VERSION))
    path = user_cache() / "baselines" / f"{hashlib.sha256(key.encode()).hexdigest()[:16]}.npz"
    if path.exists():
        try:
            return read_arrays(path, "baseline")["sample"], path
        except (InputError, KeyError):
            pass  # a damaged file of the cache is simply made again
    sample: Floats = plan.baseline(grid, plan.size, plan.workers, tracked(f"baseline, cubes {grid.label}"))
    try:
        return sample, write_arrays(path, {"sample": sample})
    except InputError:
        return sample, None
