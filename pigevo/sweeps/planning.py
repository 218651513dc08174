"""From the words of each run to its job: composed, checked and given its folder before any run begins.

Composing a config takes Hydra a tenth of a second, so runs that differ in plain numbers
only are composed once; the numbers are then set one after the other.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from hydra.core.hydra_config import HydraConfig
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.errors import HydraException
from omegaconf import DictConfig, OmegaConf, flag_override
from omegaconf.errors import OmegaConfBaseException

from pigevo.config import Config, check
from pigevo.runs.naming import own_settings, run_folder
from pigevo.sweeps.job import Job

OWN_FOLDER = "${run_folder:}"
_PLAIN = {f.name for f in fields(Config) if f.metadata} - {"experiment"}

Load = Callable[[list[str]], DictConfig]


def plan_jobs(runs: Sequence[Sequence[str]], load: Load) -> list[Job]:
    """The job of each run, in order; several may be the same run.

    Args:
        runs: the settings of each, as on the command line, one value each.
        load: composes a config from settings.

    Raises:
        InputError: whatever is wrong with any of them.
    """
    own = functools.cache(own_settings)
    composed = _Composer(load)
    jobs = []
    for number, words in enumerate(runs):
        config = composed(list(words))
        plain = {**check(config), "workers": 1}
        jobs.append(Job(plain, _folder(config, number, plain, own), tuple(words)))
    return jobs


def _folder(config: DictConfig, number: int, plain: dict[str, Any], own: Callable[..., Any]) -> Path:
    sweep = config.hydra.sweep
    if _own_folder(config):
        return (Path(sweep.dir) / run_folder(config, plain, own)).absolute()
    with flag_override(config.hydra, ["readonly", "struct"], False):
        config.hydra.job.id = config.hydra.job.num = number
    before = HydraConfig.instance().cfg
    try:
        HydraConfig.instance().set_config(config)
        return (Path(sweep.dir) / str(sweep.subdir)).absolute()
    finally:
        HydraConfig.instance().cfg = before


def _own_folder(config: DictConfig) -> bool:
    """Whether pigevo names the folder of the run."""
    sweep = OmegaConf.to_container(config.hydra.sweep, resolve=False)
    return bool(sweep["subdir"] == OWN_FOLDER)  # type: ignore[index,call-overload]


class _Composer:
    """Composes configs; those that differ in plain numbers share one."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._shared: dict[Any, DictConfig] = {}
        self._parse = OverridesParser.create().parse_override

    def __call__(self, words: list[str]) -> DictConfig:
        numbers = self._numbers(words)
        others = tuple(word for word in words if word.partition("=")[0] not in numbers)
        key = (others, frozenset(numbers))
        if key not in self._shared:
            config = self._load(words)
            if _own_folder(config):  # another rule for folders may look at the words
                self._shared[key] = config
            return config
        try:
            for name, value in numbers.items():
                self._shared[key][name] = value
        except OmegaConfBaseException:  # a wrong one: Hydra's own error says it best
            return self._load(words)
        return self._shared[key]

    def _numbers(self, words: list[str]) -> dict[str, Any]:
        """The words that set a plain setting to a number."""
        found: dict[str, Any] = {}
        for word in words:
            name = word.partition("=")[0]
            if name in _PLAIN:
                try:
                    value = self._parse(word).value()
                except HydraException:
                    continue
                if type(value) in (int, float):
                    found[name] = value
        return found
