"""Configs composed by Hydra, each of them once.

Composing takes a twentieth of a second, most of it for the choices of groups.  So configs
with the same choices share one composition, and what is left, plain values, is set on a copy
of it, as Hydra does it last.  An experiment's own config, which the names of folders are told
from, is then mostly the one that is there already.

The user's own configs, read as every other file is: plain ones of a bounded size, and what their aliases stand for.

Hydra lets sources of configs be replaced, but only under a scheme of their own; that of files is replaced in a
registry that Hydra does not publish, for which it is pinned below 1.4.
"""

from __future__ import annotations

import copy
import os
import re
import threading
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hydra import compose, initialize_config_dir
from hydra._internal.core_plugins.file_config_source import FileConfigSource
from hydra._internal.sources_registry import SourcesRegistry
from hydra.core.global_hydra import GlobalHydra
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hydra.core.plugins import Plugins
from hydra.plugins.config_source import ConfigResult
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from pigevo.core.import_path import without_working_folder
from pigevo.errors import InputError
from pigevo.evolution.operators import KINDS
from pigevo.settings.hydra_errors import explain, refuse_words
from pigevo.settings.schema import CHOICES, CUSTOM, GROUPS, conf_folder, register
from pigevo.settings.unused_keys import FILES, written
from pigevo.storage.records import LARGEST_CONFIG, Unreadable, from_yaml, read_bytes

without_working_folder(Plugins.instance)  # before Hydra does so, which asks every folder for plugins

_ARGUMENT = re.compile(rf"({'|'.join(GROUPS)})\.(arguments|options)\.\w+=")
_NONE = {f"{key}={word}": f"~{key}" for key in ("experiment", "sweep") for word in ("none", "null")}


@dataclass(frozen=True, eq=False)
class Composed:
    """A config as Hydra composed it.

    Args:
        overrides: what it was composed from.
        values: its plain values, Hydra's own aside.
        typed: the keys that the overrides set.
        base: the plain values of its experiment alone.
        hydra: Hydra's own settings.
        written: settings that files set and only some choices use, by key, as they are told.
    """

    overrides: tuple[str, ...]
    values: Mapping[str, Any]
    typed: frozenset[str]
    base: Mapping[str, Any]
    hydra: DictConfig
    written: Mapping[str, str] = field(default_factory=dict)


_HYDRA = threading.RLock()
"""Hydra has one global state in a process: threads compose one after the other."""


class Composer:
    """Composes configs from overrides as on the command line.

    Args:
        folder: a folder of the user's, searched after conf/.
        name: of the primary config.
    """

    def __init__(self, folder: Path | None = None, name: str = "config") -> None:
        self._name = name
        self._more = [] if folder is None else [f"hydra.searchpath=[{_quoted(f'file://{folder.absolute()}')}]"]
        self._shared: dict[tuple[str, ...], DictConfig] = {}
        self._bases: dict[tuple[Any, Any], Mapping[str, Any]] = {}
        self._files: dict[Any, Mapping[str, str]] = {}
        if folder is not None and not os.path.isdir(folder):
            raise InputError(f"--config-dir: there is no folder '{folder}'.")

    def __call__(self, overrides: Sequence[str]) -> Composed:
        """The config of some overrides.

        Raises:
            InputError: whatever Hydra finds wrong with them, in one sentence.
        """
        with _HYDRA:
            read = parsed([word for one in overrides for word in spelled_out(one)])
            refuse_words(read)
            with explained():
                config = self._config(read)
                values = plain(config)
            typed = frozenset(one.key_or_group for one in read)
            self._check_experiment(config, values)
            return Composed(tuple(overrides), values, typed, self.base(values), config.hydra, self._written(config))

    def _written(self, config: DictConfig) -> Mapping[str, str]:
        chosen = tuple(config.hydra.runtime.choices.get(group) for group in FILES)
        if chosen not in self._files:
            self._files[chosen] = written(config, self._name)
        return self._files[chosen]

    def _config(self, read: Sequence[Override]) -> DictConfig:
        """A config of its own: a shared composition with the plain values set, as far as that will do."""
        chosen = [one for one in read if _chooses(one)]
        config = copy.deepcopy(self._composed([str(one.input_line) for one in chosen]))
        try:
            for one in read:
                if one not in chosen:
                    OmegaConf.update(config, one.key_or_group, one.value(), merge=True)
            return config
        except OmegaConfBaseException:  # a wrong one: Hydra's own error says it best
            return copy.deepcopy(self._composed([str(one.input_line) for one in read]))

    def _composed(self, overrides: Sequence[str]) -> DictConfig:
        key = tuple(overrides)
        if key not in self._shared:
            with hydra_at_work(), warnings.catch_warnings():
                warnings.filterwarnings("error", message=".*is not available", category=UserWarning)
                self._shared[key] = compose(self._name, [*overrides, *self._more], return_hydra_config=True)
        return self._shared[key]

    def base(self, values: Mapping[str, Any]) -> Mapping[str, Any]:
        """The values of an experiment alone; its quick ones are no difference, only `debug` is.

        Args:
            values: of a run, with its `experiment` and `debug`.
        """
        key = values.get("experiment"), values.get("debug")
        with _HYDRA:
            if key not in self._bases:
                self._bases[key] = self._alone(*key)
            return self._bases[key]

    def _alone(self, name: Any, debug: Any) -> Mapping[str, Any]:
        overrides = [f"experiment={name}"] if name else []
        try:
            with explained():
                config = copy.deepcopy(self._composed(overrides))
                config.debug = debug
            return {**plain(config), "debug": "none"}
        except InputError:  # it is only complete with the settings typed: then all of them are shown
            return {}

    @staticmethod
    def _check_experiment(config: DictConfig, values: Mapping[str, Any]) -> None:
        chosen, named = config.hydra.runtime.choices.get("experiment"), values.get("experiment")
        if chosen != named:
            raise InputError(f"the experiment {chosen} calls itself {named}: write experiment: {chosen} in its file.")


