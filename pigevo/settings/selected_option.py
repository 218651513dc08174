"""The choice in a group of settings: one of pigevo's functions by name, or a user's own."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, get_args, get_origin

from pigevo.core.checked_values import FunctionName, JsonObject, StrategyName
from pigevo.core.registry import Entry
from pigevo.errors import InputError, did_you_mean
from pigevo.evolution.operators import KINDS
from pigevo.evolution.plan import STOP, StopRule, kind_in_words
from pigevo.games import Game
from pigevo.games.game_record import bound_game
from pigevo.settings.schema import CUSTOM, CUSTOM_GROUPS, ON_GENERATION, Values, flat, registry_of, replaced, spelled
from pigevo.strategies import Strategy, names_file, parse_strategy
from pigevo.strategies.parse import absolute
from pigevo.user_code.loading import UserCode, failure, identity_of_object, load, refuse_unfinished
from pigevo.user_code.source import Sources


@dataclass(frozen=True, eq=False)
class SelectedOption:
    """The choice in a group such as `crossover`: a name, its function, and its checked options.

    If it is a user's function or class, `user_code` describes it and `reference` is the text that names it.
    `strategies` and `functions` are the strategies and functions from users' files among the options, by the words that
    name them.
    """

    group: str
    name: str
    options: Values
    entry: Entry = field(repr=False)
    user_code: UserCode | None = None
    reference: str = ""
    strategies: Mapping[str, Strategy] = field(default_factory=dict, repr=False)
    functions: Mapping[str, UserCode] = field(default_factory=dict, repr=False)

    @property
    def uses(self) -> tuple[str, ...]:
        """The general settings on which the function depends."""
        return self.entry.uses(self.options)

    @property
    def label(self) -> str:
        """Its name in messages."""
        return self.user_code.name if self.user_code else f"{self.group}={self.name}"

    @property
    def values(self) -> JsonObject:
        """The choice as plain values."""
        listed = {name: _listed(value) for name, value in self.options.items()}
        if self.user_code is None:
            return {"name": self.name, **listed}
        if self.group == "game":  # errors have the same form as for pigevo's own games
            return {"name": self.name, "function": self.reference, **listed}
        common = {name: listed.pop(name) for name in self.entry.common if name in listed}
        return {"name": self.name, **common, "function": self.reference, "options": listed}

    @property
    def identity(self) -> JsonObject:
        """The part of the choice that can affect a result, with the contents of strategy files and users' functions."""
        digests = {word: strategy.digest for word, strategy in self.strategies.items()}
        digests |= {word: code.identity for word, code in self.functions.items()}
        values: JsonObject = {name: replaced(value, digests) for name, value in self.values.items()}
        return values if self.user_code is None else {**values, "function": self.user_code.identity}

    def differences(self, base: Mapping[str, object]) -> JsonObject:
        """The name, if it differs from that in `base`, and the options that differ from their defaults there."""
        chosen = self.values
        changed: JsonObject = {}
        if base.get("name") == self.name and self.user_code is None:
            known = {name: value for name, value in base.items() if name in self.options}
            expected = {**base, **self.entry.completed(known)}
        else:
            expected, changed = (self.entry.completed({}) if self.user_code is None else {}), {self.group: self.name}
        before = dict(flat({self.group: {name: value for name, value in expected.items() if name != "name"}}))
        for key, value in flat({self.group: {name: value for name, value in chosen.items() if name != "name"}}):
            if key not in before or spelled(before[key]) != spelled(value):
                changed[key] = value
        return changed

    def bind(self) -> Any:
        """The function with its options set; for a class, an instance."""
        meant = {**self.strategies, **{word: code.function for word, code in self.functions.items()}}
        options = {name: replaced(value, meant) for name, value in self.options.items()}
        if self.group == "game":
            return bound_game(self.entry, options, self.user_code)
        try:
            return self.entry.bind(options)
        except (Exception, SystemExit) as error:
            if self.user_code is None or isinstance(error, InputError):
                raise
            raise InputError(f"{self.label} failed: {failure(error, self.user_code.path)}.") from error


