"""Composing configs with Hydra, without its global state.

Composing takes a tenth of a second, most of it for the choices of groups.  So configs with the same choices share one
composition (that of the package's own files is shared in the whole process), and plain values are set on a copy of it,
which is also Hydra's last step.  The config of an experiment alone, which is needed for the name of a run's folder, is
then usually available already.

Hydra's config loader is used without Hydra's global state (`hydra_adapter.py`), which a program that calls pigevo may
use for its own configs.  The loader is not part of Hydra's public interface, so Hydra is pinned below 1.4.
"""

from __future__ import annotations

import copy
import itertools
import json
import logging
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path

from hydra._internal.config_loader_impl import ConfigLoaderImpl
from hydra._internal.config_repository import CachingConfigRepository, ConfigRepository
from hydra._internal.hydra import Hydra
from hydra._internal.utils import create_config_search_path
from hydra.core.config_search_path import ConfigSearchPath, SearchPathQuery
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override, Quote, QuotedString
from hydra.plugins.config_source import ConfigResult
from hydra.types import RunMode
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import ConfigAttributeError, ConfigKeyError, OmegaConfBaseException

from pigevo.core.checked_values import JsonObject
from pigevo.core.text import short_repr
from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.games.game_record import options_of, registered_name
from pigevo.settings.hydra_adapter import OWN_FOLDER, explain, ignored_by_pigevo, private_hydra, refuse_words
from pigevo.settings.schema import CHOICES, CUSTOM, CUSTOM_GROUPS, GROUPS, NEEDED_BY, ON_GENERATION, Values, conf_folder

LOG = logging.getLogger("pigevo")

LARGEST_SWEEP = 100_000  # the largest number of runs of a sweep; planning takes minutes then
FILES = ("experiment", "sweep")  # groups whose files contain settings that a user could type

Reference = Callable[[str, Callable[..., object]], str]
"""Returns the reference by which the workers of a sweep find a function, given the key of its setting."""

UserFunctions = dict[str, Callable[..., object]]

_OPTION = re.compile(rf"({'|'.join((*GROUPS, ON_GENERATION))})\.[\w.]+(=|$)")
"""An option of a choice.  Hydra does not check groups: the chosen function's signature defines the options."""

_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?(e[-+]?\d+)?|true|false", re.IGNORECASE)
_IN_HYDRAS_GRAMMAR = re.compile(r"""['"].*|.*,.*|.*\\[()\[\]{}:=, \t].*|\w*\(.*\)|\[.*\]|\{.*\}""", re.DOTALL)
"""A value whose quotes, commas, escapes or brackets are those of Hydra's grammar, and not of a path."""

_JSON_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_NAMES_ALL_IT_READS = re.compile(r"((pigevo\.)?(cores|quick|run_folder)|oc\.env|hydra|now):.*|\.*\w([\w.\[\]]*[\w\]])?")
"""The inner text of an interpolation that depends on nothing but what it names: a key, or arguments of these resolvers.

Other resolvers, such as `oc.dict.values`, may read any setting; the name of a node may be computed, `${game.${which}}`.
"""

_NONE = {f"{key}={word}": f"~{key}" for key in FILES for word in ("none", "null")}


