"""What a function is, as a hash that is the same in every process: equal hashes mean equal code.

It is known by its file if that still holds its code, by the version of what is installed, else
by its bytecode and the globals that it reads; and by the plain values of its defaults, closure,
partial arguments and object.  So a run can tell whether it would be the same run.
"""

from __future__ import annotations

import dataclasses
import hashlib
import inspect
from contextlib import suppress
from functools import partial
from importlib import metadata
from numbers import Number
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from pigevo import __version__
from pigevo.own_source import Sources, distributions, is_elsewhere, is_installed


def told(value: Any) -> str:
    """A function or a plain value as a SHA-256 in hex; this never fails."""
    return _Hashes().value(value)


class _Hashes(dict[int, tuple[Any, str]]):
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
    name, code, inner = name_of(function), _get(function, "__code__"), _inner(function)
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
    if sources := sources_of(function):
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


def sources_of(target: Any) -> Sources | None:
    """What the file of a function is made of, if it holds, as it is now, that very code."""
    path, same = file_of(target), _Hashes()
    with suppress(Exception):  # it may be no Python by now
        if path and not is_installed(path):
            sources = Sources(path)
            there = {same.value(code): code.co_qualname for code in _codes(sources.code)}
            members = vars(target).values() if isinstance(target, type) else [target]
            wanted = {same.value(code) for one in members if file_of(code := _get(target_of(one), "__code__")) == path}
            if wanted <= there.keys() and (wanted or name_of(target) in there.values()):
                return sources
    return None


def _inner(function: Any) -> Any:
    """What a partial application, a method, or what decorates, compiles or vectorizes, wraps; None of all else."""
    if isinstance(function, partial):
        return function.func
    inner, held = _get(function, "__func__"), _get(function, "__dict__") or {}
    return inner or next((held[one] for one in ("__wrapped__", "pyfunc") if one in held), None)


def target_of(function: Any) -> Any:
    """The innermost function of what is wrapped, decorated or compiled; of an object its class."""
    for _ in range(20):
        function = function if (inner := _inner(function)) is None else inner
    is_object = isinstance(_get(type(function), "__call__"), FunctionType) and not isinstance(function, type)
    return type(function) if is_object else function


def _codes(code: CodeType) -> list[CodeType]:
    return [code, *(one for inner in code.co_consts if isinstance(inner, CodeType) for one in _codes(inner))]


def file_of(target: Any) -> Path | None:
    """The Python file that a function stands in; None where there is none."""
    with suppress(Exception):
        path = Path(inspect.getsourcefile(target) or "").resolve()
        return path if path.suffix == ".py" and path.is_file() else None
    return None


def _package(target: Any) -> str:
    """What a function was installed with, as `scipy 1.15`; empty for what is the user's own."""
    path, top = file_of(target), str(_get(target, "__module__")).partition(".")[0]
    if (_get(target, "__code__") if path is None else not is_installed(path)) or not is_elsewhere(top):
        return ""
    versions = [metadata.version(name) for name in sorted(set(distributions().get(top, [])))]
    return f"{top} {__version__ if top == 'pigevo' else versions}"


def name_of(target: Any) -> str:
    """The qualified name of a function, or of the class of an object."""
    return str(_get(target, "__qualname__") or _get(target, "__name__") or type(target).__qualname__)


def _get(thing: Any, name: str) -> Any:
    with suppress(Exception):
        return getattr(thing, name, None)
    return None
