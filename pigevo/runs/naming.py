"""The folder of a run, named by its composed settings and never by the words typed."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from omegaconf import DictConfig

from pigevo.config import GROUPS, check, compose, registry_of
from pigevo.errors import InputError

VOLATILE = ("force", "workers", "checkpoint_every")
"""Settings that change how a run is done, not what comes out of it."""

LONGEST = 80
UNCHANGED = "unchanged"


def config_hash(plain: Mapping[str, Any]) -> str:
    """The SHA-256 of everything in a checked config that can change its result, in hex.

    Args:
        plain: what `pigevo.config.check` returned.
    """
    lasting = {k: v for k, v in plain.items() if k not in (*VOLATILE, "hydra")}
    text = json.dumps(lasting, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def run_name(plain: Mapping[str, Any], own: Mapping[str, Any]) -> str:
    """The settings that differ, sorted and at most 80 characters long, then a hash of all.

    Args:
        plain: the run's checked config.
        own: that of its experiment alone.
    """
    parts = [f"{key}={spelled(value)}" for key, value in _differences(plain, own).items()]
    settings = shortened(clean(",".join(sorted(parts)) or UNCHANGED))
    return f"{settings}-{config_hash(plain)[:10]}"


def run_folder(
    config: DictConfig,
    plain: Mapping[str, Any] | None = None,
    own: Callable[[str | None, str], dict[str, Any]] | None = None,
) -> str:
    """`<experiment or default>/<settings>-<hash>` of a composed config.

    Hydra asks for it before it makes the folder, so this is where a config is checked:
    a refused one leaves nothing behind.

    Args:
        config: the config.
        plain: what `check` made of it, where that has been done.
        own: `own_settings`, or one that remembers what it returned.

    Raises:
        InputError: whatever `check` finds.
    """
    plain = check(config) if plain is None else plain
    experiment = plain["experiment"]
    _check_experiment(config, experiment)
    home = clean(experiment or "default").lstrip(".")
    return f"{home}/{run_name(plain, (own or own_settings)(experiment, plain['debug']))}"


def own_settings(experiment: str | None, debug: str) -> dict[str, Any]:
    """An experiment's own settings; its quick ones are no difference, only `debug` is."""
    words = [f"debug={debug}", *([f"experiment={experiment}"] if experiment else [])]
    try:
        return {**check(compose(words)), "debug": "none"}
    except InputError:  # it is only complete with the settings typed: then all of them are shown
        return {}


def _check_experiment(config: DictConfig, experiment: str | None) -> None:
    choices = config.hydra.runtime.choices if "hydra" in config else {}
    chosen = choices.get("experiment", experiment)
    if chosen != experiment:
        raise InputError(f"the experiment {chosen} calls itself {experiment}: write experiment: {chosen} in its file.")


def _differences(plain: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    changed: dict[str, Any] = {}
    for key, value in plain.items():
        if key in ("experiment", *VOLATILE):
            continue
        if key in GROUPS:
            changed |= _choice_differences(key, value, own.get(key, {}))
        elif key not in own or own[key] != value:
            changed[key] = value
    return changed


def _choice_differences(group: str, choice: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """`group=name` if another was chosen, and the options that are not what one would expect."""
    other = choice["name"] != own.get("name")
    entry = registry_of(group)[choice["name"]]
    expected = {**own, **(entry.complete(entry.defaults) if other else {})}
    changed = {group: choice["name"]} if other else {}
    before = _flat(expected, group)
    for key, value in _flat(choice, group).items():
        if key != f"{group}.name" and (key not in before or spelled(before[key]) != spelled(value)):
            changed[key] = value
    return changed


def _flat(values: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """The values with dots in their keys instead of dicts inside."""
    flat: dict[str, Any] = {}
    for key, value in values.items():
        flat |= _flat(value, f"{prefix}.{key}") if isinstance(value, Mapping) else {f"{prefix}.{key}": value}
    return flat


def shortened(settings: str) -> str:
    """The settings, at most `LONGEST` characters, cut between two settings: half a number would be another one."""
    if len(settings) <= LONGEST:
        return settings
    whole, comma, _ = settings[: LONGEST + 1].rpartition(",")
    return (whole if comma else settings[:LONGEST]).rstrip(",.+-")


def spelled(value: Any) -> str:
    """A value as one would type it; a list with + between its items."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return "+".join(spelled(item) for item in value)
    return str(value)


def clean(text: str) -> str:
    """The text with nothing in it that is special in the name of a file."""
    return re.sub(r"[^A-Za-z0-9._=,+-]", "_", text)
