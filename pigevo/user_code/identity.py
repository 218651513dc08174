"""The identity of a function, as a hash that is the same in every process: equal hashes mean equal results.

Code is identified by its source: the file of a function with all that it imports from its folder, or the function's own
text in a notebook; installed code by its name and version.  The values that a function reads (defaults, closure,
globals, attributes, the object of a method) are identified by what `pickle` would save of them.  A function without
source, or a value that cannot be pickled, is reported, so that runs on disk that depend on it can be refused.  Not
covered is everything that a function reads while it runs: files, the environment, computed names.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import io
import operator
import pickle
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType, MappingProxyType, ModuleType

from pigevo import __version__
from pigevo.core.imports import numpy as np
from pigevo.core.text import kind_of
from pigevo.user_code.source import Sources, is_installed_file, is_installed_module, packages_of

_PARTS: dict[str, tuple[str, ...]] = {
    "_lru_cache_wrapper": ("__wrapped__",), "classmethod": ("__func__",), "staticmethod": ("__func__",),
    "property": ("fget", "fset", "fdel"), "cached_property": ("func",), "CPUDispatcher": ("py_func", "targetoptions"),
    "method": ("__self__", "__func__"),
}  # fmt: skip
"""What decides the results of wrappers that cannot be pickled, by the name of their type."""

_NOT_READ = {
    "__dict__", "__weakref__", "__doc__", "__module__", "__qualname__", "__annotations__", "__annotate__",
    "__annotate_func__", "__annotations_cache__", "__firstlineno__", "__static_attributes__", "_abc_impl",
}  # fmt: skip
"""Attributes of classes that decide no result."""


@dataclass(frozen=True)
class Identity:
    """The identity of a value: a SHA-256 in hex, and reasons for doubt, empty if there are none.

    `unknown` says what in it has no identity; `edited` is the first function in it that is not what its file contains
    now.  `files` are those that identify the innermost function's code.
    """

    hash: str
    unknown: str
    edited: str
    files: tuple[Path, ...]


def identify(value: object) -> Identity:
    """The identity of a function or any other value; this never fails."""
    reader = _Reader()
    digest = reader.of(value, "it")
    target, edited = target_of(value), next(iter(reader.edited), "")
    sources = reader.sources(path) if (path := file_of(target)) and not edited else None
    names = {code.co_qualname for code in codes_in(sources.code)} if sources else set()
    if isinstance(target, type) and name_of(target) not in names:
        sources = None  # the class was made by a call while the file was run
    return Identity(digest, next(iter(reader.unknown), ""), edited, sources.files if sources else ())


class _Reader:
    """Reads values that belong together, and collects what has no identity."""

    def __init__(self) -> None:
        self.unknown: list[str] = []
        self.edited: list[str] = []
        self.open: dict[int, int] = {}
        """The functions and classes that are being read, by `id`, with their depth."""
        self._known: dict[int, tuple[object, str]] = {}  # by `id`, with the values, so that no other gets theirs
        self._sources: dict[Path, Sources | None] = {}

    def of(self, value: object, role: str) -> str:
        """The hash of a value, whose role is stated in words, for example `share of mine`."""
        if id(value) not in self._known:
            content = io.BytesIO()
            try:
                _Pickler(self, content).dump(value)
            except Exception:  # it, or something in it, cannot be pickled
                self._known[id(value)] = value, ""
                owner = _get(value, "__self__") or value
                if hasattr(owner, "__dict__") and not _installed_name(type(owner)):
                    self.named(owner, vars(owner))  # reports which part cannot be pickled
                self.unknown.append(
                    f"{role} is {kind_of(value)}, whose content cannot be compared: make it inside the "
                    "function, from numbers, texts or arrays"
                )
            self._known[id(value)] = value, hashlib.sha256(content.getvalue()).hexdigest()
        return self._known[id(value)][1]

    def named(self, owner: object, values: Mapping[str, object]) -> list[tuple[str, str]]:
        """The hashes of values that a function or class refers to by names."""
        return [(name, self.of(value, f"{name} of {name_of(owner)}")) for name, value in sorted(values.items())]

    def sources(self, path: Path) -> Sources | None:
        """The sources of a user's file; None for an installed file, or one that is no longer Python."""
        if path not in self._sources:
            self._sources[path] = None
            with suppress(Exception):
                self._sources[path] = None if is_installed_file(path) else Sources(path)
        return self._sources[path]

    def code(self, function: FunctionType) -> object:
        """What identifies a function's code: its file and where in it, or its own text."""
        path, code = file_of(function), _without_lines(function.__code__)
        if path and is_installed_file(path):
            return function.__module__, _version(function.__module__)
        sources = self.sources(path) if path else None
        codes = [*map(_without_lines, codes_in(sources.code))] if sources else []
        if sources and code in codes:
            return sources.digest, codes.index(code)
        if path:
            self.edited.append(name_of(function))
        with suppress(Exception):
            if not path and function.__code__.co_filename != "<string>":  # one name for all that `exec` was given
                columns = [position[2:] for position in function.__code__.co_positions()]  # of lambdas in one line
                return inspect.getsource(function), columns if function.__name__ == "<lambda>" else None
        self.unknown += [] if path else [f"{name_of(function)} has no source: write it into a file"]
        return None

    def function(self, function: FunctionType) -> object:
        """What identifies a function: its code, and the values that it reads."""
        code = function.__code__
        first = code.co_argcount - len(function.__defaults__ or ())
        values = dict(zip(code.co_varnames[first : code.co_argcount], function.__defaults__ or (), strict=True))
        values |= function.__kwdefaults__ or {}
        for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
            with suppress(ValueError):  # an empty cell
                values[name] = cell.cell_contents
        path = file_of(function)
        values |= {} if path and is_installed_file(path) else globals_read(function)
        attributes = {name: value for name, value in vars(function).items() if not name.startswith("__")}
        return name_of(function), self.code(function), self.named(function, values | attributes)

    def class_(self, kind: type) -> object:
        """What identifies a class: its bases and members, whose code is identified by its source."""
        members = {name: value for name, value in vars(kind).items() if name not in _NOT_READ}
        if {"__dataclass_fields__", "_field_defaults"} & members.keys():  # from which the methods are generated
            members = {name: value for name, value in members.items() if not _is_generated(name, value)}
        return name_of(kind), kind.__bases__, self.named(kind, members)


