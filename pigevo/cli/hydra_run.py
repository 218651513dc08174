"""Runs and sweeps from words that are settings: parsed, composed by Hydra, checked, and executed.

Shell completion uses methods that are not part of Hydra's public interface, so Hydra is pinned below 1.4.
"""

from __future__ import annotations

import argparse
import importlib
import logging
import os
import re
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hydra._internal import utils as hydra_utils
from hydra.types import RunMode
from omegaconf import DictConfig, OmegaConf, flag_override

from pigevo.cli.options import at_most_the_cores, show
from pigevo.cli.output import NEGATIVE_STATUS, remark, say
from pigevo.cli.setting_words import DEFAULT_CONFIG, parse
from pigevo.errors import InputError
from pigevo.settings.compose import Composed, Composer, explained, loading, parsed
from pigevo.settings.hydra_adapter import OWN_FOLDER, private_hydra
from pigevo.storage.cache_dirs import display_path
from pigevo.storage.records import to_json

if TYPE_CHECKING:
    from pigevo.settings.settings import Settings

LOG = logging.getLogger("pigevo")


def run_hydra(arguments: argparse.Namespace, began: float) -> int:
    """Execute a run, a sweep or a completion that began at a `perf_counter` of `began`; returns the exit status."""
    if arguments.shell_completion:
        complete(arguments.overrides, arguments.config_name)
        return 0
    composer = Composer(arguments.config_dir, arguments.config_name)
    if not arguments.multirun:
        composed = composer(arguments.overrides)
        with explained():
            mode = OmegaConf.select(composed.hydra, "mode")
        if mode != RunMode.MULTIRUN:
            return _run(composed, arguments, began)
    return _sweep(arguments, composer)


def _run(composed: Composed, arguments: argparse.Namespace, began: float) -> int:
    from pigevo.settings.settings import Settings

    settings = at_most_the_cores(
        Settings.read(composed.values, composed.typed, composed.base, written=composed.written)
    )
    settings.refuse_impossible()  # before the folder is made
    with explained():
        has_params = bool(OmegaConf.select(composed.hydra, "sweeper.params"))
    if has_params:
        LOG.warning("hydra.sweeper.params changes nothing in a single run: -m makes the sweep of it")
    folder = _filled(composed, "run.dir", settings).absolute()
    if arguments.cfg:
        say(settings_text(settings, composed, arguments.cfg, folder))
        return 0
    from pigevo.cli.summary import summary
    from pigevo.runs import run
    from pigevo.runs.progress import begin_logging

    begin_logging(folder)
    record = run(settings, folder, list(composed.overrides), began=began)
    show(record, summary(record, settings, folder, _config_options(arguments)), arguments.as_json)
    return 0


def _config_options(arguments: argparse.Namespace) -> list[str]:
    """The options about the location of configs that are not the defaults."""
    folder, name = arguments.config_dir, arguments.config_name
    in_folder = [f"--config-dir={folder}"] if folder else []
    return [*in_folder, f"--config-name={name}"] if name != DEFAULT_CONFIG else in_folder


def _sweep(arguments: argparse.Namespace, composer: Composer) -> int:
    from pigevo.runs.progress import begin_logging
    from pigevo.sweeps.job import SomeFailed
    from pigevo.sweeps.launchers import launcher_of
    from pigevo.sweeps.run_sweep import combinations, drive, plan_jobs

    if arguments.cfg:
        raise InputError("--cfg shows one run: leave the sweep out.")
    overrides = _with_params(arguments.overrides, composer)
    runs = combinations(overrides, composer.folder)
    first = composer(runs[0])
    home, chosen = _home(first), first.hydra.launcher
    with explained():
        options = OmegaConf.to_container(chosen, resolve=True) if isinstance(chosen, DictConfig) else None
    launcher = launcher_of(options, home / "sweeps")
    jobs = plan_jobs(runs, composer, lambda composed, settings, number: _run_folder(composed, settings, number, home))
    importlib.import_module("numba")  # settings of numba with which no run could start are refused before one begins
    begin_logging(None)
    try:
        folder = drive(jobs, overrides, home / "sweeps", launcher)
    except SomeFailed as error:
        remark(str(error))
        return NEGATIVE_STATUS
    if arguments.as_json:
        say(to_json({"sweep": str(folder), "runs": len(jobs)}, indent=2))
    return 0


