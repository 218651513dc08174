"""Hydra and OmegaConf as pigevo uses them: without a trace in the process, and one sentence for each error of a user.

A program that calls pigevo may itself use Hydra: its job name, version, stored configs and resolvers determine its own
folders and values.  Hydra and OmegaConf keep them in two process-wide dicts, of singletons and of resolvers.  While
settings are composed, two other mappings replace these dicts; only the composing thread sees pigevo's entries in them.
Neither dict is part of a public interface, so Hydra is pinned below 1.4 and OmegaConf below 2.4.
"""

from __future__ import annotations

import copy
import re
import threading
from collections import ChainMap, defaultdict
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any, TypeVar

from hydra._internal import core_plugins
from hydra.conf import HydraConf
from hydra.core.config_store import ConfigStore
from hydra.core.hydra_config import HydraConfig
from hydra.core.override_parser.types import Override
from hydra.core.plugins import Plugins
from hydra.core.singleton import Singleton
from hydra.core.utils import JobRuntime, setup_globals
from hydra.errors import HydraException, MissingConfigException, OverrideParseException
from hydra.version import VersionBase, setbase
from omegaconf import DictConfig, Node, OmegaConf
from omegaconf.basecontainer import BaseContainer
from omegaconf.errors import (
    ConfigAttributeError,
    ConfigKeyError,
    ConfigTypeError,
    GrammarParseError,
    OmegaConfBaseException,
    ValidationError,
)
from omegaconf.omegaconf import register_default_resolvers
from yaml import YAMLError  # type: ignore[import-untyped]

from pigevo.core.imports import NO_FOLDER, working_folder
from pigevo.core.machine import available_cores
from pigevo.core.text import for_shell
from pigevo.errors import InputError, did_you_mean, with_point
from pigevo.settings.schema import CHOICES, GROUPS, Config, choices, unknown_choice

OWN_FOLDER = "${pigevo.run_folder:}"
"""The Hydra setting that gives a run of a sweep the folder named after its settings: `hydra.sweep.subdir`."""

_LOCK = threading.RLock()  # threads compose one after the other


Table = MutableMapping[Any, Any]


class _SeenByOneThread(Table):
    """A dict in place of which one thread sees its own, and to which all other threads have access as before."""

    def __init__(self, own: Table, shared: Table) -> None:
        self._thread = threading.get_ident()
        self._own = own
        self._shared = shared

    @property
    def _seen(self) -> Table:
        return self._own if threading.get_ident() == self._thread else self._shared

    def __getitem__(self, key: object) -> Any:
        return self._seen[key]

    def __setitem__(self, key: object, value: object) -> None:
        self._seen[key] = value

    def __delitem__(self, key: object) -> None:
        del self._seen[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._seen)

    def __len__(self) -> int:
        return len(self._seen)

    def __deepcopy__(self, memo: dict[int, object]) -> Table:
        return copy.deepcopy(dict(self._seen), memo)


@contextmanager
def private_hydra(run_folder: str | None = None) -> Iterator[None]:
    """A context in which Hydra and OmegaConf have pigevo's state; `run_folder` is the value of `${run_folder:}`."""
    with _LOCK, ExitStack() as stack:
        if not isinstance(Singleton._instances, _SeenByOneThread):
            singletons, resolvers = _state()
            stack.enter_context(_replaced(Singleton, "_instances", singletons))
            stack.enter_context(_replaced(BaseContainer, "_resolvers", resolvers))
        if run_folder is not None:
            stack.callback(_name_run_folder, None)
            _name_run_folder(run_folder)
        yield


@contextmanager
def _replaced(holder: type, name: str, own: Table, alone: bool = False) -> Iterator[None]:
    """For this thread a table of the holder has its `own` entries before those that others see, or `alone`."""
    before = getattr(holder, name)
    stand_in = _SeenByOneThread(own if alone else ChainMap(own, before), before)
    setattr(holder, name, stand_in)
    try:
        yield
    finally:
        if getattr(holder, name) is stand_in:  # else another thread has replaced it, as `clear_resolvers` does
            setattr(holder, name, before)


class _HydrasOwnPlugins(Plugins):
    """The plugins that Hydra itself brings.

    Those of other packages would give names of pigevo's another meaning (`submitit_slurm` is also a launcher of
    hydra-submitit-launcher), and what they register here would be missing in a program that loads them later.
    """

    def _initialize(self) -> None:
        self.plugin_type_to_subclass_list = defaultdict(list)
        plugins, self.stats = self._scan_all_plugins([core_plugins])
        for plugin in plugins:
            self._register(plugin)


