"""Registries map names to functions: how a game, strategy or operator is chosen from the command line.

The function's own signature is the only list of its options: pigevo passes the first
arguments; the user may set all others, and each value is checked against the parameter's
annotation.  Ranges are in `pigevo.core.checked_values`.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
import re
import sys
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any, TypeVar

from pigevo.core.checked_values import checked
from pigevo.core.imports import numpy as np
from pigevo.core.text import counted, short_repr
from pigevo.errors import InputError, did_you_mean, unknown

F = TypeVar("F", bound=Callable[..., Any])

Options = dict[str, Any]
"""Options by name, each of the type with which the function that takes them annotates it."""


@dataclass(frozen=True)
class Entry:
    """A function that can be chosen by name, with its options and the publication it comes from.

    Options are the parameters that a user may set. `complete` checks options against each other and fills in those that
    follow from others; `uses` names the general settings, such as `mutation`, on which the function depends; `common`
    are the options that all functions of the kind have and that pigevo passes itself; `parameters` maps options to
    parameters of another name, which is needed where the class has an attribute of the option's name.
    """

    name: str
    function: Callable[..., Any]
    source: str
    options: Mapping[str, inspect.Parameter]
    complete: Callable[[Options], Options] = dict
    uses: Callable[[Mapping[str, Any]], tuple[str, ...]] = lambda _: ()
    common: frozenset[str] = frozenset()
    parameters: Mapping[str, str] = field(default_factory=dict)

    def parameter(self, option: str) -> str:
        """The name of the parameter set by an option."""
        return self.parameters.get(option, option)

    @property
    def defaults(self) -> Options:
        """The options that have a default, with the default."""
        return {n: p.default for n, p in self.options.items() if p.default is not p.empty}

    @functools.cached_property
    def hints(self) -> dict[str, object]:
        """The annotated type of each option that has an annotation."""
        spelled = {p.name: p.annotation for p in self.options.values() if p.annotation is not p.empty}
        function, _ = unbound(self.function)
        if inspect.isclass(function):  # `__init__` of a dataclass uses names from the files of its base classes, too
            hints = hints_of(function.__init__) | hints_of(function)
        else:  # for a callable object, the hints of its `__call__`
            hints = hints_of(function if inspect.isroutine(function) else type(function).__call__)
        hints |= {n: hint for n, hint in spelled.items() if not isinstance(hint, str)}
        return {n: hints[p.name] for n, p in self.options.items() if p.name in hints}

    def check(self, values: Mapping[str, object], where: str) -> Options:
        """The values converted to the annotated types; `where` is the function's config key, for error messages."""
        hints = self.hints
        for name in values:
            if name not in self.options:
                takes = f"{self.name} takes {', '.join(self.options) or 'none'}"
                raise InputError(f"there is no setting {where}.{name}; {takes}.")
        for name, parameter in self.options.items():
            if parameter.default is parameter.empty and name not in values:
                raise InputError(f"{where}.{name} is missing: {self.name} needs it.")
        return {n: checked(v, hints.get(n, object), f"{where}.{n}") for n, v in values.items()}

    def completed(self, values: Mapping[str, object]) -> Options:
        """Checked values, with defaults for those left out and with options that follow from others.

        A default of 1 for a `float` becomes 1.0, so that options read back from a record equal those of the run.
        """
        defaults = {
            name: checked(default, self.hints.get(name, object), f"{self.name}'s default of {name}")
            for name, default in self.defaults.items() if name not in values
        }  # fmt: skip
        return self.complete({**defaults, **values})

    def bind(self, options: Mapping[str, object]) -> Any:
        """The function with its options set; for a class, an instance."""
        options = {self.parameter(name): value for name, value in options.items() if name not in self.common}
        if inspect.isclass(self.function):
            return self.function(**options)
        return functools.partial(self.function, **options)


