"""Baseline samples, kept between runs: they belong to a game and a grid, not to a run."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

from pigevo.arrays import Floats
from pigevo.dice import STREAM_VERSION
from pigevo.errors import InputError
from pigevo.files import read_arrays, write_arrays
from pigevo.places import user_cache
from pigevo.runs.progress import tracked
from pigevo.strategies import CubeGrid


def cached_sample(
    make: Callable[..., Floats], grid: CubeGrid, size: int, options: str, workers: int
) -> tuple[Floats, Path | None]:
    """A baseline's sample on a grid, from the cache if it is there.

    Args:
        make: draws the sample, as `make(grid=..., size=..., workers=..., track=...)`.
        grid: where its genomes live.
        size: members of a population.
        options: whatever else decides the sample.
        workers: threads.

    Returns:
        The sample, shape (populations, size), and the file that keeps it; None where
        nothing can be written.
    """
    key = repr((grid.game.rules, grid.edges, size, options, STREAM_VERSION))
    path = user_cache() / "baselines" / f"{hashlib.sha256(key.encode()).hexdigest()[:16]}.npz"
    if path.exists():
        try:
            return read_arrays(path, "baseline")["sample"], path
        except (InputError, KeyError):
            pass  # a damaged file of the cache is simply made again
    sample = make(grid=grid, size=size, workers=workers, track=tracked(f"baseline, cubes {grid.label}"))
    try:
        return sample, write_arrays(path, {"sample": sample})
    except InputError:
        return sample, None