@dataclass(frozen=True, eq=False)
class Composed:
    """A config composed by Hydra from overrides, which set the keys `typed`: the whole config, and its plain values.

    `base` are the plain values of its experiment alone; `written`, by key, are texts such as `generations = 30 in FILE`
    for general settings that files set and only some choices use.
    """

    overrides: tuple[str, ...]
    values: Values
    typed: frozenset[str]
    base: Values
    config: DictConfig
    written: Mapping[str, str] = field(default_factory=dict)

    @property
    def hydra(self) -> DictConfig:
        """Hydra's own settings."""
        hydra: DictConfig = self.config.hydra
        return hydra

    def with_numbers(self, overrides: Sequence[str], numbers: Mapping[str, int | float]) -> Composed | None:
        """The config for other overrides that differ only in these numbers; None if that cannot be derived safely.

        It is safe if no other value, and no folder's name, is derived from such a number.
        """
        values = dict(self.values)
        for key, number in numbers.items():
            group, _, name = key.rpartition(".")
            inside = values.get(group) if group else values
            if not isinstance(inside, Mapping) or type(inside.get(name)) not in (int, float) or not self._is_free(key):
                return None
            values |= {group: {**inside, name: number}} if group else {name: type(inside[name])(number)}
            if not group and values[name] != number:
                return None
        return replace(self, overrides=tuple(overrides), values=values)

    @cached_property
    def _references(self) -> str:
        """The inner texts of all interpolations, by line; empty if they, or the folder, may depend on any setting."""
        text = OmegaConf.to_yaml(self.config)
        inner = re.findall(r"\$\{([^${}]*)", text)
        is_known = f"subdir: {OWN_FOLDER}\n" in text and all(map(_NAMES_ALL_IT_READS.fullmatch, inner))
        return "\n".join(inner) if is_known else ""

    def _is_free(self, key: str) -> bool:
        """Whether no interpolation depends on a setting, or on the group that contains it."""
        names = "|".join(map(re.escape, key.split(".")))
        reference = rf"\b({names}|job\.(num|id|override_dirname)|overrides)\b"
        return bool(self._references) and not re.search(reference, self._references)


class Composer:
    """Composes configs from overrides as on the command line; a user's config folder is searched after conf/."""

    def __init__(self, folder: Path | None = None, name: str = "config") -> None:
        self._name, self.folder = name, None if folder is None else folder.absolute()
        self._is_packaged = folder is None and name == "config"
        self._shared: dict[tuple[str, ...], DictConfig] = {}
        self._bases: dict[tuple[object, object], Values] = {}
        self._files: dict[tuple[object, ...], Mapping[str, str]] = {}
        if folder is not None and not os.path.isdir(folder):
            raise InputError(f"--config-dir: there is no folder '{folder}'.")

    def __call__(self, overrides: Sequence[str]) -> Composed:
        """The config for some overrides."""
        with private_hydra():
            words = [word for override in overrides for word in spelled_out(override)]
            read = parsed([f"++{word}" if _OPTION.match(word) else word for word in words])
            refuse_words(read, lambda: plain(self._composed(())))
            with explained():
                config = self._config(read)
                values = plain(config)
            if not isinstance(config.hydra, DictConfig):
                raise InputError(
                    f"hydra = {config.hydra}: Hydra's settings are set one by one, as hydra.run.dir=folder."
                )
            chosen, written = config.hydra.runtime.choices.get("experiment"), values.get("experiment")
            if chosen != written:
                raise InputError(
                    f"the experiment {chosen} calls itself {written}: write experiment: {chosen} in its file."
                )
            typed = frozenset(override.key_or_group for override in read)
            return Composed(tuple(overrides), values, typed, self.base(values), config, self._written(config))

    def _config(self, read: Sequence[Override]) -> DictConfig:
        """A separate config: a shared composition with plain values set on a copy, where that is sufficient."""
        chosen = [override for override in read if _chooses(override)]
        config = copy.deepcopy(self._composed([str(override.input_line) for override in chosen]))
        try:
            OmegaConf.update(config, "hydra.runtime.cwd", os.getcwd())  # the file may have changed since
            for override in read:
                if override not in chosen:
                    OmegaConf.update(config, override.key_or_group, override.value(), force_add=override.is_force_add())
            return config
        except (ConfigAttributeError, ConfigKeyError):  # a key that there is not
            raise
        except OmegaConfBaseException:  # any other wrong override: Hydra's own error explains it best
            return copy.deepcopy(self._composed([str(override.input_line) for override in read]))

    def _composed(self, overrides: Sequence[str]) -> DictConfig:
        key = tuple(overrides)
        if self._is_packaged and not any("hydra.searchpath" in word for word in key):
            return _packaged(key)
        if key not in self._shared:
            self._shared[key] = compose(self._name, overrides, self.folder)
        return self._shared[key]

    def base(self, values: Values) -> Values:
        """The values of an experiment alone; of the settings, only `debug` makes a difference."""
        key = values.get("experiment"), values.get("debug")
        with private_hydra():
            if self._is_packaged:
                return _packaged_base(*key)
            if key not in self._bases:
                self._bases[key] = _base(self._composed, *key)
            return self._bases[key]

    def _written(self, config: DictConfig) -> Mapping[str, str]:
        """Settings in files that only some choices use; warns of Hydra settings that have no effect."""
        choices = tuple(config.hydra.runtime.choices.get(group) for group in FILES)
        if choices not in self._files:
            names = [f"{group}/{name}" for group, name in zip(FILES, choices, strict=True) if name]
            lines: dict[str, str] = {}
            for path, values in _files(config, [*([self._name] if self._name != "config" else []), *names]):
                for key in filter(ignored_by_pigevo, _hydra_keys(values.get("hydra"))):
                    LOG.warning("%s: %s", path, ignored_by_pigevo(key))
                lines.update({key: f"{key} = {values[key]} in {path}" for key in NEEDED_BY if key in values})
            self._files[choices] = lines
        return self._files[choices]