def parsed(overrides: Sequence[str]) -> list[Override]:
    """The overrides as Hydra's grammar reads them; `experiment=none` takes the experiment away.

    Raises:
        InputError: one of them cannot be read.
    """
    with explained():
        loader = GlobalHydra.instance().config_loader() if GlobalHydra.instance().is_initialized() else None
        return OverridesParser.create(loader).parse_overrides([_opened(_NONE.get(word, word)) for word in overrides])


def spelled_out(word: str) -> list[str]:
    """A word as the groups know it: the place of a function, as in `crossover=ops.py:mine`, is the choice `custom`."""
    key, _, value = word.partition("=")
    is_place = ":" in value or value.endswith(".py")  # a file alone is told how to name its function
    return [f"{key}={CUSTOM}", f"{key}.function={value}"] if key in KINDS and is_place else [word]


def _opened(word: str) -> str:
    """The word, its key free to be new where the keys are the arguments of a function that another word chooses."""
    return f"++{word}" if _ARGUMENT.match(word) else word


@contextmanager
def explained() -> Iterator[None]:
    """Inside, where only Hydra and OmegaConf are at work, every error becomes one sentence."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        said = " ".join(str(error).split()).rstrip(".")
        sentence = explain(error) or f"the settings cannot be composed: {said}."
        traced = os.environ.get("HYDRA_FULL_ERROR") == "1"  # else a notebook would show all of Hydra
        raise InputError(sentence) from (error if traced else None)


def plain(config: DictConfig) -> dict[str, Any]:
    """The values of a config without Hydra's own, everything resolved.

    Raises:
        InputError: one cannot be resolved.
    """
    try:
        own = OmegaConf.masked_copy(config, [str(key) for key in config if key != "hydra"])
        found = OmegaConf.to_container(own, resolve=True, throw_on_missing=True)
    except OmegaConfBaseException as error:
        key = error.full_key or "the config"
        raise InputError(f"{key} has no value that can be read: {str(error).splitlines()[0]}.") from error
    assert isinstance(found, dict)
    return {str(key): value for key, value in found.items()}


def _chooses(one: Override) -> bool:
    """Whether a word decides which files are composed, or adds or deletes something."""
    key = one.key_or_group
    prefixed = one.is_add() or one.is_force_add() or one.is_delete() or one.package is not None
    return prefixed or key in CHOICES or "/" in key or key == "hydra.searchpath" or one.is_sweep_override()


@contextmanager
def hydra_at_work() -> Iterator[None]:
    """Inside, Hydra composes from conf/, and no other Hydra is at work, as that of a program that runs a notebook."""
    register()
    state = GlobalHydra.instance()
    before, state.hydra = state.hydra, None
    try:
        with initialize_config_dir(str(conf_folder()), job_name="pigevo", version_base="1.3"), bounded_sources():
            yield
    finally:
        GlobalHydra.instance().hydra = before  # leaving Hydra has made another instance of it


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


class BoundedSource(FileConfigSource):
    """A folder of configs, of which none takes memory or time without end."""

    def load_config(self, config_path: str) -> ConfigResult:
        """Read one config; those of conf/ are pigevo's own.

        Args:
            config_path: its place in the folder.

        Raises:
            InputError: it is no plain file, too large, or stands for too much.
        """
        path = os.path.join(self.path, self._normalize_file_name(config_path))
        if not self.path.startswith(str(conf_folder())):
            try:
                from_yaml(read_bytes(path, LARGEST_CONFIG))
            except Unreadable:
                raise
            except ValueError as error:
                raise InputError(f"{path} is no config: {' '.join(str(error).split()).rstrip('.')}.") from error
        return super().load_config(config_path)


@contextmanager
def bounded_sources() -> Iterator[None]:
    """Inside, Hydra reads files of configs within bounds; it must have been initialized."""
    types = SourcesRegistry.instance().types
    before = types["file"]
    types["file"] = BoundedSource
    try:
        yield
    finally:
        types["file"] = before
