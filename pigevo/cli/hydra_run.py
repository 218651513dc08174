"""A run or a sweep from words that are settings: composed by Hydra, checked, and done.

What pigevo uses of Hydra that Hydra does not publish: its shell completion.

It is a method of the object behind `GlobalHydra`, and Hydra is pinned below 1.4 for it.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import re
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

from hydra.core.global_hydra import GlobalHydra
from hydra.types import RunMode
from omegaconf import DictConfig, OmegaConf, flag_override

from pigevo.cli.options import at_most_the_cores, show
from pigevo.cli.output import remark, say
from pigevo.cli.words import DEFAULT_CONFIG, check_words, parse
from pigevo.errors import InputError
from pigevo.settings.compose import Composed, Composer, explained, hydra_at_work, parsed
from pigevo.settings.schema import PLACEHOLDER
from pigevo.settings.settings import Settings
from pigevo.storage.cache_dirs import display_path


def complete(words: Sequence[str], name: str) -> None:
    """Print a shell's completion script, or what can complete the line in COMP_LINE.

    Args:
        words: one, `install=bash`, `uninstall=bash` or `query=bash`; or another shell.
        name: of the primary config.

    Raises:
        InputError: the words are none of these, or nobody has typed anything.
    """
    if len(words) != 1 or not re.fullmatch(r"(install|uninstall|query)=(bash|zsh|fish)", words[0]):
        raise InputError(
            "--shell-completion takes install=SHELL, uninstall=SHELL or query=SHELL; SHELL is bash, zsh or fish."
        )
    line = re.sub(r"^\S*python\S*\s+-m\s+", "", os.environ.get("COMP_LINE", ""))  # Hydra knows `python file.py` alone
    os.environ["COMP_LINE"] = line
    asked = words[0].startswith("query=")
    if asked and not line.strip():
        raise InputError("--shell-completion query=SHELL is for shells, which say in COMP_LINE what was typed.")
    with hydra_at_work():
        hydra = GlobalHydra.instance().hydra
        assert hydra is not None
        with suppress(Exception) if asked else nullcontext():  # nothing completes a line that cannot be read
            hydra.shell_completion(name, list(words))


LOG = logging.getLogger("pigevo")

FAILED_RUNS = 1


def run_hydra(words: Sequence[str]) -> int:
    """Do what settings and options say.

    Args:
        words: of the command line.

    Returns:
        The exit status.

    Raises:
        InputError: whatever is wrong with the words or the settings.
    """
    arguments = parse(list(words))
    if arguments.shell_completion:
        pass

        complete(arguments.overrides, arguments.config_name)
        return 0
    check_words(arguments.overrides)
    composer = Composer(arguments.config_dir, arguments.config_name)
    if not arguments.multirun:
        composed = composer(arguments.overrides)
        with explained():
            mode = OmegaConf.select(composed.hydra, "mode")
        if mode != RunMode.MULTIRUN:
            return _run(composed, arguments)
    return _sweep(arguments, composer)


def _run(composed: Composed, arguments: argparse.Namespace) -> int:
    settings = at_most_the_cores(
        Settings.read(composed.values, composed.typed, composed.base, written=composed.written)
    )
    assert settings.plan  # checked before there is a folder
    if OmegaConf.select(composed.hydra, "sweeper.params"):
        LOG.warning("hydra.sweeper.params changes nothing in a single run: -m makes the sweep of it")
    folder = _filled(composed, "run.dir", settings).absolute()
    if arguments.cfg:
        say(settings_text(settings, composed, arguments.cfg, folder))
        return 0
    from pigevo.cli.summary import summary
    from pigevo.runs import run
    from pigevo.runs.progress import begin_logging

    begin_logging(folder)
    record = run(settings, folder, list(composed.overrides))
    show(record, summary(record, settings, folder, _config_options(arguments)), arguments.as_json)
    return 0


def _config_options(arguments: argparse.Namespace) -> list[str]:
    """The options that say where the configs are, as they are typed."""
    given = {"--config-dir": arguments.config_dir, "--config-name": arguments.config_name}
    return [f"{option}={value}" for option, value in given.items() if value not in (None, DEFAULT_CONFIG)]


def _sweep(arguments: argparse.Namespace, composer: Composer) -> int:
    from pigevo.runs.progress import begin_logging
    from pigevo.sweeps.job import SomeFailed
    from pigevo.sweeps.launchers import launcher_of
    from pigevo.sweeps.planning import combinations, plan_jobs
    from pigevo.sweeps.run_sweep import drive

    if arguments.cfg:
        raise InputError("--cfg shows one run: leave the sweep away.")
    overrides = _with_params(arguments.overrides, composer)
    runs = combinations(overrides)
    first = composer(runs[0])
    home, chosen = _home(first), first.hydra.launcher
    with explained():
        options = OmegaConf.to_container(chosen, resolve=True) if isinstance(chosen, DictConfig) else None
    launcher = launcher_of(options, home / "sweeps")
    jobs = plan_jobs(runs, composer, lambda composed, settings, number: _place(composed, settings, number, home))
    begin_logging(None)
    try:
        folder = drive(jobs, overrides, home / "sweeps", launcher)
    except SomeFailed as error:
        remark(str(error))
        return FAILED_RUNS
    if arguments.as_json:
        say(json.dumps({"sweep": str(folder), "runs": len(jobs)}, indent=2))
    return 0


def _with_params(overrides: Sequence[str], composer: Composer) -> list[str]:
    """The overrides, before them what `hydra.sweeper.params` of a file says, where no word says otherwise."""
    single = [word for word, one in zip(overrides, parsed(overrides), strict=True) if not one.is_sweep_override()]
    with explained():
        params: Mapping[str, Any] = OmegaConf.select(composer(single).hydra, "sweeper.params") or {}
    typed = {one.key_or_group for one in parsed(overrides)}
    return [*(f"{key}={value}" for key, value in params.items() if key not in typed), *overrides]


def _home(composed: Composed) -> Path:
    """The folder in which the runs of a sweep lie."""
    with explained():
        folder = str(composed.hydra.sweep.dir)
    if not folder.strip() or PLACEHOLDER in folder:
        raise InputError("hydra.sweep.dir is no folder for all runs: write one, as in hydra.sweep.dir=mine.")
    return Path(folder).absolute()


def _place(composed: Composed, settings: Settings, number: int, home: Path) -> Path:
    with flag_override(composed.hydra, ["readonly", "struct"], False):
        composed.hydra.job.id = composed.hydra.job.num = number
    return home / _filled(composed, "sweep.subdir", settings)


def _filled(composed: Composed, key: str, settings: Settings) -> Path:
    """A folder of Hydra's settings, with the run's own name where it says `${run_folder:}`."""
    with explained():
        folder = str(OmegaConf.select(composed.hydra, key, throw_on_missing=True))
    if not folder.strip():
        raise InputError(f"hydra.{key} is empty: write a folder, as in hydra.{key}=mine.")
    return Path(folder.replace(PLACEHOLDER, settings.folder))


def settings_text(settings: Settings, composed: Composed, what: str, folder: Path) -> str:
    """The settings of a run as YAML.

    Args:
        settings: the run's.
        composed: the config that they are from.
        what: `job`, `hydra` or `all`.
        folder: where the run would lie.
    """
    job = f"{OmegaConf.to_yaml(settings.values)}# folder: {display_path(folder)}"
    hydra = OmegaConf.to_yaml({"hydra": composed.hydra}).rstrip()
    return "\n".join(part for part, wanted in ((job, what != "hydra"), (hydra, what != "job")) if wanted)
