"""Functions of users, from outside the package: found, and named in messages.

While a user's file is read for its functions, nothing else begins in it.

A worker of a sweep, and `resume` and `verify`, import the file in which an operator stands.
Where that is a script that begins runs itself, each process would begin them once more.
"""

from __future__ import annotations

import ast
import inspect
import os
import re
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from pigevo.errors import InputError, unknown
from pigevo.user_code.identity import file_of, identify, name_of, target_of
from pigevo.user_code.source import PRIVATE, Sources, is_elsewhere, is_installed

_place: ContextVar[str] = ContextVar("place", default="")


@contextmanager
def reading(place: str) -> Iterator[None]:
    """Inside, a user's file is imported."""
    before = _place.set(place)
    try:
        yield
    finally:
        _place.reset(before)


def refuse_while_reading(what: str) -> None:
    """Refuse to begin work, by the function `what` of pigevo's, while a user's file is being read."""
    if place := _place.get():
        raise InputError(
            f"{what} is called while {place} is read for its functions: "
            'write the call below `if __name__ == "__main__":`'
        )


_loaded: dict[Path, tuple[Sources, dict[str, Own]]] = {}
"""For each file its sources at the last reading, and its functions as first loaded."""

_before: dict[str, str] = {}
"""The first identity of a function whose own calls change what it reads, by its present identity."""


@dataclass(frozen=True)
class Own:
    """A function or class of a user.

    Args:
        name: as it was written after the colon; or its qualified name.
        function: what is called.
        path: the file that it stands in, absolute; None where there is none, as in a notebook.
        identity: hexadecimal digits that change whenever the code does.
        files: what the identity is of: its file, and what that imports from its folder; or nothing.
        unknown: a value that it reads and that the identity cannot hold, as `dist of mine is a norm_gen`; or empty.
        edited: what in it is not what its file holds now, the name of a function or constant; or empty.
    """

    name: str
    function: Callable[..., Any]
    path: Path | None
    identity: str
    files: tuple[Path, ...] = ()
    unknown: str = ""
    edited: str = ""


def load(reference: str) -> Own:
    """A function by its reference; its file is read anew if it has changed.

    Args:
        reference: `path/ops.py:name`, or `package.module:name` of what is installed or lies below; `path/ops.py`
            alone, if there is one function or class in it.

    Raises:
        InputError: there is no such file, module or function, it is not Python, fails or cannot be called.
    """
    place, _, name = reference.rpartition(":")
    if not place and name.endswith(".py") and len(here := _defined_in(name)) == 1:
        place, name = name, here[0]
    if not place or not name:
        raise InputError(f"{reference!r} names no function: write {_full_names(place or name)}.")
    file = place if place.endswith(".py") or "/" in place else f"{place.replace('.', '/')}.py"
    path = Path(os.path.realpath(os.path.expanduser(file)))
    if file == place and not os.path.exists(path):
        raise InputError(f"there is no file {place}.")
    source = Sources(path) if file == place or (path.is_file() and not is_elsewhere(place)) else None
    try:
        if source:
            before = _loaded.get(path)
            if before is None or before[0].digest != source.digest:
                _loaded[path] = source, {}
            source, owned = _loaded[path]
            if name in owned:
                return owned[name]
        with reading(place):
            module = source.module(path.stem) if source else import_module(place)
    except (Exception, SystemExit) as error:
        raise InputError(f"{place} cannot be imported: {failure(error, path)}.") from error
    function: Any = module
    for part in name.split("."):
        if not hasattr(function, part):
            here = [key for key, value in vars(module).items() if callable(value) and not key.startswith("_")]
            raise unknown("function", name, here, f" in {place}")
        function = getattr(function, part)
    if not callable(function):
        raise InputError(f"{name} in {place} must be a function: it is a {type(function).__name__}.")
    refuse_unfinished(name, function)
    own = replace(identity_of_object(function), name=name)
    if source is None:
        return own
    if own.files != source.files:  # it stands elsewhere
        identity = identify((source.digest, name, own.identity)).hash
        own = replace(own, path=path, identity=identity, files=source.files)
    return owned.setdefault(name, own)


def _full_names(file: str) -> str:
    """The references of a file's functions, for messages; without functions, how to write one."""
    here = ", ".join(_defined_in(file))
    return f"{file}:NAME; there are: {here}" if here else "path/ops.py:name or package.module:name"


def _defined_in(file: str) -> list[str]:
    """The names of the functions and classes of a file, found without running it."""
    with suppress(OSError, ValueError, SyntaxError):
        parts = ast.parse(Path(os.path.expanduser(file)).read_bytes()).body
        return [p.name for p in parts if isinstance(p, ast.FunctionDef | ast.ClassDef) and not p.name.startswith("_")]
    return []


def identity_of_object(function: Callable[..., Any]) -> Own:
    """The record of a function, class, method, partial or callable object given in Python; this never fails."""
    target, identity = target_of(function), identify(function)
    digest = _before.get(identity.hash, identity.hash)
    return Own(name_of(target), function, file_of(target), digest, identity.files, identity.unknown, identity.edited)


def refuse_unfinished(name: str, function: Any) -> None:
    """Refuse async functions and generators, which return no result.

    Raises:
        InputError: it is `async`, or a generator.
    """
    called = getattr(function, "__call__", function) if inspect.isclass(function) else function  # noqa: B004
    called = called.func if isinstance(called, partial) else called
    if inspect.iscoroutinefunction(called) or inspect.isasyncgenfunction(called):
        raise InputError(f"{name} is an async function, whose result one would have to wait for: leave `async` out.")
    if inspect.isgeneratorfunction(called):
        raise InputError(f"{name} is a generator: it must `return` its whole result, and not `yield` parts of it.")


def note_changes(functions: Iterable[Own]) -> None:
    """Keep the identity of functions whose own calls have changed what they read."""
    for own in functions:
        _before[identify(own.function).hash] = own.identity


def refuse_unknown(what: str, own: Own | None) -> None:
    """Refuse a function of the user whose identity is unknown, since its results on disk could be mistaken."""
    if own and own.unknown:
        raise InputError(
            f"{what} cannot be told from another one, as results on disk need: {own.unknown}, whose content cannot be "
            "compared. Make it inside the function, from numbers, texts or arrays, or do without a folder."
        )


def place_of(function: Callable[..., Any]) -> str:
    """Where a function stands, for messages: `ops.py, line 12`; its name alone where there is no file."""
    target = target_of(function)
    path, line = file_of(target), ""
    with suppress(Exception):  # the file may not be what it was
        line = f", line {max(1, inspect.getsourcelines(target)[1])}"
    return f"{os.path.relpath(path)}{line}" if path else name_of(target)


def failure(error: BaseException, path: Path | None) -> str:
    """What went wrong in a user's function, of that file or none: `ValueError: too many (ops.py, line 12)`."""
    message = " ".join(re.sub(rf"{PRIVATE}\w+\.?", "", str(error)).split())
    sentence = f"{type(error).__name__}: {message}" if message else type(error).__name__
    frames = [(Path(one.filename), one.lineno) for one in traceback.extract_tb(error.__traceback__)]
    inside = [one for one in frames if path and one[0].is_relative_to(path.parent) and not is_installed(one[0])]
    return f"{sentence} ({os.path.relpath(inside[-1][0])}, line {inside[-1][1]})" if inside else sentence
