"""The typed schema of conf/: the settings of every run, each with its type and range, and how they are spelled.

A group (game, selection, ...) is an open dict here: its options belong to the chosen function,
and the registry checks them against its signature, so a new operator needs no change in this file.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

from pigevo.core.checked_values import LARGEST_SEED, JsonObject, Within
from pigevo.core.registry import Registry
from pigevo.errors import InputError, did_you_mean, unknown

Values = Mapping[str, Any]
"""Plain values of settings by key; those of a group are values by name."""

GROUPS = {
    "game": ("pigevo.games", "GAMES"),
    "population": ("pigevo.evolution.population", "POPULATIONS"),
    "selection": ("pigevo.evolution.selection", "SELECTIONS"),
    "fitness": ("pigevo.evolution.fitness", "FITNESSES"),
    "crossover": ("pigevo.evolution.crossover", "CROSSOVERS"),
    "mutator": ("pigevo.evolution.mutation", "MUTATORS"),
    "replacement": ("pigevo.evolution.population", "REPLACEMENTS"),
    "cubes": ("pigevo.evolution.waves_and_islands", "CUBES"),
    "islands": ("pigevo.evolution.waves_and_islands", "ISLANDS"),
    "stop": ("pigevo.evolution.stop", "STOPS"),
    "baseline": ("pigevo.evolution.random_search", "BASELINES"),
}
"""The folders of conf/ with choices, and the modules of their registries."""

OPTIONAL = ("islands", "stop")
"""Groups whose choice `none` is not part of a run's hash, so that hashes from before the group stay valid."""

CHOICES = ("experiment", "sweep", *GROUPS)  # keys whose values name a file of conf/

NEEDED_BY = {"mutation": "mutator", "generations": "cubes"}
"""General settings used by only some choices of a group: they cannot be set if the chosen one does not use them."""

UNRECORDED = ("lineage", "behaviour")
"""Settings that are not part of a run's hash if they are off, so that older hashes stay valid."""

VOLATILE = ("force", "workers", "checkpoint_every", "figures")
"""Settings that affect how a run is executed, not its result."""

CUSTOM = "custom"  # the choice of a group that stands for a user's class or function
ON_GENERATION = "on_generation"  # the setting that names a watcher: a user's function that sees each generation

WATCHERS = Registry("function of generations", 1)
"""The group for functions that observe generations: only users' functions, with their options."""

CUSTOM_GROUPS = ("game", "population", "fitness", "selection", "crossover", "mutator", "replacement", "stop")
"""The groups that have this choice, which are the game, the operators and the stop rule."""


def _setting(fits: object) -> Any:
    return field(default="???", metadata={"fits": fits})


@dataclass
class Config:
    """The types of all settings of a run; the defaults are in conf/config.yaml."""

    experiment: str | None = _setting(str | None)
    seed: int = _setting(Annotated[int, Within(0, LARGEST_SEED)])
    mutation: float = _setting(Annotated[float, Within(0, 1)])
    generations: int = _setting(Annotated[int, Within(0)])
    record_every: int = _setting(Annotated[int, Within(1)])
    checkpoint_every: int = _setting(Annotated[int, Within(1)])
    lineage: bool = _setting(bool)
    behaviour: bool = _setting(bool)
    on_generation: Any = None
    figures: str = _setting(Literal["auto", "png", "pdf", "svg", "none"])
    workers: int = _setting(Annotated[int, Within(1)])
    force: bool = _setting(bool)
    debug: str = _setting(Literal["none", "fast"])
    game: JsonObject = field(default_factory=dict)
    population: JsonObject = field(default_factory=dict)
    selection: JsonObject = field(default_factory=dict)
    fitness: JsonObject = field(default_factory=dict)
    crossover: JsonObject = field(default_factory=dict)
    mutator: JsonObject = field(default_factory=dict)
    replacement: JsonObject = field(default_factory=dict)
    cubes: JsonObject = field(default_factory=dict)
    islands: JsonObject = field(default_factory=dict)
    stop: JsonObject = field(default_factory=dict)
    baseline: JsonObject = field(default_factory=dict)


def conf_folder() -> Path:
    """The folder conf/: inside an installed package, beside the package in a checkout."""
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "conf", package.parent / "conf"):
        if (folder / "config.yaml").is_file():
            return folder
    raise InputError(f"the folder conf/ is neither in {package} nor beside it: install pigevo again.")


def choices(group: str) -> list[str]:
    """The names of the files in a folder of conf/, sorted."""
    return sorted(path.stem for path in (conf_folder() / group).glob("*.yaml"))


def unknown_choice(group: str, name: str, known: Iterable[str]) -> InputError:
    """The error for a choice of a group that does not exist; it says how to choose a function of one's own."""
    error = unknown(group, name, known)
    if group not in CUSTOM_GROUPS or did_you_mean(name, known):
        return error
    return InputError(f"{error} A function of your own is {group}=FILE.py:NAME.")


def comments(group: str, name: str) -> list[str]:
    """The sentences in the comments at the head of a choice's file."""
    lines = (conf_folder() / group / f"{name}.yaml").read_text(encoding="utf-8").splitlines()
    comments = [line.lstrip("# ") for line in lines if line.startswith("#")]
    return [text for text in comments if text and not text.startswith(("@package", "python -m"))]


def registry_of(group: str) -> Registry:
    """The registry with the names for a group of conf/."""
    if group == ON_GENERATION:
        return WATCHERS
    module, name = GROUPS[group]
    registry: Registry = getattr(importlib.import_module(module), name)
    return registry


LONGEST = 80  # the largest number of characters in the readable part of a folder's name


def flat(values: Mapping[str, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    """The values flattened to dotted keys: `fitness.games`; the name of a choice has the key `fitness`."""
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{prefix}{key}.")
        else:
            yield (prefix.rstrip(".") if key == "name" and prefix else f"{prefix}{key}"), value


def shortened(settings: str, last: str = "") -> str:
    """The settings in at most `LONGEST` characters, cut between two settings: half a number is another number.

    The setting `last`, if it is cut off, stands at the end.
    """
    if len(settings) <= LONGEST:
        return settings
    short = _cut(settings, LONGEST)
    return f"{_cut(settings, LONGEST - len(last) - 1)},{last}" if last and last not in short.split(",") else short


def _cut(settings: str, longest: int) -> str:
    whole, comma, _ = settings[: longest + 1].rpartition(",")
    return (whole if comma else settings[:longest]).rstrip(",.+-")


def spelled(value: object) -> str:
    """A value as typed, with + between the items of a list."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return "+".join(spelled(item) for item in value)
    return str(value)


def clean(text: str) -> str:
    """The text without characters that are special in file names."""
    return re.sub(r"[^A-Za-z0-9._=,+-]", "_", text)


def replaced(value: object, replacements: Mapping[str, object]) -> object:
    """A word, or the words of a list, with replacements."""
    if isinstance(value, list | tuple):
        return type(value)(replaced(item, replacements) for item in value)
    return replacements.get(value, value) if isinstance(value, str) else value