@cache
def _state() -> tuple[Table, Table]:
    """The singletons of Hydra and the resolvers of OmegaConf that pigevo uses."""
    store = type.__call__(ConfigStore)
    store.store(group="hydra", name="config", node=HydraConf(), provider="hydra")  # as Hydra does when it is imported
    store.store(name="_dummy_empty_config_", node={}, provider="hydra")
    kinds = (HydraConfig, JobRuntime, VersionBase)
    singletons: Table = {ConfigStore: store, **{kind: type.__call__(kind) for kind in kinds}}
    resolvers: Table = {}
    with (
        _replaced(Singleton, "_instances", singletons, alone=True),
        _replaced(BaseContainer, "_resolvers", resolvers, alone=True),
    ):
        singletons[Plugins] = type.__call__(_HydrasOwnPlugins)
        setbase("1.3")
        store.store(name="schema", node=Config)
        register_default_resolvers()
        setup_globals()
        for prefix in ("pigevo.", ""):  # the short names are for users' files
            OmegaConf.register_new_resolver(f"{prefix}cores", available_cores)
            OmegaConf.register_new_resolver(f"{prefix}quick", _quick)
        _name_run_folder(None)
    return singletons, resolvers


def _name_run_folder(name: str | None) -> None:
    """Set the value of `${run_folder:}`: the name of a run's folder, known when its settings are checked."""

    def resolve() -> str:
        if name is None:
            raise InputError("${run_folder:} is the folder of one run: write one for all, as in hydra.sweep.dir=mine.")
        return name

    for prefix in ("pigevo.", ""):
        OmegaConf.register_new_resolver(f"{prefix}run_folder", resolve, replace=True)


def _quick(fast: object, full: object, *, _root_: DictConfig) -> object:
    return fast if _root_.get("debug") == "fast" else full


E = TypeVar("E", bound=BaseException)

_KINDS = {"int": "a whole number", "float": "a number", "bool": "true or false"}

HYDRA_SETTINGS = (
    "hydra.run.dir", "hydra.sweep.dir", "hydra.sweep.subdir", "hydra.mode", "hydra.searchpath", "hydra.launcher",
)  # fmt: skip
"""Hydra settings that pigevo uses."""