@lru_cache(maxsize=16)
def loading(folder: Path | None = None) -> Hydra:
    """Hydra's loader for the configs of conf/ and of a folder, apart from any other use of Hydra in this process."""
    searched = create_config_search_path(str(conf_folder()))
    if folder is not None:  # as by Hydra's own --config-dir
        searched.prepend("command-line", f"file://{folder}", SearchPathQuery(provider="schema"))
    return Hydra("pigevo", _Loader(searched, only_packaged=folder is None))


_Read = dict[tuple[str, int | None], ConfigResult | None]
"""What was read of the package's config files, by path and time of writing."""


def _time_written(file: Path) -> int | None:
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return None


class _Repository(CachingConfigRepository):
    """Hydra's repository of configs, which refuses a missing folder in `hydra.searchpath`; Hydra itself only warns.

    As long as only the package's own files are searched, a file that has not been written since is not read again: the
    repository copies the earlier result.
    """

    def __init__(self, delegate: ConfigRepository, read: _Read | None) -> None:
        super().__init__(delegate)
        self._read = read

    def initialize_sources(self, config_search_path: ConfigSearchPath) -> None:
        self._read = None
        super().initialize_sources(config_search_path)
        for source in self.get_sources():
            if not source.available():
                raise InputError(f"there is no folder of configs at {source.path}.")

    def load_config(self, config_path: str) -> ConfigResult | None:
        if self._read is not None and f"config_path={config_path}" not in self.cache:
            version = config_path, _time_written(conf_folder() / f"{config_path}.yaml")
            if version not in self._read:
                self._read[version] = self.delegate.load_config(config_path)
            self.cache[f"config_path={config_path}"] = copy.deepcopy(self._read[version])
        return super().load_config(config_path)


class _Loader(ConfigLoaderImpl):
    def __init__(self, config_search_path: ConfigSearchPath, only_packaged: bool) -> None:
        super().__init__(config_search_path)
        self._read: _Read | None = {} if only_packaged else None

    def _parse_overrides_and_create_caching_repo(
        self, config_name: str | None, overrides: list[str]
    ) -> tuple[list[Override], CachingConfigRepository]:
        read = OverridesParser.create().parse_overrides(overrides)
        repository = _Repository(self.repository, self._read)
        self._process_config_searchpath(config_name, read, repository)
        return read, repository


def compose(name: str, overrides: Sequence[str], folder: Path | None = None) -> DictConfig:
    """The config of a name with some overrides, including Hydra's own settings."""
    return loading(folder).compose_config(name, list(overrides), RunMode.RUN, from_shell=False)


@lru_cache(maxsize=256)
def _packaged(overrides: tuple[str, ...]) -> DictConfig:
    """A config from the package's own files, which do not change while a process runs; callers copy it."""
    return compose("config", overrides)


@lru_cache(maxsize=256)
def _packaged_base(experiment: str | None, debug: object) -> Values:
    """The values of one of the package's own experiments alone."""
    return _base(_packaged, experiment, debug)


