"""Functions of users, from outside the package: found, told apart by their source, and named in messages.

`load("ops.py:mine")` reads a function from a file or an installed package, and
`identity_of_object(mine)` takes one that Python hands over.  Both say what the function *is*:
equal identities mean equal code, so that a run can tell whether it would be the same run.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import importlib
import inspect
import os
import re
import sys
import traceback
import types
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.metadata import packages_distributions, version
from numbers import Number
from pathlib import Path
from typing import Any

from pigevo import __version__
from pigevo.errors import InputError, unknown
from pigevo.own_source import PRIVATE, Sources, is_elsewhere, is_installed, shown

_distributions = functools.cache(packages_distributions)
_loaded: dict[tuple[Path, str], Sources] = {}


@dataclasses.dataclass(frozen=True)
class Own:
    """A function of a user.

    Args:
        name: the function's, as it was written after the colon; or its qualified name.
        function: the function or class itself.
        path: the file that it stands in, absolute; None where there is none, as in a notebook.
        identity: changes whenever the code does, in hexadecimal digits.
        files: what the identity is of: its file, and what that imports from its folder; empty if it is of no files.
    """

    name: str
    function: Callable[..., Any]
    path: Path | None
    identity: str
    files: tuple[Path, ...] = ()


def load(reference: str) -> Own:
    """Read a function or class of a user; anew where the file, or what it imports from its folder, has changed.

    Args:
        reference: `path/ops.py:name`, or `package.module:name` for what is installed or lies below this folder.

    Raises:
        InputError: there is no such file, module or function, it cannot be called, or the file is no Python or fails.
    """
    place, colon, name = reference.rpartition(":")
    if not colon or not place or not name:
        raise InputError(f"{reference!r} names no function: write path/ops.py:name or package.module:name.")
    file = place if place.endswith(".py") or "/" in place else f"{place.replace('.', '/')}.py"
    sources = None
    if file == place or (os.path.isfile(file) and not is_elsewhere(place.partition(".")[0])):
        sources = _sources(file)
    try:
        module = sources.module(sources.path.stem) if sources else importlib.import_module(place)
    except (Exception, SystemExit) as error:
        told = f"{place} cannot be imported: {failure(error, sources.path if sources else None)}"
        raise InputError(f"{told}." if sources else f"{told}; write path/ops.py:name for a file.") from error
    found: Any = module
    for part in name.split("."):
        if not hasattr(found, part):
            here = [k for k, v in vars(module).items() if callable(v) and _get(v, "__module__") == module.__name__]
            raise unknown("function", name, [k for k in here if not k.startswith("_")], f" in {place}")
        found = getattr(found, part)
    if not callable(found):
        raise InputError(f"{name} in {place} is no function: it is a {type(found).__name__}.")
    own = dataclasses.replace(identity_of_object(found), name=name)
    if sources is None or own.files == sources.files:
        return own
    return Own(name, found, sources.path, _hashed(sources.digest, name, own.identity), sources.files)


def identity_of_object(function: Callable[..., Any]) -> Own:
    """A function, class, method, partial application or callable object that Python hands over; this never fails.

    It is known by its file where that still holds its code, or by the version of the package it was installed
    with; else, as in a notebook's cell, by its bytecode and the globals that it reads.  The values of its
    defaults, its closure, its partial arguments and its object belong to the identity as far as they are plain.
    """
    target = _layers(function)[-1]
    return Own(_name(target), function, _file_of(target), *_Told().function(function))


def place_of(function: Callable[..., Any]) -> str:
    """Where a function stands, for messages: `ops.py, line 12`; its name alone where there is no file."""
    target = _layers(function)[-1]
    if (path := _file_of(target)) is None:
        return _name(target)
    with suppress(Exception):  # the file is not what it was
        return f"{shown(path)}, line {max(1, inspect.getsourcelines(target)[1])}"
    return shown(path)


def failure(error: BaseException, path: Path | None) -> str:
    """What went wrong in a user's function: `ValueError: too many (ops.py, line 12)`.

    Args:
        error: the exception, with its traceback.
        path: the user's file; None where there is none.
    """
    message = " ".join(re.sub(rf"{PRIVATE}\w+\.?", "", str(error)).split())
    told = f"{type(error).__name__}: {message}" if message else type(error).__name__
    frames = [(Path(one.filename), one.lineno) for one in traceback.extract_tb(error.__traceback__)]
    inside = [one for one in frames if path and one[0].is_relative_to(path.parent) and not is_installed(one[0])]
    return f"{told} ({shown(inside[-1][0])}, line {inside[-1][1]})" if inside else told


def _sources(place: str) -> Sources:
    path = Path(os.path.realpath(os.path.expanduser(place)))
    if not os.path.exists(path):
        raise InputError(f"there is no file {place}.")
    if path.is_dir() or path.suffix != ".py":
        raise InputError(f"{place} is no file of Python: write path/ops.py:name.")
    sources = Sources(path)
    return _loaded.setdefault((path, sources.digest), sources)


class _Told(dict[int, tuple[Any, str]]):
    """What values are, the same in every process: by `id`, with the values, so that no other one gets theirs."""

    def function(self, function: Any) -> tuple[str, tuple[Path, ...]]:
        """What a function is, with all that it carries along, and the files that tell it."""
        self.setdefault(id(function), (function, "itself"))
        target = _layers(function)[-1]
        code, parts = _get(target, "__code__"), [_name(target), *map(self.value, _carried(function))]
        if package := _package(target):
            return _hashed(*parts, package, str(_get(target, "__module__"))), ()
        if sources := self._file(target):
            columns = [column for _, _, column, _ in code.co_positions() if column] if code else []
            line = f"{code.co_firstlineno} {min(columns, default=0)}" if code else ""
            return _hashed(*parts, sources.digest, line), sources.files
        if code:
            names, values = {name for one in _codes(code) for name in one.co_names}, _get(target, "__globals__") or {}
            parts += [self.value(code), self.value({name: values[name] for name in names if name in values})]
        else:
            members = dict(_get(target, "__dict__") or {}).items()
            parts.append(self.value({name: one for name, one in members if callable(one) or name[:2] != "__"}))
        return _hashed(*parts), ()

    def value(self, value: Any) -> str:
        """A value: plain ones, containers and functions by what they hold, others and those within themselves by type."""
        if id(value) not in self:
            self[id(value)] = value, type(value).__qualname__
            with suppress(Exception):  # of objects that do not let themselves be looked at
                self[id(value)] = value, _hashed(type(value).__qualname__, self._text(value))
        return self[id(value)][1]

    def _text(self, value: Any) -> str:
        if isinstance(value, Number | str | bytes | bytearray | range):
            return repr(value)
        if isinstance(value, dict | set | frozenset):
            return str(sorted(map(self.value, value.items() if isinstance(value, dict) else value)))
        if isinstance(value, tuple | list):
            return str([*map(self.value, value)])
        if isinstance(value, types.CodeType):
            names = value.co_qualname, value.co_names, value.co_varnames, value.co_argcount, value.co_kwonlyargcount
            return self.value((value.co_code, value.co_consts, names))
        if callable(value) or _get(value, "__func__"):
            return self.function(value)[0]
        if dataclasses.is_dataclass(value):
            return self.value(_members(value))
        return self.value((str(value.dtype), value.shape, value.tolist()))  # of an array

    def _file(self, target: Any) -> Sources | None:
        """The file of a function if it holds, as it is now, that very code."""
        path = _file_of(target)
        with suppress(InputError):
            sources = Sources(path) if path else None
            there = [*_codes(sources.code)] if sources else []
            members = [target, *(vars(target).values() if isinstance(target, type) else ())]
            codes = [_get(_layers(one)[-1], "__code__") for one in members]
            wanted = {self.value(code) for code in codes if path and _file_of(code) == path}
            if _name(target) in [one.co_qualname for one in there] and wanted <= {self.value(one) for one in there}:
                return sources
        return None


def _layers(function: Any) -> list[Any]:
    """A function, what it wraps, what that wraps, and so on; last the innermost function or an object's class."""
    layers = [function]
    for _ in range(20):
        names = ("func",) if isinstance(layers[-1], functools.partial) else ("__func__", "__wrapped__", "py_func")
        layers += [inner for name in names if (inner := _get(layers[-1], name)) is not None][:1]
    kind = type(layers[-1])
    is_object = isinstance(_get(kind, "__call__"), types.FunctionType) and not isinstance(layers[-1], type)
    return [*layers, kind] if is_object else layers