def read_choice(
    group: str, values: object, game: Game | None = None, function: Callable[..., object] | None = None
) -> SelectedOption:
    """A checked choice from plain values."""
    registry = registry_of(group)
    if not isinstance(values, Mapping) or "name" not in values:
        raise InputError(f"{group} names no choice: write {group}=NAME; there are: {', '.join(registry)}.")
    given = {str(key): value for key, value in values.items() if key != "name"}
    if values["name"] == CUSTOM and group in CUSTOM_GROUPS:
        return _own(group, given, function)
    entry = registry[str(values["name"])]
    for name in given:
        if name not in entry.options:
            raise _unknown_option(group, entry, name)
    options = entry.completed(entry.check(given, group))
    strategies: dict[str, Strategy] = {}
    functions: dict[str, UserCode] = {}
    for name in [name for name, hint in entry.hints.items() if marked(hint, FunctionName)]:
        loaded = {word: load(word) for word in _words(options[name]) if ":" in word}
        words = {word: absolute_reference(word, code) for word, code in loaded.items()}
        options[name] = replaced(options[name], words)
        functions |= {words[word]: code for word, code in loaded.items()}
    for name in [name for name, hint in entry.hints.items() if marked(hint, StrategyName) and game is not None]:
        words = {word: absolute(word) for word in _words(options[name]) if names_file(word)}
        options[name] = replaced(options[name], words)
        for word in _words(options[name]):
            if game is not None and word.strip() != "optimal":  # every game has it, and it takes long to solve
                strategy = _strategy(word, game, f"{group}.{name}")
                if group == "population" and strategy.is_mixed:
                    by_chance = f"{strategy.name} leaves decisions to chance: a gene says roll or hold."
                    raise InputError(f"{group}.{name}: {by_chance}")
                strategies |= {word: strategy} if names_file(word) else {}
    return SelectedOption(group, entry.name, options, entry, strategies=strategies, functions=functions)


def read_watcher(values: object) -> SelectedOption | None:
    """The function that observes every generation, from its reference, or from `function` and `options`; or None."""
    given = values if isinstance(values, Mapping) else {"function": values}
    if given.get("function") is not None:
        try:
            return _own(ON_GENERATION, given, None)
        except InputError as error:
            raise InputError(f"{'' if ON_GENERATION in str(error) else f'{ON_GENERATION}: '}{error}") from error
    if given.get("options"):
        raise InputError(f"{ON_GENERATION}.options belong to a function: write {ON_GENERATION}=FILE.py:NAME, too.")
    return None


def _unknown_option(group: str, entry: Entry, name: str) -> InputError:
    """The error for an unknown option: suggests a similar one, the choices that have it, or the function's options."""
    owners = [f"{group}={choice}" for choice, owner in registry_of(group).items() if name in owner.options]
    hint = did_you_mean(name, entry.options, 2, f"{group}.{{}}")
    if not hint:
        takes = ", ".join(entry.options) or "none"
        hint = f"it belongs to {' or '.join(owners)}." if owners else f"{entry.name} takes {takes}."
    return InputError(f"there is no setting {group}.{name} with {group}={entry.name}; {hint}")


def _own(group: str, values: Mapping[str, object], function: Callable[..., object] | None) -> SelectedOption:
    if group == "game" and "options" not in values:
        given = {name: value for name, value in values.items() if name != "function"}
        values = {"function": values.get("function"), "options": given}
    reference, options = values.get("function"), values.get("options") or {}
    if function is None and not (isinstance(reference, str) and reference):
        raise InputError(f"{group}.function is missing: write {group}.function=FILE.py:NAME.")
    if not isinstance(options, Mapping):
        raise InputError(f"{group}.options = {options!r} must be options by name: {group}.options.NAME=VALUE.")
    code = load(str(reference)) if function is None else identity_of_object(function)
    refuse_unfinished(code.name, code.function)
    _refuse_other_class(group, code.function)
    _refuse_other_kind(group, code, None if function else reference)
    entry = registry_of(group).user_entry(code.name, code.function, ("mutation",) if group == "mutator" else ())
    common = {name: value for name, value in values.items() if name in entry.common}
    for name in values:
        if name not in ("function", "options", *entry.common):
            raise InputError(f"there is no setting {group}.{name}; write {group}.options.{name}=VALUE.")
    checked = entry.check({**options, **common}, group if group == "game" else f"{group}.options")
    written = str(reference) if reference and not function else f"{code.path or '<python>'}:{code.name}"
    return SelectedOption(group, CUSTOM, entry.completed(checked), entry, code, absolute_reference(written, code))


