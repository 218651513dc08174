"""The typed records of a run, and what made it: versions, streams and machine. Further keys are ignored."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated, Any, NotRequired, TypedDict

import pigevo
from pigevo.core.checked_values import Within
from pigevo.dice import STREAM_VERSION
from pigevo.exact import ENGINE_VERSION

PACKAGES = ("numpy", "scipy", "numba", "llvmlite", "deap", "hydra-core", "omegaconf", "matplotlib")


def versions() -> dict[str, Any]:
    """Versions of pigevo, its random streams, Python and the packages that results can depend on."""
    found: dict[str, Any] = {
        "pigevo": pigevo.__version__,
        "streams": STREAM_VERSION,
        "engine": ENGINE_VERSION,
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
    }
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    return found


def changes(then: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What has another version now than then: `numba 0.61.0, now 0.62.1`."""
    return [f"{name} {then[name]}, now {now[name]}" for name in now if name in then and then[name] != now[name]]


CONFIG = ".hydra/config.yaml"
"""Where the settings of a run lie, in its folder."""

Chance = Annotated[float, Within(0, 1)]
Count = Annotated[int, Within(0, 2**62)]
Ends = list[float | None]
"""The two ends of an interval, or nothing; of few values, they lie anywhere."""


class Figures(TypedDict):
    """Win probabilities of a strategy against the optimum."""

    first: Chance
    second: Chance
    overall: Chance


class Placed(TypedDict):
    """A figure among random ones."""

    value: Chance
    sample: Annotated[int, Within(1, 2**62)]
    reached: Count
    largest: Chance
    recorded: NotRequired[Count]
    best_of_recorded_bound: NotRequired[Chance]


class Search(TypedDict):
    """What random search found."""

    cubes: str
    strategies: Count
    by_matches: Chance
    by_referee: Chance


class Baseline(TypedDict):
    """A run beside random populations."""

    populations: Count
    own_mean: Chance
    own_best: Chance
    own_interval: NotRequired[Ends]
    cells_mean: Chance
    cells_interval: NotRequired[Ends]
    peak_among_means: Placed
    champion_among_members: dict[str, Placed] | Placed
    random_search: NotRequired[list[Search]]


class Measured(TypedDict):
    """What the run's own fitness measured of its champion, and how much of that was luck."""

    measured: float
    measured_low: NotRequired[Chance]
    measured_high: NotRequired[Chance]
    measured_games: Count
    luck: NotRequired[float]
    elites_luck: NotRequired[float]


class Result(TypedDict):
    """What `result.json` says."""

    champion: Figures
    optimum: Chance
    optimum_overall: NotRequired[Chance]
    peak_mean: Chance
    peak_generation: Count
    last_mean: Chance
    best_seen: Chance
    generations: Count
    evaluations: Count
    games: Count
    champion_games: NotRequired[Count]
    measured: NotRequired[Measured | None]
    seconds: Annotated[float, Within(0)]
    baseline: Baseline | None
    digest: str
    versions: dict[str, Any]
    begun_with: NotRequired[dict[str, Any]]
    config_hash: str
    config: NotRequired[dict[str, Any]]
    files: NotRequired[dict[str, str]]
