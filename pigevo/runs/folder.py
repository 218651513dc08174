"""A run's folder: whose it is, what it ran, and how it is emptied."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pigevo.errors import InputError
from pigevo.files import write_bytes
from pigevo.runs.checkpoint import BEFORE, NAME, REFUSED, record_of

WRITTEN = ("result.json", NAME, BEFORE, REFUSED, "metrics.csv", "digests.csv", "champion.npz", "population.npz")


def config_of(folder: Path) -> dict[str, Any]:
    """The checked config of a run, from the copy that Hydra keeps in its folder.

    Raises:
        InputError: the folder holds no run, or its config cannot be read.
    """
    from omegaconf import DictConfig, OmegaConf
    from omegaconf.errors import OmegaConfBaseException
    from yaml import YAMLError  # type: ignore[import-untyped]

    from pigevo import config as settings

    path = folder / ".hydra" / "config.yaml"
    if not path.is_file():
        raise InputError(f"{folder} holds no run: give the folder of one, outputs/EXPERIMENT/SETTINGS.")
    settings.register()
    try:
        found = OmegaConf.load(path)
        return settings.check(found if isinstance(found, DictConfig) else {})
    except (OSError, UnicodeDecodeError, YAMLError, OmegaConfBaseException, InputError) as error:
        said = " ".join(str(error).split()).rstrip(".")
        raise InputError(f"{path} is no config of this pigevo ({said}): give the run's command again.") from error


def keep_config(folder: Path, config: Mapping[str, Any], words: Sequence[str] | None, hydra: str | None) -> None:
    """Write the config into the run's folder, as Hydra would, but only once it is clear that the folder is its own.

    Args:
        folder: the run's.
        config: the checked config.
        words: the settings that were typed; None where nobody typed any.
        hydra: Hydra's own config as YAML, where Hydra began the run.
    """
    from omegaconf import OmegaConf

    texts = {"config": OmegaConf.to_yaml(dict(config)), "hydra": hydra}
    if words is not None:
        texts["overrides"] = OmegaConf.to_yaml(list(words))
    for name, text in texts.items():
        path = folder / ".hydra" / f"{name}.yaml"
        if text is not None and not (path.is_file() and path.read_bytes() == text.encode()):
            write_bytes(path, text.encode())


def refuse_other(folder: Path, result: Mapping[str, Any] | None, key: str) -> None:
    """Refuse a folder whose result, or if there is none whose checkpoints, all belong to another config.

    Raises:
        InputError: they do.
    """
    records = [result] if result is not None else [record_of(folder / name) for name in (NAME, BEFORE)]
    owners = {record["config_hash"] for record in records if "config_hash" in record}
    if owners and key not in owners:
        raise InputError(f"{folder} holds a run of another config: choose another folder, or say force=true.")


def shown(folder: Path) -> Path:
    """The folder as one would type it: relative, if it lies below the present one."""
    return folder.relative_to(Path.cwd()) if folder.is_relative_to(Path.cwd()) else folder


def clear(folder: Path) -> None:
    """Remove what an earlier run left, the result first: a folder without it is unfinished."""
    for name in WRITTEN:
        (folder / name).unlink(missing_ok=True)
    shutil.rmtree(folder / "figures", ignore_errors=True)
