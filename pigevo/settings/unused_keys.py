"""What the user's files of an experiment, a sweep or a primary config say, and what of that changes nothing."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from omegaconf import DictConfig

from pigevo.settings.hydra_errors import deaf_to_hydra
from pigevo.settings.schema import LISTENERS
from pigevo.storage.records import LARGEST_CONFIG, from_yaml, read_bytes

LOG = logging.getLogger("pigevo")

FILES = ("experiment", "sweep")
"""Groups whose files set what a user could type."""


def written(config: DictConfig, primary: str) -> dict[str, str]:
    """The general settings that files set and only some choices use, each with its sentence's beginning.

    Settings of Hydra's that change nothing are told at once.

    Args:
        config: as composed, with Hydra's own settings.
        primary: the name of the primary config.

    Returns:
        By key, its value and the file, as `generations = 30 in conf/experiment/mine.yaml`.
    """
    found = {}
    for name in _names(config, primary):
        for path, values in _file(config, name):
            for key in _hydra_keys(values):
                LOG.warning("%s: %s", path, deaf_to_hydra(key))
            found.update({key: f"{key} = {values[key]} in {path}" for key in LISTENERS if key in values})
    return found


def _names(config: DictConfig, primary: str) -> Iterator[str]:
    if primary != "config":
        yield primary
    for group in FILES:
        if chosen := config.hydra.runtime.choices.get(group):
            yield f"{group}/{chosen}"


def _file(config: DictConfig, name: str) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """The file that Hydra has taken for a name: the first in its folders."""
    for source in config.hydra.runtime.config_sources:
        path = Path(source.path, f"{name}.yaml")
        if source.schema == "file" and path.is_file():
            values = from_yaml(read_bytes(path, LARGEST_CONFIG))
            if isinstance(values, dict):
                yield path, values
            return


def _hydra_keys(values: Mapping[str, Any]) -> Iterator[str]:
    """What a file sets of Hydra's and nobody reads."""
    hydra = values.get("hydra")
    for first, inner in hydra.items() if isinstance(hydra, dict) else ():
        for key in [f"hydra.{first}.{second}" for second in inner] if isinstance(inner, dict) else [f"hydra.{first}"]:
            if deaf_to_hydra(key):
                yield key
