"""The identity of a function, as a hash that is the same in every process: equal hashes mean equal results.

The identity covers the function's code and every value that it reads: defaults, closure, globals, attributes,
and the object of a method.  Code is identified by its file, or else by its bytecode; installed code by its name
and version.  Values are identified by their content if they are of the types listed here; any other value is
reported, so that runs on disk that depend on it can be refused.  Not covered is everything that a function
reads while it runs: files, the environment, computed names.
"""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import dis
import enum
import functools
import hashlib
import inspect
import logging
import operator
import sys
import types
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path, PurePath
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from pigevo import __version__
from pigevo.user_code.source import Sources, distributions, is_elsewhere, is_installed

_ATOMS = {bool, float, complex, str, bytes, bytearray, range, slice, *map(type, (None, ..., NotImplemented))}
_REDUCED = (
    tuple, deque, defaultdict, OrderedDict, Counter, Fraction, decimal.Decimal, PurePath, datetime.date, datetime.time,
    datetime.timedelta, enum.Enum, logging.Logger, operator.itemgetter, operator.attrgetter, operator.methodcaller,
    functools.partial, types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType,
    types.MethodWrapperType, types.GenericAlias, types.UnionType, np.dtype,
)  # fmt: skip
"""Types of the standard library that pickle decomposes completely."""

_WRAPPED: dict[str, tuple[str, ...]] = {
    "method": ("__self__", "__func__"), "_lru_cache_wrapper": ("__wrapped__",),
    "classmethod": ("__func__",), "staticmethod": ("__func__",), "property": ("fget", "fset", "fdel"),
    "cached_property": ("func",), "vectorize": ("pyfunc", "otypes", "excluded", "signature"),
    "CPUDispatcher": ("py_func", "targetoptions"), "Pattern": ("pattern", "flags"),
}  # fmt: skip
"""The attributes that decide the results of methods and wrappers, by the name of the type."""


@dataclasses.dataclass(frozen=True)
class Identity:
    """The identity of a value: a SHA-256 in hex, and reasons for doubt, empty if there are none.

    `unknown` is the first value in it whose content cannot be read, and its place; `edited` is the first function in it
    whose code differs from its file's present content.  `files` are those that identify the innermost function's code.
    """

    hash: str
    unknown: str
    edited: str
    files: tuple[Path, ...]


def identify(value: Any) -> Identity:
    """The identity of a function or any other value; this never fails."""
    reader = _Reader()
    digest, known = reader.of(value), reader.known_by(target_of(value))
    unknown, edited = next(iter(reader.unknown), ""), next(iter(reader.edited), "")
    return Identity(digest, unknown, edited, known[0].files if known else ())