def _with_params(overrides: Sequence[str], composer: Composer) -> list[str]:
    """The overrides, preceded by those in `hydra.sweeper.params` of a file that no word replaces."""
    read = parsed(overrides, composer.folder)
    single = [word for word, override in zip(overrides, read, strict=True) if not override.is_sweep_override()]
    with explained():
        params: Mapping[str, object] = OmegaConf.select(composer(single).hydra, "sweeper.params") or {}
    typed = {override.key_or_group for override in read}
    return [*(f"{key}={value}" for key, value in params.items() if key not in typed), *overrides]


def _home(composed: Composed) -> Path:
    with explained():
        folder = str(composed.hydra.sweep.dir)
    if not folder.strip():
        raise InputError("hydra.sweep.dir is empty: write a folder, as in hydra.sweep.dir=mine.")
    return Path(os.path.expanduser(folder)).absolute()


def _run_folder(composed: Composed, settings: Settings, number: int, home: Path) -> Path:
    written: Any = OmegaConf.to_container(composed.hydra.sweep)
    if written.get("subdir") == OWN_FOLDER:  # the usual case, and faster
        return settings.folder_in(home)
    with flag_override(composed.hydra, ["readonly", "struct"], False):
        composed.hydra.job.id = composed.hydra.job.num = number
    return home / _filled(composed, "sweep.subdir", settings)


def _filled(composed: Composed, key: str, settings: Settings) -> Path:
    """A folder in Hydra's settings, with `${run_folder:}` replaced by the run's name."""
    with explained(settings.folder):
        folder = str(OmegaConf.select(composed.hydra, key, throw_on_missing=True))
    if not folder.strip():
        raise InputError(f"hydra.{key} is empty: write a folder, as in hydra.{key}=mine.")
    path = Path(os.path.expanduser(folder))
    return settings.folder_in(path.parents[1]) if path.parts[-2:] == Path(settings.folder).parts else path


def settings_text(settings: Settings, composed: Composed, part: str, folder: Path) -> str:
    """The settings of a run (`part` is `job`), those of Hydra (`hydra`), or both (`all`) as YAML."""
    job = f"{OmegaConf.to_yaml(settings.values)}# folder: {display_path(folder)}"
    hydra = OmegaConf.to_yaml({"hydra": composed.hydra}).rstrip()
    return {"job": job, "hydra": hydra, "all": f"{job}\n{hydra}"}[part]


def complete(words: Sequence[str], name: str) -> None:
    """Print a shell's completion script, or the completions of the line in COMP_LINE."""
    if len(words) != 1 or not re.fullmatch(r"(install|uninstall|query)=(bash|zsh|fish)", words[0]):
        raise InputError(
            "--shell-completion takes install=SHELL, uninstall=SHELL or query=SHELL; SHELL is bash, zsh or fish."
        )
    line = re.sub(r"^\S*python\S*\s+-m\s+", "", os.environ.get("COMP_LINE", ""))  # Hydra knows only `python file.py`
    os.environ["COMP_LINE"] = line
    is_query = words[0].startswith("query=")
    if is_query and not line.strip():
        raise InputError("--shell-completion query=SHELL is for shells, which say in COMP_LINE what was typed.")
    hydra_utils.get_args = parse  # type: ignore[assignment]  # Hydra's own options cannot be made by Python 3.14
    # a line that cannot be parsed has no completions
    with suppress(Exception) if is_query else nullcontext(), private_hydra():
        loading().shell_completion(name, list(words))