def _base(composed: Callable[[tuple[str, ...]], DictConfig], experiment: str | None, debug: object) -> Values:
    try:
        with explained():
            config = copy.deepcopy(composed((f"experiment={experiment}",) if experiment else ()))
            config.debug = debug
        return {**plain(config), "debug": "none"}
    except InputError:  # the experiment is complete only with the typed settings: then all settings are shown
        return {}


def parsed(overrides: Sequence[str], folder: Path | None = None) -> list[Override]:
    """The overrides parsed by Hydra's grammar; patterns also name configs of a user's folder.

    `experiment=none` removes the experiment.
    """
    with explained():
        words = [_NONE.get(word, word) for word in overrides]
        return OverridesParser.create(loading(folder).config_loader).parse_overrides(words)


def spelled_out(word: str) -> list[str]:
    """An override such as `crossover=ops.py:mine`, which names a function, as the choice `custom`."""
    key, _, value = word.partition("=")
    value = value.strip()
    is_reference = ":" in value or value.endswith(".py")
    if is_reference and not _IN_HYDRAS_GRAMMAR.fullmatch(value):
        value = _quoted(value)  # its folders may be called what they like
    if key == ON_GENERATION:
        return [f"{key}.function={value}"]
    return [f"{key}={CUSTOM}", f"{key}.function={value}"] if key in CUSTOM_GROUPS and is_reference else [word]


@contextmanager
def explained(run_folder: str | None = None) -> Iterator[None]:
    """A context of `private_hydra` in which every error of Hydra and OmegaConf becomes one sentence."""
    try:
        with private_hydra(run_folder):
            yield
    except InputError:
        raise
    except Exception as error:
        message = " ".join(str(error).split()).rstrip(".")
        sentence = explain(error) or f"the settings cannot be composed: {message}."
        traced = os.environ.get("HYDRA_FULL_ERROR") == "1"  # otherwise a notebook would show Hydra's whole traceback
        raise InputError(sentence) from (error if traced else None)


def plain(config: DictConfig) -> JsonObject:
    """The resolved values of a config without Hydra's own."""
    try:
        return {str(key): _plain_value(config[key]) for key in config if key != "hydra"}
    except OmegaConfBaseException as error:
        key = error.full_key or "the config"
        raise InputError(f"{key} has no value that can be read: {str(error).splitlines()[0]}.") from error


def _plain_value(value: object) -> object:
    """A value with its interpolations resolved, which OmegaConf converts to the type of a general setting.

    It does not know the types of options.  So the text of an interpolation, for example from the environment, becomes a
    number if it can be read as one.
    """
    if not OmegaConf.is_config(value):
        return value
    container = OmegaConf.to_container(value, resolve=True, throw_on_missing=True)
    if isinstance(value, DictConfig) and isinstance(container, dict):
        for key in map(str, value):
            text = container[key]
            if isinstance(value[key], DictConfig):
                container[key] = _plain_value(value[key])
            elif OmegaConf.is_interpolation(value, key) and isinstance(text, str) and _NUMBER.fullmatch(text):
                container[key] = json.loads(text.lower())
    return container


def as_overrides(
    overrides: Iterable[str], values: Mapping[str, object], reference: Reference | None = None
) -> tuple[list[str], UserFunctions]:
    """Settings given in Python as command-line overrides, and the functions among them by kind.

    For a sweep, `reference` is given, and lists are swept.
    """
    words: list[str] = []
    own: UserFunctions = {}
    for word in overrides:
        if not isinstance(word, str):
            raise InputError(f"{word!r} must be a setting: write 'key=value', or key=value as an argument.")
        words.append(word if "=" in word or word.startswith("~") else f"experiment={word}")
    for key, value in values.items():
        game = value if key == "game" and isinstance(value, Game) else None
        chosen = value if game is None else type(game)
        if callable(chosen):
            name = _choice_of(key, chosen, reference)
            words.append(f"{key}={name}")
            own |= {key: chosen} if name == CUSTOM else {}
        elif reference and isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping):
            several = [
                _choice_of(key, item, reference) if callable(item) else _override_value(key, item)
                for item in itertools.islice(value, LARGEST_SWEEP + 1)
            ]
            if len(several) > LARGEST_SWEEP:
                raise InputError(f"{key} has too many values: a sweep has at most {LARGEST_SWEEP:,} runs.")
            words.append(f"{key}={','.join(several)}")
        else:
            words.append(f"{key}={_override_value(key, value)}")
        if game is not None:
            options = options_of(game)
            words += [f"game.{name}={_override_value(f'game.{name}', option)}" for name, option in options.items()]
    return words, own


