"""Functions of users, from outside the package: found, told apart by their source, and named in messages.

Equal identities mean equal code, so that a run can tell whether it would be the same run.
"""

from __future__ import annotations

import dataclasses
import hashlib
import inspect
import os
import re
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib import import_module, metadata
from numbers import Number
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from pigevo import __version__
from pigevo.errors import InputError, unknown
from pigevo.own_source import PRIVATE, Sources, distributions, is_elsewhere, is_installed
from pigevo.reading import reading

_loaded: dict[tuple[Path, str], Sources] = {}


@dataclasses.dataclass(frozen=True)
class Own:
    """A function of a user."""

    name: str  # as it was written after the colon; or its qualified name
    function: Callable[..., Any]  # or a class
    path: Path | None  # the file that it stands in, absolute; None where there is none, as in a notebook
    identity: str  # changes whenever the code does, in hexadecimal digits
    files: tuple[Path, ...] = ()  # what that is of: its file, and what that imports from its folder; or nothing


def load(reference: str) -> Own:
    """Read `path/ops.py:name`, or `package.module:name` of what is installed or lies below; anew if it has changed.

    An InputError says that there is no such file, module or function, that it is no Python, fails or cannot be called.
    """
    place, _, name = reference.rpartition(":")
    if not place or not name:
        raise InputError(f"{reference!r} names no function: write path/ops.py:name or package.module:name.")
    file = place if place.endswith(".py") or "/" in place else f"{place.replace('.', '/')}.py"
    path = Path(os.path.realpath(os.path.expanduser(file)))
    if file == place and not os.path.exists(path):
        raise InputError(f"there is no file {place}.")
    source = Sources(path) if file == place or (path.is_file() and not is_elsewhere(place)) else None
    try:
        source = source and _loaded.setdefault((path, source.digest), source)
        with reading(place):
            module = source.module(path.stem) if source else import_module(place)
    except (Exception, SystemExit) as error:
        raise InputError(f"{place} cannot be imported: {failure(error, path)}.") from error
    found: Any = module
    for part in name.split("."):
        if not hasattr(found, part):
            here = [key for key, value in vars(module).items() if callable(value) and not key.startswith("_")]
            raise unknown("function", name, here, f" in {place}")
        found = getattr(found, part)
    if not callable(found):
        raise InputError(f"{name} in {place} is no function: it is a {type(found).__name__}.")
    own = dataclasses.replace(identity_of_object(found), name=name)
    if source is None or own.files == source.files:
        return own
    return Own(name, found, path, _Told().value((source.digest, name, own.identity)), source.files)


def identity_of_object(function: Callable[..., Any]) -> Own:
    """A function, class, method, partial application or callable object that Python hands over; this never fails.

    It is known by its file if that still holds its code, by the version of what is installed, else by its bytecode and
    the globals that it reads; and by the plain values of its defaults, closure, partial arguments and object.
    """
    target = _target(function)
    files = sources.files if (sources := _sources_of(target)) else ()
    return Own(_name(target), function, _file_of(target), _Told().value(function), files)


def place_of(function: Callable[..., Any]) -> str:
    """Where a function stands, for messages: `ops.py, line 12`; its name alone where there is no file."""
    target = _target(function)
    path, line = _file_of(target), ""
    with suppress(Exception):  # the file may not be what it was
        line = f", line {max(1, inspect.getsourcelines(target)[1])}"
    return f"{os.path.relpath(path)}{line}" if path else _name(target)


def failure(error: BaseException, path: Path | None) -> str:
    """What went wrong in a user's function, of that file or none: `ValueError: too many (ops.py, line 12)`."""
    message = " ".join(re.sub(rf"{PRIVATE}\w+\.?", "", str(error)).split())
    told = f"{type(error).__name__}: {message}" if message else type(error).__name__
    frames = [(Path(one.filename), one.lineno) for one in traceback.extract_tb(error.__traceback__)]
    inside = [one for one in frames if path and one[0].is_relative_to(path.parent) and not is_installed(one[0])]
    return f"{told} ({os.path.relpath(inside[-1][0])}, line {inside[-1][1]})" if inside else told