class _Pickler(pickle.Pickler):
    """Pickles a value, in which code stands for its source; equal values give equal bytes."""

    def __init__(self, reader: _Reader, file: io.BytesIO) -> None:
        super().__init__(file, protocol=4)
        self.fast = True  # no references to what was pickled before, since these depend on which values are shared
        self._reader = reader

    def persistent_id(self, value: object) -> object:
        """What is pickled in place of a value; None for the value itself."""
        kind = type(value)
        if kind in (set, frozenset):
            return kind.__name__, sorted(self._reader.of(member, "a member of a set") for member in value)  # type: ignore[attr-defined]
        if isinstance(value, np.ndarray) and kind is np.ndarray:
            plain = not value.dtype.hasobject and value.dtype.kind != "T"
            return "array", str(value.dtype), value.shape, value.tobytes() if plain else value.tolist()
        if re.match(r"(numpy\.)?random\b", kind.__module__):
            raise TypeError  # a random generator gives other numbers each time, and a resumed run would differ
        if kind is MappingProxyType:
            return "mapping", dict(value)  # type: ignore[call-overload]
        if import_path := _installed_name(value):
            return "installed", import_path, _version(import_path)
        if isinstance(value, ModuleType):
            path = file_of(value)
            sources = self._reader.sources(path) if path else None
            return "module", value.__name__.rpartition(".")[2], sources.digest if sources else None
        if kind.__name__ in _PARTS and _installed_name(kind):
            return kind.__name__, [getattr(value, part) for part in _PARTS[kind.__name__]]
        return self._code(value) if isinstance(value, FunctionType | type) else None

    def _code(self, value: FunctionType | type) -> object:
        open_values = self._reader.open
        if id(value) in open_values:
            return "within", open_values[id(value)]  # it refers to itself
        open_values[id(value)] = len(open_values)
        try:
            return self._reader.class_(value) if isinstance(value, type) else self._reader.function(value)
        finally:
            del open_values[id(value)]


