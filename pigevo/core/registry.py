"""Names to functions: how a game, strategy or operator is chosen from the command line.

A registry maps a name to one function.  The function's own signature is the only
list of its options: the first arguments are handed over by pigevo, every other one may
be set by the user, and is checked against its annotation.  Ranges are in
`pigevo.core.checked_values`.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import pkgutil
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any, TypeVar

from pigevo.core.checked_values import checked
from pigevo.errors import InputError, unknown

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Entry:
    """A function that can be chosen by name, the publication it is from, and its options.

    Options are the parameters that a user may set. `complete` checks options against each other and fills in those that
    follow from others; `uses` are the general settings, such as `mutation`, on which the function depends; `common` are
    the options that all functions of the kind have, and that pigevo passes itself; `parameters` are the names of those
    parameters that are called otherwise than the option, as an attribute of the class has its name.
    """

    name: str
    function: Callable[..., Any]
    source: str
    options: Mapping[str, inspect.Parameter]
    complete: Callable[[dict[str, Any]], dict[str, Any]] = dict
    uses: Callable[[Mapping[str, Any]], tuple[str, ...]] = lambda _: ()
    common: frozenset[str] = frozenset()
    parameters: Mapping[str, str] = field(default_factory=dict)

    def parameter(self, option: str) -> str:
        """The name of the parameter that an option sets."""
        return self.parameters.get(option, option)

    @property
    def defaults(self) -> dict[str, Any]:
        """The options that have a default, with it."""
        return {n: p.default for n, p in self.options.items() if p.default is not p.empty}

    @functools.cached_property
    def hints(self) -> dict[str, Any]:
        """The annotated type of each option that has one."""
        spelled = {p.name: p.annotation for p in self.options.values() if p.annotation is not p.empty}
        function: Any = self.function
        while isinstance(function, functools.partial):
            function = function.func
        if inspect.isclass(function):  # of a dataclass, `__init__` has names of the files of its bases, too
            hints = _hints(function.__init__) | _hints(function)
        else:  # an object that can be called has the hints of its method
            hints = _hints(function if inspect.isroutine(function) else type(function).__call__)
        hints |= {n: hint for n, hint in spelled.items() if not isinstance(hint, str)}
        return {n: hints[p.name] for n, p in self.options.items() if p.name in hints}

    def check(self, values: Mapping[str, Any], where: str) -> dict[str, Any]:
        """The values converted to the annotated types; `where` is the config key of the function, for messages."""
        hints = self.hints
        for name in values:
            if name not in self.options:
                takes = f"{self.name} takes {', '.join(self.options) or 'none'}"
                raise InputError(f"there is no setting {where}.{name}; {takes}.")
        for name, parameter in self.options.items():
            if parameter.default is parameter.empty and name not in values:
                raise InputError(f"{where}.{name} is missing: {self.name} needs it.")
        return {n: checked(v, hints.get(n, Any), f"{where}.{n}") for n, v in values.items()}

    def completed(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Checked values with the defaults of those left out, and what follows from them."""
        return self.complete({**self.defaults, **values})

    def bind(self, options: Mapping[str, Any]) -> Any:
        """The function with its options set; of a class an instance."""
        options = {self.parameter(name): value for name, value in options.items() if name not in self.common}
        if inspect.isclass(self.function):
            return self.function(**options)
        return functools.partial(self.function, **options)


def _hints(function: Any) -> dict[str, Any]:
    """The type hints of a function or class; none if they cannot be resolved."""
    try:
        return typing.get_type_hints(function, include_extras=True)
    except NameError:
        return {}


class Registry(Mapping[str, Entry]):
    """The functions of one kind (`what`: "strategy", "selection") by name.

    `given` is the number of arguments that pigevo passes itself: the first ones of a function, none of a class; what
    follows them in the signature is an option. The modules of `package` are imported at the first look-up and register
    themselves, so that a new file in it is all that a new entry needs. `common` has a parameter for each option that
    all entries have beside their own.
    """

    def __init__(
        self, what: str, given: int = 0, package: str | None = None, common: Sequence[inspect.Parameter] = ()
    ) -> None:
        self.what = what
        self._given = given
        self._common = {parameter.name: parameter for parameter in common}
        self._package = package
        self._entries: dict[str, Entry] = {}

    def register(
        self,
        *,
        source: str = "",
        name: str | None = None,
        complete: Callable[[dict[str, Any]], dict[str, Any]] = dict,
        uses: tuple[str, ...] | Callable[[Mapping[str, Any]], tuple[str, ...]] = (),
        called: Mapping[str, str] | None = None,
    ) -> Callable[[F], F]:
        """Decorator: enter a function under its own name, or under `name`; see `Entry` for the other arguments.

        `complete` is called with the options and the defaults of those left out; `uses` may be a function of the
        options; `called` are the options of parameters that they do not share the name with.
        """
        names = dict(called or {})

        def enter(function: F) -> F:
            key = name or function.__name__
            used = uses if callable(uses) else lambda _: uses
            options = {names.get(name, name): one for name, one in self._options(function).items()}
            parameters = {option: name for name, option in names.items()}
            self._entries[key] = Entry(
                key, function, source, options, complete, used, frozenset(self._common), parameters
            )
            return function

        return enter

    def own(self, name: str, function: Callable[..., Any], uses: tuple[str, ...] = ()) -> Entry:
        """An entry for a user's function, which is not registered."""
        try:
            parameters = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError) as error:
            raise InputError(f"{name} has no signature that can be read: write it in Python.") from error
        given = 0 if inspect.isclass(function) else self._given
        positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        if len(positional) < given:
            raise InputError(f"{name} takes {len(positional)} arguments: a {self.what} is handed {given}.")
        for one in parameters[given:]:
            if one.kind not in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY):
                raise InputError(f"{name} has the parameter {one}: its options must have names of their own.")
        return Entry(name, function, "", self._options(function), dict, lambda _: uses, frozenset(self._common))

    def _options(self, function: Callable[..., Any]) -> dict[str, inspect.Parameter]:
        parameters = list(inspect.signature(function).parameters.items())
        return self._common | dict(parameters[0 if inspect.isclass(function) else self._given :])

    def spelled(self, text: str) -> tuple[Entry, dict[str, Any]]:
        """The entry and options written as `name:number,number`."""
        name, _, numbers = text.partition(":")
        entry = self[name.strip()]
        options = list(entry.options)
        given = [_number(n, text, self.what) for n in numbers.split(",")] if numbers else []
        if len(given) > len(options):
            takes = f"{name} takes {len(options)} ({', '.join(options)})" if options else f"{name} takes none"
            raise InputError(f"too many numbers in {text!r}: {takes}.")
        return entry, entry.check(dict(zip(options, given, strict=False)), name)

    def _discover(self) -> None:
        if self._package is None:
            return
        package = importlib.import_module(self._package)
        for module in pkgutil.iter_modules(package.__path__, f"{self._package}."):
            importlib.import_module(module.name)
        self._package = None

    def find(self, name: str) -> Entry | None:
        """The entry of this name, if the module of this name has one; no other module is imported."""
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
            raise unknown(self.what, str(name), self._entries)
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
    raise InputError(f"{text!r} in {whole!r} must be a number: write a {what} as name:number,number.")