class _Told(dict[int, tuple[Any, str]]):
    """Values as hashes that are the same in every process: by `id`, with the values, so that no other gets theirs."""

    def value(self, value: Any) -> str:
        """A value; by its type alone if it is neither plain nor a function, or lies within itself."""
        if id(value) not in self:
            self[id(value)] = value, type(value).__qualname__
            with suppress(Exception):  # of objects that do not let themselves be looked at
                told = f"{type(value).__qualname__} {self._text(value)}"
                self[id(value)] = value, hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()
        return self[id(value)][1]

    def _text(self, value: Any) -> str:
        if isinstance(value, Number | str | bytes | bytearray | range):
            return repr(value)
        if isinstance(value, dict | set | frozenset | tuple | list):
            told = map(self.value, value.items() if isinstance(value, dict) else value)
            return str([*told] if isinstance(value, tuple | list) else sorted(told))
        if isinstance(value, CodeType):
            names = value.co_qualname, value.co_names, value.co_varnames, value.co_argcount, value.co_kwonlyargcount
            return self.value((value.co_code, value.co_consts, names))
        if callable(value) or _inner(value) is not None:
            return self.value(_parts(value))
        is_array = hasattr(type(value), "tolist")
        return self.value((str(value.dtype), value.tolist()) if is_array else _members(value))


def _parts(function: Any) -> Any:
    """What a function is made of, and the values that it carries along."""
    name, code, inner = _name(function), _get(function, "__code__"), _inner(function)
    is_partial = isinstance(function, partial)  # which `isroutine` takes for a method from Python 3.14 on
    is_plain = isinstance(function, type) or (inspect.isroutine(function) and not is_partial)
    if is_plain and "<" not in name and (package := _package(function)):
        return package, _get(function, "__module__"), name
    cells = [_get(cell, "cell_contents") for cell in _get(function, "__closure__") or ()]
    carried = ("__self__", "__defaults__", "__kwdefaults__") if is_plain else ("args", "keywords") if is_partial else ()
    held = [name, cells, *(_get(function, one) for one in carried), None if is_plain else _members(function)]
    if inner is not None:
        return held, inner
    if not is_plain:
        return held, _package(function), type(function), _package(type(function)) and _get(function, "__dict__")
    if sources := _sources_of(function):
        columns = [at for _, _, at, _ in code.co_positions() if at] if name.endswith("<lambda>") else []
        return held, sources.digest, _get(code, "co_firstlineno"), min(columns, default=0)
    if code:
        names, values = {name for one in _codes(code) for name in one.co_names}, function.__globals__
        return held, code, {name: values[name] for name in names if name in values}
    return held, {key: one for key, one in vars(function).items() if callable(one) or not key.startswith("__")}


def _members(value: Any) -> Any:
    if dataclasses.is_dataclass(value):  # whose other members, as those of installed classes, may come and go
        return [(field.name, _get(value, field.name)) for field in dataclasses.fields(value)]
    return None if _package(type(value)) else (type(value), _get(value, "__dict__"))


def _sources_of(target: Any) -> Sources | None:
    """What the file of a function is made of, if it holds, as it is now, that very code."""
    path, same = _file_of(target), _Told()
    with suppress(Exception):  # it may be no Python by now
        if path and not is_installed(path):
            sources = Sources(path)
            there = {same.value(code): code.co_qualname for code in _codes(sources.code)}
            members = vars(target).values() if isinstance(target, type) else [target]
            wanted = {same.value(code) for one in members if _file_of(code := _get(_target(one), "__code__")) == path}
            if wanted <= there.keys() and (wanted or _name(target) in there.values()):
                return sources
    return None


def _inner(function: Any) -> Any:
    """What a partial application, a method, or what decorates, compiles or vectorizes, wraps; None of all else."""
    if isinstance(function, partial):
        return function.func
    inner, held = _get(function, "__func__"), _get(function, "__dict__") or {}
    return inner or next((held[one] for one in ("__wrapped__", "pyfunc") if one in held), None)


def _target(function: Any) -> Any:
    """The innermost function; of an object its class."""
    for _ in range(20):
        function = function if (inner := _inner(function)) is None else inner
    is_object = isinstance(_get(type(function), "__call__"), FunctionType) and not isinstance(function, type)
    return type(function) if is_object else function


def _codes(code: CodeType) -> list[CodeType]:
    return [code, *(one for inner in code.co_consts if isinstance(inner, CodeType) for one in _codes(inner))]


def _file_of(target: Any) -> Path | None:
    with suppress(Exception):
        path = Path(inspect.getsourcefile(target) or "").resolve()
        return path if path.suffix == ".py" and path.is_file() else None
    return None


def _package(target: Any) -> str:
    """What a function was installed with, as `scipy 1.15`; empty for what is the user's own."""
    path, top = _file_of(target), str(_get(target, "__module__")).partition(".")[0]
    if (_get(target, "__code__") if path is None else not is_installed(path)) or not is_elsewhere(top):
        return ""
    versions = [metadata.version(name) for name in sorted(set(distributions().get(top, [])))]
    return f"{top} {__version__ if top == 'pigevo' else versions}"


def _name(target: Any) -> str:
    return str(_get(target, "__qualname__") or _get(target, "__name__") or type(target).__qualname__)


def _get(thing: Any, name: str) -> Any:
    with suppress(Exception):
        return getattr(thing, name, None)
    return None