def _choice_of(key: str, function: Callable[..., object], reference: Reference | None) -> str:
    """A function or class as the choice of a group; `custom` if it is passed as an object."""
    if key not in CUSTOM_GROUPS and not (key == ON_GENERATION and reference):
        raise InputError(f"{key} cannot be a function; a function can be one of {', '.join(CUSTOM_GROUPS)}.")
    if key == "game" and (name := registered_name(function)):
        return name
    if key == "game" and function.__module__.startswith("pigevo."):
        return f"{function.__module__}:{function.__qualname__}"
    return _quoted(reference(key, function)) if reference else CUSTOM


def _override_value(key: str, value: object) -> str:
    """A value in Hydra's grammar of overrides."""
    if key in CHOICES and value is not None:
        if isinstance(value, Game):
            raise InputError(f"in a list, game takes names and classes, and not {value}: its options are settings, as "
                             "in 'game.target=50,100'.")  # fmt: skip
        if not isinstance(value, str):
            needed = "a name, or a function" if key in CUSTOM_GROUPS else "a name"
            if key == "population":
                needed += " (of strategies: lambda size, context: context.grid.from_strategies(strategies))"
            raise InputError(f"{key} = {short_repr(value)} must be {needed}.")
        return value
    try:
        return in_grammar(list(value) if isinstance(value, range) else value)
    except (TypeError, ValueError) as error:
        raise InputError(f"{key} = {short_repr(value)} must be a number, a word or a list.") from error


def in_grammar(value: object) -> str:
    """A value in Hydra's grammar; texts in it are quoted."""
    text = json.dumps(value, ensure_ascii=False, default=_for_json)
    return _JSON_STRING.sub(lambda match: _quoted(json.loads(match[0])), text)


def _for_json(value: object) -> object:
    """What JSON has for an array or a number of numpy's, and for a path."""
    return value.tolist() if hasattr(value, "tolist") else os.fspath(value)  # type: ignore[call-overload]


def _quoted(text: str) -> str:
    """A text in Hydra's grammar, which, unlike JSON, takes a backslash for itself except before a quote."""
    return QuotedString(text, Quote.double).with_quotes()


def _chooses(override: Override) -> bool:
    """Whether a word determines which files are composed, or adds or deletes a key."""
    key = override.key_or_group
    is_new = override.is_add() or (override.is_force_add() and not _OPTION.match(key))
    prefixed = is_new or override.is_delete() or override.package is not None
    return prefixed or key in CHOICES or "/" in key or key == "hydra.searchpath" or override.is_sweep_override()


def _files(config: DictConfig, names: Sequence[str]) -> Iterator[tuple[Path, Values]]:
    """The files that Hydra used for some names (the first found in its folders), and their contents."""
    folders = [Path(source.path) for source in config.hydra.runtime.config_sources if source.schema == "file"]
    for name in names:
        path = next((path for folder in folders if (path := folder / f"{name}.yaml").is_file()), None)
        values = OmegaConf.to_container(OmegaConf.load(path)) if path else None
        if path and isinstance(values, dict):
            yield path, {str(key): value for key, value in values.items()}


def _hydra_keys(hydra: object) -> Iterator[str]:
    """Hydra's settings in a file, down to two levels: `hydra.job.chdir`."""
    for first, inner in hydra.items() if isinstance(hydra, dict) else ():
        yield from (f"hydra.{first}.{second}" for second in inner) if isinstance(inner, dict) else [f"hydra.{first}"]