_PARAMETERS = {
    ("first", "second"): "crossover", ("genomes",): "mutator", ("scores",): "selection", ("tables",): "fitness",
    ("survivors",): "replacement", ("size",): "population", ("i", "j", "k"): "strategy", ("generation",): STOP,
}  # fmt: skip
"""The documented parameter names of each kind, before `context`: a function with these names is of this kind."""


def kind_of_parameters(names: tuple[str, ...]) -> str:
    """The kind of a function by the names of its parameters; empty if they are not those of the documentation."""
    return next((kind for begin, kind in _PARAMETERS.items() if names[: len(begin)] == begin), "")


def _refuse_other_kind(group: str, code: UserCode, reference: object) -> None:
    """Refuse a function whose `context` stands where that of another kind stands."""
    if inspect.isclass(code.function) or group not in KINDS:
        return
    try:
        names = tuple(inspect.signature(code.function).parameters)
    except (TypeError, ValueError):
        return
    kind, place = kind_of_parameters(names), 2 if group == "crossover" else 1
    if kind in KINDS and kind != group and "context" in names and names.index("context") != place:
        raise InputError(
            f"{code.name}({', '.join(names)}) takes the arguments of a {kind_in_words(kind)}: "
            f"{kind}={reference or code.name}."
        )


def _refuse_other_class(group: str, function: Callable[..., object]) -> None:
    """Refuse a class of another kind before an instance is made: the settings may be somebody else's."""
    base = {**KINDS, STOP: StopRule}.get(group)
    if (
        not inspect.isclass(function)
        or (base is None and group != ON_GENERATION)
        or (base and issubclass(function, base))
    ):
        return
    if not any("__call__" in vars(base) for base in function.__mro__):
        problem = f"be a {kind_in_words(group)}: its class must inherit from {base.__name__}" if base else (
            "look at generations: its class must have a method `__call__(self, generation)`"
        )  # fmt: skip
        raise InputError(f"{function.__name__} cannot {problem}.")


def source_of(code: UserCode) -> JsonObject:
    """The identity of a user's function as plain values, and that of its files, which is known without running them."""
    content = {"content": Sources(code.files[0]).digest} if code.files else {}
    return {"name": code.name, "identity": code.identity, "files": [str(path) for path in code.files], **content}


def marked(hint: object, mark: type) -> bool:
    """Whether a type, or the items of a list type, carry a mark such as `StrategyName`."""
    if any(isinstance(note, mark) for note in getattr(hint, "__metadata__", ())):
        return True
    return get_origin(hint) is not None and any(marked(inner, mark) for inner in get_args(hint))


def _strategy(word: str, game: Game, where: str) -> Strategy:
    try:
        return parse_strategy(word, game)
    except InputError as error:
        raise InputError(f"{where}: {error}") from error


def absolute_reference(reference: str, code: UserCode) -> str:
    """The reference with an absolute path."""
    return f"{code.path}:{code.name}" if code.path and (".py:" in reference or reference.endswith(".py")) else reference


def _words(value: str | Iterable[object] | None) -> list[str]:
    return [value] if isinstance(value, str) else [str(item) for item in value or ()]


def _listed(value: object) -> object:
    if isinstance(value, list | tuple):
        return [_listed(item) for item in value]
    return value
