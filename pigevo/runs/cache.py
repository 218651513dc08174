"""Baseline samples, kept between runs: they belong to a game and a grid, not to a run.  So are random searches."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import numpy as np

from pigevo.archives import archive
from pigevo.arrays import Floats
from pigevo.caches import make_room, samples
from pigevo.dice import STREAM_VERSION
from pigevo.errors import InputError
from pigevo.evolution.search import Found, search
from pigevo.exact import ENGINE_VERSION
from pigevo.files import write_arrays
from pigevo.places import own_cache
from pigevo.runs.lock import alone
from pigevo.runs.progress import tracked
from pigevo.settings import Settings
from pigevo.strategies import CubeGrid

T = TypeVar("T")
Arrays = Mapping[str, object]


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
    path = _path(grid.game.rules, grid.edges, plan.size, sorted(choice.values.items()), STREAM_VERSION, ENGINE_VERSION)

    def read(path: Path) -> Floats:
        with archive(path, "baseline") as file:
            sample: Floats = file.array("sample", np.float64, [None, plan.size])
            return sample

    def make() -> tuple[Floats, Arrays]:
        sample: Floats = plan.baseline(grid, plan.size, plan.workers, tracked(f"baseline, cubes {grid.label}"))
        return sample, {"sample": sample}

    return _cached(path, read, make)


def cached_search(settings: Settings, grid: CubeGrid, strategies: int, known: Floats) -> tuple[Found, Path | None]:
    """Random search as a run would do it, from the cache if it is there.

    Args:
        settings: the run's.
        grid: where the genomes live.
        strategies: how many the run evaluated.
        known: the sample on the grid, from `cached_sample`.

    Returns:
        What it found, and the file that keeps it; None where nothing can be written.
    """
    plan = settings.plan
    choices = settings.choices["fitness"], settings.choices["selection"]
    chosen = [choice.identity for choice in choices]
    deciding = grid.game.rules, grid.edges, plan.size, strategies, json.dumps(chosen, sort_keys=True)
    unknown = any(choice.own and choice.own.unknown for choice in choices)  # it could be that of another function
    finals = () if plan.everyone_meets else (plan.finalists,)
    path = None if unknown else _path("search", deciding, *finals, STREAM_VERSION, ENGINE_VERSION)

    def read(path: Path) -> Found:
        with archive(path, "random search") as file:
            counts, values = file.array("counts", np.int64, [2]), file.array("values", np.float64, [2])
            return Found(grid.label, *counts.tolist(), *values.tolist())

    def make() -> tuple[Found, Arrays]:
        made = search(plan, grid, strategies, known, tracked(f"random search, cubes {grid.label}"))
        counts, values = np.array([made.strategies, made.games]), np.array([made.by_matches, made.by_referee])
        return made, {"counts": counts, "values": values}

    return _cached(path, read, make)


def _cached(
    path: Path | None, read: Callable[[Path], T], make: Callable[[], tuple[T, Arrays]]
) -> tuple[T, Path | None]:
    """What a file keeps, or else what is made and kept there; of several processes that lack it one makes it."""
    if path is None:
        return make()[0], None
    with suppress(InputError):
        return read(path), path
    with alone(path):
        with suppress(InputError):  # another process has made it meanwhile; a damaged one is simply made again
            return read(path), path
        made, arrays = make()
        return made, _kept(path, arrays)


def _path(*deciding: object) -> Path | None:
    """The file of what these decide; None where there is no folder that only the user can write to."""
    try:
        return own_cache("baselines") / f"{hashlib.sha256(repr(deciding).encode()).hexdigest()[:16]}.npz"
    except OSError:
        return None


def _kept(path: Path, arrays: Arrays) -> Path | None:
    """Keep arrays, the oldest ones making room; their file, or None where nothing can be written."""
    try:
        write_arrays(path, arrays)
    except InputError:
        return None
    make_room(samples(path.parent), keep=path)
    return path