def explain(error: BaseException) -> str | None:
    """The sentence for an error caused by the user; None for other errors."""
    message = next(filter(None, map(str, _chain(error))), "")  # Hydra's own error may have no text
    if own := _first_in_chain(error, InputError):
        return str(own)
    if missing := _first_in_chain(error, MissingConfigException):
        return _missing_file(missing)
    if isinstance(error, RecursionError):
        return "the settings are nested to too many levels, or a config includes itself: write fewer."
    if isinstance(error, ValueError) and "digits" in message:
        return "a setting has more digits than any number here: write a shorter one."
    if parse := _first_in_chain(error, OverrideParseException):
        word = parse.override.removeprefix("++")
        if several := re.fullmatch(r"([\w./]+)=(.*[^,]), *([\w./]+)=(.*)", word):
            return _joined(word, *several.groups())
        if quoted := re.fullmatch("'([^']*)'", word):
            return f'{word} has single quotes that this shell does not take away: write "{quoted[1]}".'
        if several := re.fullmatch(r"[\w./]+=\S+( +[\w./]+=\S+)+", word):
            return f"{word!r} are several settings in one word: quote each by itself, or none."
        if comma := re.fullmatch(r"([\w./]+=.*[^, ]) *,", word):
            return f"{word!r} ends with a comma: write {for_shell(comma[1])}."
        return f"{word!r} cannot be read: write key=value, and quote what is special: 'key=\"a b\"'."
    if grammar := _first_in_chain(error, GrammarParseError):
        return f"{grammar.full_key or 'a setting'} cannot be read: {message.splitlines()[0].rstrip('.')}."
    key = _first_in_chain(error, ConfigAttributeError) or _first_in_chain(error, ConfigKeyError)
    if key and key.full_key:
        return _file_being_read(message) + _unknown_key(key.full_key, key.parent_node)
    override = re.match(r"Error merging override \+*([^=]*)=?(.*)", message)
    if override and (wrong := _first_in_chain(error, ValidationError)):
        return _wrong_type(override[1], override[2], str(wrong))
    if override and _first_in_chain(error, ConfigTypeError):
        return f"{override[1]} = {override[2]} is of the wrong kind: it must be a list, as in {override[1]}=[...]."
    if yaml := _first_in_chain(error, YAMLError):
        return f"a config file is not valid YAML: {' '.join(str(yaml).split())}."
    if isinstance(error, FileNotFoundError) and not working_folder():
        return NO_FOLDER
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or 'a file'} cannot be used: {error.strerror}."
    return _composition(message) if isinstance(error, HydraException | OmegaConfBaseException) else None


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """An error and those that led to it."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        yield error
        seen.add(id(error))
        error = error.__cause__ or error.__context__


def _first_in_chain(error: BaseException, kind: type[E]) -> E | None:
    return next((member for member in _chain(error) if isinstance(member, kind)), None)


def _missing_file(error: MissingConfigException) -> str:
    file = error.missing_cfg_file or ""
    group, _, name = next((file.partition("/") for key in CHOICES if file.startswith(f"{key}/")), file.rpartition("/"))
    if error.options is None or not group:
        message = str(error).splitlines()[0].rstrip(".")
        return f"{message}; without --config-name and --config-dir pigevo finds its own."
    if group == "hydra/launcher":
        launchers = ", ".join(sorted(set(error.options) - {"basic"}))
        return (
            f"there is no launcher {name!r}; there are: {launchers}. On this machine hydra.launcher.workers=N does N "
            "runs at a time."
        )
    if not name:
        return f"there is no {file}; there are: {', '.join(sorted(error.options))}."
    return str(unknown_choice(group, name, error.options))


def _unknown_key(key: str, parent: Node | None) -> str:
    group, _, option = key.partition(".")
    if key.startswith("hydra.launcher.") and isinstance(parent, DictConfig) and "workers" in parent:
        return f"there is no setting {key}; hydra.launcher.workers=N does N runs at a time."
    if "." in option:
        return f"there is no setting {key}; write +{key}=VALUE to add it."
    root = parent
    while root is not None and root._get_parent() is not None:
        root = root._get_parent()
    if group == "hydra":
        return f"there is no setting {key}; `pigevo --cfg hydra` shows Hydra's own."
    names = list(_keys(root)) if isinstance(root, DictConfig) else []
    alike = [name for name in names if name.rpartition(".")[2] == key or name.startswith(key)]
    top = ", ".join(sorted(name for name in names if "." not in name))
    hint = f"did you mean {' or '.join(sorted(alike)[:3])}?" if alike else did_you_mean(key, names)
    return f"there is no setting {key}; {hint or f'there are: {top}.'}"


def _keys(config: DictConfig, prefix: str = "") -> Iterator[str]:
    """Every key of the config, with `group.option` for nested ones, without Hydra's own."""
    for key in map(str, config):
        if prefix or key != "hydra":
            yield f"{prefix}{key}"
            node = config._get_node(key)
            if isinstance(node, DictConfig) and not node._is_none() and not node._is_missing():
                yield from (inner for inner in _keys(node, f"{prefix}{key}.") if not inner.endswith(".name"))


def _wrong_type(key: str, value: str, message: str) -> str:
    kind = _KINDS.get(str(Config.__annotations__.get(key, "")))
    if kind:
        problem = f"{key} = {value} is of the wrong kind" if value else f"{key} has no value"
        return f"{problem}: it must be {kind}.{_meant(key, value)}"
    if "." in key and key.partition(".")[0] not in (*GROUPS, "hydra"):
        return f"there is no setting {key}: {key.partition('.')[0]} is a single value."
    return f"{key} = {value} does not fit: {message.splitlines()[0]}."


def _meant(key: str, value: str) -> str:
    """What a value of the wrong kind was probably meant to be, as a further sentence; empty if that is unknown."""
    if key == "mutation" and (":" in value or value in choices("mutator")):
        return f" An operator is chosen with mutator={value}; mutation is its rate."
    if ends := re.fullmatch(r"(\d{1,9})(?:-|\.\.|:)(\d{1,9})", value):
        first, last = map(int, ends.groups())
        return f" For {first} to {last} write -m '{key}=range({first},{last + 1})'." if first < last else ""
    return ""


def _file_being_read(message: str) -> str:
    """The file of conf/ that Hydra was reading, as the beginning of the sentence."""
    match = re.match(r"In '(\S+/\S+)': ", message)
    return f"in {match[1]}.yaml: " if match else ""


def _joined(word: str, key: str, value: str, next_key: str, next_value: str) -> str:
    """The sentence about settings with a comma between them; for one setting it is meant between the values."""
    if key == next_key:
        return f"{word!r} names {key} twice: write {key}={value},{next_value}, with -m to run each of them."
    apart = f"{key}={value} {next_key}={next_value}"
    return f"{word!r} are several settings: write a space between them, {apart}.{_if_a_path(word)}"


