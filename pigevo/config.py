"""The typed schema of conf/ and its checks.

`Config` holds the settings that every run has, each with its type and range.  A group
(game, selection, ...) is an open dict here: its options belong to the function that its
name chooses, whose signature the registry checks them against, so that a new operator
needs no change in this file.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, Literal

from hydra import compose as hydra_compose
from hydra import initialize_config_dir
from hydra.core.config_store import ConfigStore
from hydra.core.global_hydra import GlobalHydra
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from pigevo.dice import LARGEST_SEED
from pigevo.errors import InputError, unknown
from pigevo.registry import Registry, Within, checked
from pigevo.threads import available_cores

_OPERATORS = "pigevo.evolution.registries"
GROUPS = {
    "game": ("pigevo.games", "GAMES"),
    "population": (_OPERATORS, "POPULATIONS"),
    "selection": (_OPERATORS, "SELECTIONS"),
    "fitness": (_OPERATORS, "JUDGES"),
    "crossover": (_OPERATORS, "CROSSOVERS"),
    "mutator": (_OPERATORS, "MUTATORS"),
    "replacement": (_OPERATORS, "REPLACEMENTS"),
    "cubes": (_OPERATORS, "CUBES"),
    "baseline": (_OPERATORS, "BASELINES"),
}
"""Each folder of conf/ with choices, and where the registry of its names lies."""


def _setting(fits: Any) -> Any:
    """A setting of the schema, with the type and range that `check` holds it to."""
    return field(default="???", metadata={"fits": fits})


@dataclass
class Config:
    """The types of every run's settings; their defaults are in conf/config.yaml."""

    experiment: str | None = _setting(str | None)
    seed: int = _setting(Annotated[int, Within(0, LARGEST_SEED)])
    mutation: float = _setting(Annotated[float, Within(0, 1)])
    generations: int = _setting(Annotated[int, Within(0)])
    record_every: int = _setting(Annotated[int, Within(1)])
    checkpoint_every: int = _setting(Annotated[int, Within(1)])
    workers: int = _setting(Annotated[int, Within(1)])
    force: bool = _setting(bool)
    debug: str = _setting(Literal["none", "fast"])
    game: dict[str, Any] = field(default_factory=dict)
    population: dict[str, Any] = field(default_factory=dict)
    selection: dict[str, Any] = field(default_factory=dict)
    fitness: dict[str, Any] = field(default_factory=dict)
    crossover: dict[str, Any] = field(default_factory=dict)
    mutator: dict[str, Any] = field(default_factory=dict)
    replacement: dict[str, Any] = field(default_factory=dict)
    cubes: dict[str, Any] = field(default_factory=dict)
    baseline: dict[str, Any] = field(default_factory=dict)


def conf_folder() -> Path:
    """The folder conf/: inside the package where it was installed, beside it in a checkout.

    Raises:
        InputError: it is at neither place, so the installation is incomplete.
    """
    package = Path(__file__).resolve().parent
    for place in (package / "conf", package.parent / "conf"):
        if (place / "config.yaml").is_file():
            return place
    raise InputError(f"the folder conf/ is neither in {package} nor beside it: install pigevo again.")


def register() -> None:
    """Tell Hydra the schema, and OmegaConf what `${quick:}` and `${cores:}` in conf/ mean."""
    ConfigStore.instance().store(name="schema", node=Config)
    OmegaConf.register_new_resolver("cores", available_cores, replace=True)
    OmegaConf.register_new_resolver("quick", _quick, replace=True)


def compose(overrides: Sequence[str]) -> DictConfig:
    """The config of `overrides`, from the running Hydra's folders, or from conf/ outside of one.

    Args:
        overrides: as on the command line, "key=value".
    """
    register()
    if GlobalHydra.instance().is_initialized():
        return hydra_compose("config", overrides=list(overrides))
    with initialize_config_dir(str(conf_folder()), job_name="pigevo", version_base="1.3"):
        return hydra_compose("config", overrides=list(overrides))


def registry_of(group: str) -> Registry:
    """The registry whose names a group of conf/ chooses from."""
    module, name = GROUPS[group]
    registry: Registry = getattr(importlib.import_module(module), name)
    return registry


def check(config: DictConfig | Mapping[str, Any]) -> dict[str, Any]:
    """The composed config as plain values, every one of them checked.

    Args:
        config: what Hydra composed, or what an earlier `check` returned.

    Raises:
        InputError: an unknown setting, or one of a wrong type or out of its range; the
            message names its full key.
    """
    raw = _plain(config)
    known = [f.name for f in fields(Config)]
    for key in raw:
        if key not in known:
            raise unknown("setting", key, known)
    for key in known:
        if key not in raw:
            raise InputError(f"the setting {key} is missing: conf/config.yaml gives its default.")
    values = {f.name: checked(raw[f.name], f.metadata["fits"], f.name) for f in fields(Config) if f.metadata}
    values |= {group: _check_choice(group, raw[group]) for group in GROUPS}
    _check_together(values)
    return values


def _check_choice(group: str, choice: Any) -> dict[str, Any]:
    if not isinstance(choice, Mapping) or "name" not in choice:
        raise InputError(f"{group} names no choice: write {group}=NAME; there are: {', '.join(registry_of(group))}.")
    entry = registry_of(group)[str(choice["name"])]
    options = entry.check({str(k): v for k, v in choice.items() if k != "name"}, group)
    # With the defaults, an option left out and one set to its default are the same run.
    whole = entry.complete({**entry.defaults, **options})
    return {"name": entry.name, **{k: _listed(v) for k, v in whole.items()}}


def _check_together(values: dict[str, Any]) -> None:
    """What no setting can be wrong about alone: the whole plan is made once, to be refused early."""
    game = {k: v for k, v in values["game"].items() if k != "name"}
    try:
        registry_of("game")[values["game"]["name"]].function(**game)
    except InputError as error:
        raise InputError(f"game: {error}") from error
    from pigevo.evolution import plan_from

    # With waves, the length of the run is theirs: another number there is no other run.
    values["generations"] = plan_from(values).generations


def _plain(config: DictConfig | Mapping[str, Any]) -> dict[str, Any]:
    if not isinstance(config, DictConfig):
        return dict(config)
    try:
        own = OmegaConf.masked_copy(config, [str(key) for key in config if key != "hydra"])
        plain = OmegaConf.to_container(own, resolve=True, throw_on_missing=True)
    except OmegaConfBaseException as error:
        key = error.full_key or "the config"
        raise InputError(f"{key} has no value that can be read: {str(error).splitlines()[0]}.") from error
    assert isinstance(plain, dict)
    return {str(key): value for key, value in plain.items()}


def _listed(value: Any) -> Any:
    """Tuples as lists, as YAML and JSON have them."""
    if isinstance(value, list | tuple):
        return [_listed(item) for item in value]
    return value


def _quick(fast: Any, full: Any, *, _root_: DictConfig) -> Any:
    return fast if _root_.get("debug") == "fast" else full