def _carried(function: Any) -> Iterator[Any]:
    """The values that a function carries along: defaults, closure, partial arguments, members of its object."""
    for one in (layers := _layers(function)):
        if isinstance(one, functools.partial):
            yield one.args, one.keywords
        elif isinstance(one, types.FunctionType):
            if "<" not in one.__qualname__ and _package(one):
                return
            yield one.__defaults__, one.__kwdefaults__, [_get(cell, "cell_contents") for cell in one.__closure__ or ()]
        elif isinstance(one, types.MethodType | types.BuiltinMethodType):
            yield one.__self__, _members(one.__self__)
        elif type(one) is layers[-1] or not _package(type(one)):
            yield type(one), _members(one)


def _members(value: Any) -> Any:
    if dataclasses.is_dataclass(value):  # whose other members may come and go
        return {field.name: _get(value, field.name) for field in dataclasses.fields(value)}
    return None if isinstance(value, type | types.ModuleType) else _get(value, "__dict__")


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for one in code.co_consts:
        yield from _codes(one) if isinstance(one, types.CodeType) else ()


def _file_of(target: Any) -> Path | None:
    with suppress(Exception):
        path = Path(inspect.getsourcefile(target) or "").resolve()
        return path if path.suffix == ".py" and path.is_file() else None
    return None


def _package(target: Any) -> str:
    """What a function was installed with, as `scipy==1.15`; empty for what is the user's own."""
    path, module = _file_of(target), str(_get(target, "__module__") or type(target).__module__)
    top = module.partition(".")[0]
    if _get(target, "__code__") if path is None else not is_installed(path):
        return ""
    names = [f"pigevo=={__version__}"] if top == "pigevo" else sorted(set(_distributions().get(top, [])))
    return ",".join(f"{name}=={version(name)}" for name in names) or "python" * (top in sys.stdlib_module_names)


def _name(target: Any) -> str:
    name = _get(_get(target, "__code__"), "co_qualname") or _get(target, "__qualname__") or _get(target, "__name__")
    return str(name or type(target).__qualname__)


def _get(thing: Any, name: str) -> Any:
    with suppress(Exception):
        return getattr(thing, name, None)
    return None


def _hashed(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