def _without_lines(code: CodeType) -> CodeType:
    """Code as it would be in another file, or on other lines of its file."""
    inner = tuple(_without_lines(value) if isinstance(value, CodeType) else value for value in code.co_consts)
    return code.replace(co_filename="", co_firstlineno=1, co_linetable=b"", co_consts=inner)


def _is_generated(name: str, value: object) -> bool:
    code = getattr(target_of(value), "__code__", None)
    return code is not None and code.co_filename == "<string>" and name.startswith("__") and name != "__call__"


def codes_in(code: CodeType) -> Iterator[CodeType]:
    """A code object and all code objects that are defined in it."""
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from codes_in(inner)


def globals_read(function: FunctionType) -> dict[str, object]:
    """The globals that a function reads, with the attributes that it reads of the user's modules and of theirs."""
    names = {name for code in codes_in(function.__code__) for name in code.co_names if not name.startswith("__")}
    values: dict[str, object] = {name: value for name, value in function.__globals__.items() if name in names}
    left, followed = list(values.items()), set[int]()
    for module_name, module in left:  # also modules that are read from modules
        if isinstance(module, ModuleType) and id(module) not in followed and not _installed_name(module):
            followed.add(id(module))
            members = vars(module)
            read = {f"{module_name}.{name}": members[name] for name in sorted(names & members.keys())}
            values |= read
            left += read.items()
    return values


def names_in(function: object) -> set[str]:
    """All names in a function's or a class's code, and in that of the user's functions that it reads."""
    names: set[str] = set()
    left: list[object] = [function]
    done: set[int] = set()
    for value in map(target_of, left):
        if id(value) in done or ((path := file_of(value)) and is_installed_file(path)):
            continue
        done.add(id(value))
        if isinstance(value, type):
            left += vars(value).values()
        elif isinstance(value, FunctionType):
            names |= {name for code in codes_in(value.__code__) for name in code.co_names}
            left += inspect.getclosurevars(value).nonlocals.values()
            left += globals_read(value).values()
    return names


def _installed_name(value: object) -> str:
    """The import path of an installed or standard object; empty for all others."""
    module = value.__name__ if isinstance(value, ModuleType) else _get(value, "__module__")
    module_names = [module] if isinstance(module, str) else []
    if isinstance(value, np.ufunc):
        module_names += ["numpy", "scipy.special"]
    path = file_of(value)
    if (path and not is_installed_file(path)) or not any(map(is_installed_module, module_names)):
        return ""
    if isinstance(value, ModuleType):
        return f"{module}:{module}"
    for module_name in filter(is_installed_module, module_names):
        members = vars(sys.modules[module_name]) if module_name in sys.modules else {}
        for name in (name_of(value), *(name for name, member in members.items() if member is value)):
            with suppress(Exception):
                if operator.attrgetter(name)(sys.modules[module_name]) is value:
                    return f"{module_name}:{name}"
    return ""


def _version(import_path: str) -> str:
    from importlib import metadata  # takes a while to import, and is rarely needed

    top = import_path.partition(":")[0].partition(".")[0]
    return __version__ if top == "pigevo" else str([metadata.version(name) for name in packages_of(top)])


def target_of(function: object) -> object:
    """The function inside a wrapped, decorated or compiled one; the class of any other object."""
    for _ in range(20):
        held = vars(function) if hasattr(function, "__dict__") else {}
        inner = function.func if isinstance(function, functools.partial) else _get(function, "__func__")
        inner = inner or next((held[name] for name in ("__wrapped__", "pyfunc") if name in held), None)
        if inner is None:
            break
        function = inner
    is_object = isinstance(_get(type(function), "__call__"), FunctionType) and not isinstance(function, type)
    return type(function) if is_object else function


def file_of(target: object) -> Path | None:
    """The Python file of a function, class or module; None if there is none."""
    with suppress(Exception):
        path = Path(inspect.getsourcefile(target) or "").resolve()  # type: ignore[arg-type]
        return path if path.suffix == ".py" and path.is_file() else None
    return None


def name_of(target: object) -> str:
    """The qualified name of a function, or of the class of an object."""
    return str(_get(target, "__qualname__") or _get(target, "__name__") or type(target).__qualname__)


def _get(thing: object, name: str) -> object:
    with suppress(Exception):
        return getattr(thing, name, None)
    return None