def unbound(function: Callable[..., Any]) -> tuple[Callable[..., Any], dict[str, object]]:
    """What `functools.partial` was applied to, once or several times, and the options that it was given."""
    options: dict[str, object] = {}
    while isinstance(function, functools.partial):
        options = {**function.keywords, **options}
        function = function.func
    return function, options


def hints_of(function: Callable[..., object]) -> dict[str, object]:
    """The type hints of a function or class, without those that name what only type checkers import."""
    try:
        return typing.get_type_hints(function, include_extras=True)
    except NameError:
        pass
    if inspect.isclass(function):
        holders: list[tuple[Any, dict[str, Any]]] = [
            (kind, getattr(sys.modules.get(kind.__module__), "__dict__", {})) for kind in reversed(function.__mro__)
        ]
    else:
        holders = [(function, getattr(inspect.unwrap(function), "__globals__", {}))]
    hints: dict[str, object] = {}
    for holder, names in holders:
        for name, annotation in inspect.get_annotations(holder).items():
            alone = type("Alone", (), {"__annotations__": {name: annotation}})
            with suppress(NameError):
                hints |= typing.get_type_hints(alone, names, include_extras=True)
    return hints


class Registry(Mapping[str, Entry]):
    """The functions of one kind by name; `what` is the kind ("strategy", "selection").

    `given` is the number of leading arguments that pigevo passes to a function (a class gets none); the others are
    options. The modules of `package` are imported at the first look-up and register their functions, so a new entry
    needs no more than a new file there. `common` has a parameter for each option that all entries share. If
    `calls` is given, a function also checks its options where it is called from Python, and `calls` decorates it.
    `lister` says what lists the names, if they are too many for a sentence.
    """

    def __init__(
        self, what: str, given: int = 0, package: str | None = None, common: Sequence[inspect.Parameter] = (),
        calls: Callable[[Any], Any] | None = None, lister: str = "",
    ) -> None:  # fmt: skip
        self.what = what
        self._lister = lister
        self._calls = calls
        self._given = given
        self._common = {parameter.name: parameter for parameter in common}
        self._package = package
        self._entries: dict[str, Entry] = {}

    def register(
        self,
        *,
        source: str = "",
        name: str | None = None,
        complete: Callable[[Options], Options] = dict,
        uses: tuple[str, ...] | Callable[[Mapping[str, Any]], tuple[str, ...]] = (),
        called: Mapping[str, str] | None = None,
    ) -> Callable[[F], F]:
        """Decorator: register a function under its own name, or under `name`; see `Entry` for the other arguments.

        `complete` is called with all options, defaults included; `uses` may be a function of the options; `called` maps
        parameters to options of another name.
        """
        names = dict(called or {})

        def enter(function: F) -> F:
            key = name or function.__name__
            used = uses if callable(uses) else lambda _: uses
            options = {names.get(name, name): parameter for name, parameter in self._options(function).items()}
            parameters = {option: parameter for parameter, option in names.items()}
            self._entries[key] = Entry(
                key, function, source, options, complete, used, frozenset(self._common), parameters
            )
            return self._calls(self._checking(self._entries[key])) if self._calls else function

        return enter

    def _checking(self, entry: Entry) -> Any:
        """The function of an entry, which refuses options that its annotations do not allow."""
        signature = inspect.signature(entry.function)

        @functools.wraps(entry.function)
        def call(*arguments: object, **options: object) -> Any:
            given = [*signature.bind(*arguments, **options).arguments.items()]
            chosen = {name: value for name, value in given if name in entry.options}
            plain = {name: value.item() if getattr(value, "size", 0) == 1 else value for name, value in chosen.items()}
            return entry.function(
                *(value for name, value in given if name not in chosen), **entry.check(plain, entry.name)
            )

        return call

    def user_entry(self, name: str, function: Callable[..., object], uses: tuple[str, ...] = ()) -> Entry:
        """An unregistered entry for a user's function."""
        try:
            parameters = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError) as error:
            raise InputError(f"{name} has no signature that can be read: write it in Python.") from error
        given = 0 if inspect.isclass(function) else self._given
        positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        if len(positional) < given:
            if hidden := next((p for p in parameters if p.kind is p.VAR_POSITIONAL), None):
                raise InputError(
                    f"{name} takes {hidden}, which hides its parameters: give them names; a decorator's inner function "
                    "has those of the function that it decorates with functools.wraps."
                )
            raise InputError(f"{name} takes {counted(len(positional), 'argument')}: a {self.what} is handed {given}.")
        for parameter in positional[:given]:
            if parameter.default is not parameter.empty and parameter.default is not None:
                raise InputError(
                    f"{name} has the option {parameter.name} among the {given} arguments that a {self.what} is handed: "
                    "options come after them."
                )
        for parameter in parameters[given:]:
            if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
                raise InputError(f"{name} has the parameter {parameter}: its options must have names of their own.")
            if isinstance(parameter.default, np.ndarray):
                raise InputError(
                    f"{name} has an array as the default of {parameter.name}: an option is a number, a word, or a list "
                    "of these; write a list, and make the array of it inside."
                )
        return Entry(name, function, "", self._options(function), dict, lambda _: uses, frozenset(self._common))

    def _options(self, function: Callable[..., object]) -> dict[str, inspect.Parameter]:
        parameters = list(inspect.signature(function).parameters.items())
        return self._common | dict(parameters[0 if inspect.isclass(function) else self._given :])

    def spelled(self, text: str) -> tuple[Entry, Options]:
        """The entry and the options given by a text `name:number,number`."""
        name, _, numbers = text.partition(":")
        if self.find(name.strip()) is None and name.strip() not in self and (meant := self._meant(text)):
            raise InputError(f"there is no {self.what} {short_repr(text)}; {meant}")
        entry = self[name.strip()]
        options = list(entry.options)
        given = [_number(n, text, self.what) for n in numbers.split(",")] if numbers else []
        if len(given) > len(options):
            takes = f"{name} takes {len(options)} ({', '.join(options)})" if options else f"{name} takes none"
            raise InputError(f"too many numbers in {text!r}: {takes}.")
        return entry, entry.check(dict(zip(options, given, strict=False)), name)

    def _meant(self, text: str) -> str:
        """A question about a text such as `hold_at20` or `hold_at(20)`: whether `hold_at:20` was meant; or empty."""
        written = re.fullmatch(r"(\w*?[A-Za-z_])[\s:=(]*(-?\d[\d.,-]*)\)?", text.strip())
        takers = [name for name, entry in self.items() if entry.options]
        return did_you_mean(written[1].rstrip("_"), takers, 1, f"{{}}:{written[2]}") if written else ""

    def _discover(self) -> None:
        if self._package is None:
            return
        package = importlib.import_module(self._package)
        for module in pkgutil.iter_modules(package.__path__, f"{self._package}."):
            importlib.import_module(module.name)
        self._package = None

    def find(self, name: str) -> Entry | None:
        """The entry of this name if the module of the same name registers it; no other module is imported."""
        module = f"{self._package}.{name}"
        is_new = name not in self._entries and self._package is not None and name.isidentifier() and name[0] != "_"
        if is_new and find_spec(module):
            importlib.import_module(module)
        return self._entries.get(name)

    def __getitem__(self, name: str) -> Entry:
        self.find(str(name))
        if name not in self._entries:
            self._discover()
        if name not in self._entries:
            raise unknown(self.what, str(name), self._entries, lister=self._lister)
        return self._entries[name]

    def __contains__(self, name: object) -> bool:
        self._discover()
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        self._discover()
        return iter(sorted(self._entries))

    def __len__(self) -> int:
        self._discover()
        return len(self._entries)


def _number(text: str, whole: str, what: str) -> int | float:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    if re.fullmatch(r"\d+-\d+", text):
        span = text.replace("-", "..")
        raise InputError(f"{text!r} in {whole!r} is no number; {span} is every number of a range, in a tournament.")
    raise InputError(f"{text!r} in {whole!r} must be a number: write a {what} as name:number,number.")