def _if_a_path(word: str) -> str:
    """How a path with commas is written, as a further sentence: a run's folder has them in its name."""
    key, _, value = word.partition("=")
    quoted = for_shell(f'{key.removesuffix(".function")}="{value}"')  # as it was typed, for a function of the user's
    return f" If it is one path, quote it: {quoted}." if "/" in value and '"' not in value else ""


def _several_values(word: str) -> str:
    key = word.partition("=")[0]
    kind = Config.__annotations__.get(key)
    sentence = (
        f"{word} gives several values: add -m to run each of them, as in python -m pigevo -m ... {for_shell(word)}."
    )
    if kind is None or kind == "JsonObject":
        sentence += f" A list is written in brackets, {key}=[...].{_if_a_path(word)}"
    return (
        sentence if kind == "int" or not (meant := with_point(word)) else f"{sentence} If one number is meant, {meant}"
    )


def _composition(message: str) -> str:
    if re.search(r"Cannot convert 'DictConfig' to string.*\n\s*full_key: experiment$", message, re.MULTILINE):
        return f"{_file_being_read(message)}the first line of an experiment's file must be `# @package _global_`."
    if match := re.search(r"Ambiguous value for argument '(.*)'|Sweep parameters '(.*)' requires", message):
        return _several_values((match[1] or match[2]).removeprefix("++"))
    if match := re.match(r"Could not append to config\. An item is already at '(.*)'", message):
        return f"the setting {match[1]} is there already: write {match[1]}=VALUE without +."
    if match := re.match(r"Could not delete from config\. '(.*)' does not exist", message):
        return f"there is no setting {match[1]} to delete."
    if match := re.search(r"raised while composing config:\n(.*)\n\s*full_key: (\S+)", message):
        return f"{_file_being_read(message)}{match[2]}: {match[1]}."
    words = re.sub(r"Config search path:.*|See https?://\S+.*", "", message, flags=re.DOTALL).split()
    return " ".join(words).rstrip(".") + "."


def refuse_words(read: Sequence[Override], defaults: Callable[[], Mapping[str, Any]]) -> None:
    """Refuse words that are not overrides; `defaults` are the values without any."""
    for override in read:
        key = override.key_or_group
        if re.match(r"hydra([./]|$)", key) and (sentence := ignored_by_pigevo(key, override.is_delete())):
            raise InputError(sentence)
        is_truth = Config.__annotations__.get(key) == "bool" and not override.is_sweep_override()
        if is_truth and type(override.value()) in (int, float) and override.value() not in (0, 1):  # Hydra takes any
            raise InputError(_wrong_type(key, str(override.value()), ""))
        if (key in CHOICES or "/" in key) and not override.is_sweep_override() and not _is_choice(override):
            known = f"one of {', '.join(choices(key))}" if key in CHOICES else "a name"
            hint = f" Did you mean {meant}?" if (meant := _meant_by_number(key, override.value(), defaults)) else ""
            raise InputError(f"{override.input_line} cannot be chosen: {key} is {known}.{hint}")


def _meant_by_number(group: str, number: object, defaults: Callable[[], Mapping[str, Any]]) -> str:
    """The option meant by a number where a choice is named, `population=7`: the first of the group's default choice."""
    if type(number) not in (int, float) or group not in GROUPS:
        return ""
    options = [name for name, value in defaults()[group].items() if type(value) in (int, float)]
    return f"{group}.{options[0]}={number}" if options else ""


def ignored_by_pigevo(key: str, deleted: bool = False) -> str:
    """The sentence that a Hydra setting has no effect; empty if pigevo uses it."""
    if key.startswith((*HYDRA_SETTINGS, "hydra/launcher", "hydra.sweeper.params")) and not deleted:
        return ""
    if key.startswith("hydra/sweeper"):
        return (
            "hydra/sweeper changes nothing here: a sweep does every combination of the values that are typed; to "
            "search among them with Optuna, write `pigevo tune`, as in pigevo tune 'mutation=0.0001..0.05:log'."
        )
    return f"{key} changes nothing here; of Hydra's settings pigevo reads {', '.join(HYDRA_SETTINGS)}."


def _is_choice(override: Override) -> bool:
    """Whether a word chooses a config file by name, or deletes a choice."""
    value = override.value()
    return (
        value is None
        if override.is_delete() and override.value_type is None
        else isinstance(value, str) and bool(value)
    )
