"""Comparison of a run with random populations and random search; samples are cached by game and grid.

The samples of the main job, 18,000 exact evaluations, come with the package, so that its first run need not make them.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NotRequired, TypedDict, TypeVar

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.core.checked_values import JsonObject
from pigevo.core.intervals import SHARE, bound_of_best, bound_of_means, mean_interval, placement_of
from pigevo.dice import STREAM_VERSION
from pigevo.errors import InputError
from pigevo.evolution.random_search import SearchResult, search
from pigevo.exact import ENGINE_VERSION
from pigevo.runs.progress import tracked
from pigevo.settings.settings import Settings
from pigevo.storage.cache_dirs import make_room, own_cache, samples
from pigevo.storage.files import alone
from pigevo.storage.records import archive, write_arrays
from pigevo.strategies import CubeGrid

T = TypeVar("T")
Arrays = Mapping[str, object]

SUPPLIED = Path(__file__).with_name("random_samples")
"""The samples that come with the package, in files like those of the cache."""


def cached_sample(settings: Settings, grid: CubeGrid) -> tuple[Floats, Path | None]:
    """Win probabilities of random populations on a grid against the optimum, shape (populations, size), and their file.

    The file is None if nothing can be written.
    """
    choice, plan = settings.choices["baseline"], settings.plan
    path = _path(grid.game.rules, grid.edges, plan.size, sorted(choice.values.items()), STREAM_VERSION, ENGINE_VERSION)

    def read(path: Path) -> Floats:
        with archive(path, "baseline") as file:
            sample: Floats = file.array("sample", np.float64, [choice.values.get("populations"), plan.size])
            return sample

    def make() -> tuple[Floats, Arrays]:
        sample: Floats = plan.baseline(
            grid, plan.size, plan.workers, tracked(f"baseline, cubes {grid.label}", None, " populations")
        )
        return sample, {"sample": sample}

    return _cached(path, read, make)


def cached_search(settings: Settings, grid: CubeGrid, strategies: int) -> tuple[SearchResult, Path | None]:
    """The result of random search with as many strategies as the run evaluated, and its file (see `cached_sample`)."""
    plan = settings.plan
    choices = settings.choices["fitness"], settings.choices["selection"]
    chosen = [choice.identity for choice in choices]
    deciding = grid.game.rules, grid.edges, plan.size, plan.seed, strategies, json.dumps(chosen, sort_keys=True)
    # A function without an identity could be another one next time.
    unknown = any(choice.user_code and choice.user_code.unknown for choice in choices)
    finals = () if plan.all_are_finalists else (plan.finalists,)
    islands = () if plan.islands.count == 1 else ("islands", plan.islands.count)
    path = None if unknown else _path("random search", deciding, *islands, *finals, STREAM_VERSION, ENGINE_VERSION)

    def read(path: Path) -> SearchResult:
        with archive(path, "random search") as file:
            counts, value = file.array("counts", np.int64, [2]), file.array("value", np.float64, [])
            drawn, games = counts.tolist()
            return SearchResult(grid.label, plan.seed, drawn, games, float(value))

    def make() -> tuple[SearchResult, Arrays]:
        result = search(plan, grid, strategies, tracked(f"random search, cubes {grid.label}", None, "gen"))
        counts = np.array([result.strategies, result.games])
        return result, {"counts": counts, "value": np.array(result.by_matches)}

    return _cached(path, read, make)


def _cached(
    path: Path | None, read: Callable[[Path], T], make: Callable[[], tuple[T, Arrays]]
) -> tuple[T, Path | None]:
    """The content of a cached or supplied file, made by one process if there is none."""
    if path is None:
        return make()[0], None
    for file in (path, SUPPLIED / path.name):
        with suppress(InputError):
            return read(file), file
    with alone(path):
        with suppress(InputError):  # another process has made it in the meantime; a damaged one is made again
            return read(path), path
        value, arrays = make()
        return value, _store(path, arrays)


def _path(*deciding: object) -> Path | None:
    """The cache file for this key; None if there is no cache folder that belongs to the user alone."""
    try:
        return own_cache("baselines") / f"{hashlib.sha256(repr(deciding).encode()).hexdigest()[:16]}.npz"
    except OSError:
        return None


def _store(path: Path, arrays: Arrays) -> Path | None:
    """Store arrays, removing the oldest ones to make room; returns their file, or None if nothing can be written."""
    try:
        write_arrays(path, arrays)
    except InputError:
        return None
    make_room(samples(path.parent), keep=path)
    return path


LOG = logging.getLogger(__name__)


class SearchRecord(TypedDict):
    """A random search in `result.json`.

    Until 0.2.0 one search, without a seed, stood for all seeds, and its best strategy by the referee was recorded, too.
    """

    cubes: str
    seed: NotRequired[int]
    strategies: int
    games: int
    by_matches: float
    by_referee: NotRequired[float]


class BaselineRecord(TypedDict):
    """The comparison of a run with random populations and with random search in `result.json`."""

    populations: int
    own_mean: float
    own_interval: list[float | None]
    own_best: float
    cells_mean: float
    cells_interval: list[float | None]
    peak_among_means: JsonObject
    champion_among_members: JsonObject
    random_search: list[SearchRecord]


@dataclass(frozen=True, eq=False)
class AmongRandom:
    """A run among random populations: their values, shape (populations, size), and the record for `result.json`.

    `own` is for the genomes with which the run begins, `cells` for single cells, as in the paper's figure 10.
    """

    own: Floats
    cells: Floats
    record: JsonObject


def _samples(settings: Settings, grids: Sequence[CubeGrid]) -> tuple[dict[str, Floats], list[Path]]:
    """The random populations of each grid, by its label, and their files in the cache; none without a baseline."""
    samples: dict[str, Floats] = {}
    files: list[Path] = []
    for grid in grids:
        if grid.label in samples:
            continue
        sample, path = cached_sample(settings, grid)
        if not sample.size:
            return {}, []
        samples[grid.label] = sample
        if path:
            LOG.info("baseline of cube size %s: %d random populations, from %s", grid.label, len(sample), path)
            files.append(path)
    return samples, files


def compare(
    settings: Settings, peak: float, recorded: int, champion: float, evaluations: int, top: float
) -> AmongRandom | None:
    """Place a finished run among random populations; None if its baseline is `none`.

    `peak` is the largest mean of the `recorded` populations: it is ranked among the means of random populations of the
    run's first grid, together with a bound of the chance that the best of as many random ones reaches it.  The champion
    is ranked for the cube sizes of the first and of the last wave.  `top` is the optimum's win probability against
    itself.
    """
    plan = settings.plan
    first, last, single = plan.waves[0].grid, plan.waves[-1].grid, CubeGrid(plan.game, 1)
    samples, files = _samples(settings, (first, last, single))
    if not samples:
        return None
    searches = []
    of_waves = {grid.label: grid for grid in (first, last)}
    for grid in of_waves.values():
        searched, path = cached_search(settings, grid, evaluations)
        searches.append(asdict(searched))
        files += [path] if path else []
    own, cells = samples[first.label], samples[single.label]
    bound = bound_of_best(bound_of_means(own, plan.size, peak, top), recorded)
    peak_placement = {
        **asdict(placement_of(peak, own.mean(axis=1))),
        "recorded": recorded,
        "best_of_recorded_bound": bound,
    }
    record = {
        "populations": len(own),
        "members": own.size,
        **_figures("own", own),
        **_figures("cells", cells),
        "peak_among_means": peak_placement,
        "champion_among_members": {label: asdict(placement_of(champion, samples[label])) for label in of_waves},
        "random_search": searches,
        "cache": list(map(str, files)),
    }
    return AmongRandom(own, cells, record)


def _figures(name: str, values: Floats) -> JsonObject:
    interval = list(mean_interval(values.mean(axis=1), within=SHARE))
    return {f"{name}_mean": float(values.mean()), f"{name}_interval": interval, f"{name}_best": float(values.max())}