class _Reader:
    def __init__(self) -> None:
        self.unknown: list[str] = []
        self.edited: list[str] = []
        self._known: dict[int, tuple[Any, str]] = {}  # by `id`, with the values, so that no other gets theirs
        self._files: dict[Path, tuple[Sources, dict[str, int]] | None] = {}
        self._depth, self._at = 0, "it"

    def of(self, value: Any) -> str:
        """The hash of a value; a value that contains itself is hashed by its position."""
        if id(value) not in self._known:
            self._known[id(value)], self._depth = (value, f"@{self._depth}"), self._depth + 1
            try:
                content = repr(self._content(value))
            except Exception:  # not listed, too deep, or it cannot be inspected
                self.unknown.append(f"{self._at} is a {type(value).__name__}")
                content = ""
            self._depth -= 1
            text = f"{type(value).__qualname__} {content}"
            self._known[id(value)] = value, hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        return self._known[id(value)][1]

    def _content(self, value: Any) -> Any:
        kind = type(value)
        if kind in _ATOMS:
            return value
        if kind is int:
            return hex(value)  # of any length
        if kind in (tuple, list):
            return [self.of(one) for one in value]
        if kind in (set, frozenset):
            return sorted(map(self.of, value))
        if kind in (dict, types.MappingProxyType):
            return [(self.of(key), self.of(one)) for key, one in value.items()]
        if kind is np.ndarray or isinstance(value, np.generic):
            is_plain = not value.dtype.hasobject and value.dtype.kind != "T"
            return str(value.dtype), value.shape, value.tobytes() if is_plain else self.of(value.tolist())
        if kind is CodeType:
            counts = value.co_argcount, value.co_posonlyargcount, value.co_kwonlyargcount, value.co_flags
            names = value.co_qualname, value.co_names, value.co_varnames, value.co_freevars, value.co_cellvars
            return value.co_code, value.co_exceptiontable, self.of(value.co_consts), counts, names
        if import_path := _named(value):
            return import_path, _version(import_path)
        if kind is ModuleType:
            source = self._file(file_of(value))
            return value.__name__.rpartition(".")[2], source and source[0].digest
        if kind is FunctionType:
            return self._function(value)
        return self._class(value) if isinstance(value, type) else self._object(value)

    def _function(self, function: FunctionType) -> Any:
        code, path, known = function.__code__, file_of(function), self.known_by(function)
        place = known and (known[0].digest, known[1][self.of(code)])
        first = code.co_argcount - len(function.__defaults__ or ())
        held = dict(zip(code.co_varnames[first : code.co_argcount], function.__defaults__ or (), strict=True))
        held |= function.__kwdefaults__ or {}
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            with suppress(ValueError):  # an empty one
                held[name] = cell.cell_contents
        if not (path and is_installed(path)):
            read, constants = _read(function, held, alone=known is None), known[0].constants if known else {}
            changed = [one for one in read.keys() & constants.keys() if self.of(read[one]) != self.of(constants[one])]
            self.edited += [f"{one} of {name_of(function)}" for one in sorted(changed)]
            held |= read
        return name_of(function), place or self.of(code), self._held(function, held | vars(function))

    def _class(self, kind: type) -> Any:
        known, held = self.known_by(kind), {}
        for name, one in vars(kind).items():
            is_data = not name.startswith("__") and not hasattr(type(one), "__get__") and name != "_abc_impl"
            is_made = known and _get(_get(one, "__code__"), "co_filename") == "<string>"  # of what is in the file
            is_code = callable(one) or type(one).__name__ in _WRAPPED
            if (is_data or is_code) and not is_made and name not in ("__annotate__", "__annotate_func__"):
                held[name] = one
        return name_of(kind), known and known[0].digest, [*map(self.of, kind.__bases__)], self._held(kind, held)

    def _object(self, value: Any) -> Any:
        kind = type(value)
        import_path = _named(kind)
        if import_path and kind.__name__ in _WRAPPED:
            return import_path, self._held(value, {one: _get(value, one) for one in _WRAPPED[kind.__name__]})
        if import_path and dataclasses.is_dataclass(kind):  # whose other members may come and go
            return import_path, self._held(
                value, {one.name: getattr(value, one.name) for one in dataclasses.fields(kind)}
            )
        reduced: tuple[Any, ...] = *value.__reduce_ex__(2), None  # how it is made, of what, its state, and its items
        given, state, listed = reduced[1], reduced[2], [self.of([*one]) for one in reduced[3:] if one]
        if import_path and not isinstance(value, _REDUCED) and not (state is None and given == (kind,)):
            raise TypeError
        members = state if isinstance(state, dict) else {"state": state}
        return import_path or self.of(kind), self.of(given), listed, self._held(value, members)

    def _held(self, owner: Any, values: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Hash values together with the names that refer to them."""
        hashes, before = [], self._at
        for name, value in sorted(values.items()):
            self._at = f"{name} of {name_of(owner)}"
            hashes.append((name, self.of(value)))
        self._at = before
        return hashes

    def known_by(self, target: Any) -> tuple[Sources, dict[str, int]] | None:
        """The sources of a function's file, if the file still contains the same code, and the place of the code."""
        path = file_of(target)
        if path is None or is_installed(path):
            return None
        members = vars(target).values() if isinstance(target, type) else [target]
        wanted = {self.of(code) for one in members if file_of(code := _get(target_of(one), "__code__")) == path}
        known = self._file(path)
        if known and wanted <= known[1].keys() and (wanted or name_of(target) in known[1]):
            return known
        self.edited += [name_of(target)] if wanted else []
        return None

    def _file(self, path: Path | None) -> tuple[Sources, dict[str, int]] | None:
        """The sources of a user's file, and the places of code in it by hash and by name."""
        if path and path not in self._files:
            self._files[path] = None
            with suppress(Exception):  # it may no longer be Python
                codes = _codes((sources := Sources(path)).code)
                places = {one: place for place, code in enumerate(codes) for one in (self.of(code), code.co_qualname)}
                self._files[path] = sources, places
        return self._files.get(path) if path else None


def _read(function: FunctionType, held: Mapping[str, Any], alone: bool) -> dict[str, Any]:
    """The globals that a function reads, with attributes of the user's modules.

    `alone` means that no file shows which modules it imports.
    """
    done = [one for code in _codes(function.__code__) for one in dis.get_instructions(code)]
    attributes = {one.argval for one in done if one.opname.startswith(("LOAD_ATTR", "LOAD_METHOD"))}
    values = function.__globals__
    names = {one.argval for one in done if one.opname in ("LOAD_GLOBAL", "LOAD_NAME")} & values.keys()
    values_read = {name: values[name] for name in names if not name.startswith("__")}
    modules: dict[int, str] = {}
    left = [*values_read.items(), *held.items()]
    for name, one in left:
        if isinstance(one, ModuleType) and not _named(one) and modules.setdefault(id(one), name) == name:
            more = {f"{name}.{attribute}": vars(one)[attribute] for attribute in attributes & vars(one).keys()}
            values_read |= more
            left += more.items()
    for name in {str(one.argval) for one in done if one.opname == "IMPORT_NAME" and alone}:
        with suppress(Exception):  # there is none
            if not is_elsewhere(name) and (spec := find_spec(name)):
                values_read[f"import {name}"] = Sources(Path(str(spec.origin))).digest
    return {name: (import_path,) if (import_path := _named(one)) else one for name, one in values_read.items()}


def names_in(function: Any) -> set[str]:
    """All names in a function's or a class's code, and in that of the user's functions that it reads."""
    names: set[str] = set()
    left, seen = [function], set()
    for one in map(target_of, left):
        if id(one) in seen or not callable(one) or ((path := file_of(one)) and is_installed(path)):
            continue
        seen.add(id(one))
        if isinstance(one, type):
            left += vars(one).values()
        elif isinstance(one, FunctionType):
            names |= {name for code in _codes(one.__code__) for name in code.co_names}
            left += [cell.cell_contents for cell in one.__closure__ or () if _get(cell, "cell_contents")]
            left += _read(one, {}, alone=False).values()
    return names


def _named(value: Any) -> str:
    """The import path of an installed or standard object; empty for all others."""
    places = [value.__name__ if isinstance(value, ModuleType) else str(_get(value, "__module__"))]
    places += ["numpy", "scipy.special"] if isinstance(value, np.ufunc) else []
    path = file_of(value)
    if (path and not is_installed(path)) or not any(map(is_elsewhere, places)):
        return ""
    if isinstance(value, ModuleType) or (isinstance(value, type) and places == ["builtins"]):
        return f"{places[0]}:{name_of(value)}"
    for place in filter(is_elsewhere, places):
        for name in (name_of(value), *(name for name, one in _members(place).items() if one is value)):
            with suppress(Exception):
                if operator.attrgetter(name)(sys.modules[place]) is value:
                    return f"{place}:{name}"
    return ""


def _members(module: str) -> dict[str, Any]:
    return vars(sys.modules[module]) if module in sys.modules else {}


def _version(import_path: str) -> str:
    top = import_path.partition(":")[0].partition(".")[0]
    versions = [metadata.version(name) for name in sorted(set(distributions().get(top, [])))]
    return __version__ if top == "pigevo" else str(versions)


def target_of(function: Any) -> Any:
    """The innermost function of what is wrapped, decorated or compiled; of an object its class."""
    for _ in range(20):
        held = _get(function, "__dict__") or {}
        inner = function.func if isinstance(function, functools.partial) else _get(function, "__func__")
        inner = inner or next((held[one] for one in ("__wrapped__", "pyfunc") if one in held), None)
        if inner is None:
            break
        function = inner
    is_object = isinstance(_get(type(function), "__call__"), FunctionType) and not isinstance(function, type)
    return type(function) if is_object else function


def _codes(code: CodeType) -> list[CodeType]:
    return [code, *(one for inner in code.co_consts if isinstance(inner, CodeType) for one in _codes(inner))]


def file_of(target: Any) -> Path | None:
    """The Python file of a function, class or module; None if there is none."""
    with suppress(Exception):
        path = Path(inspect.getsourcefile(target) or "").resolve()
        return path if path.suffix == ".py" and path.is_file() else None
    return None


def name_of(target: Any) -> str:
    """The qualified name of a function, or of the class of an object."""
    return str(_get(target, "__qualname__") or _get(target, "__name__") or type(target).__qualname__)


def _get(thing: Any, name: str) -> Any:
    with suppress(Exception):
        return getattr(thing, name, None)
    return None
