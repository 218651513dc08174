"""Functions of users, from outside the package: found, told apart by their source, and named in messages.

`load("ops.py:mine")` reads a function from a file or an installed package, and
`identity_of_object(mine)` takes one that Python hands over.  Both say what the function *is*:
equal identities mean equal code, so that a run can tell whether it would be the same run.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.util
import os
import platform
import re
import sys
import traceback
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pigevo import __version__
from pigevo.errors import InputError, unknown
from pigevo.own_loader import code_of, load_module
from pigevo.own_objects import (
    file_of,
    is_compiled_from,
    line_of,
    member,
    module_of,
    name_of,
    position,
    state_of,
    text_of,
    unwrapped,
)
from pigevo.own_sources import PREFIX, Code, is_installed
from pigevo.places import shown

_DEEPEST = 20


@dataclass(frozen=True)
class Own:
    """A function of a user.

    Args:
        name: the function's, as it was written after the colon; or its qualified name.
        function: the function or class itself.
        path: the file that it stands in, absolute; None where there is none, as in a notebook.
        identity: changes whenever the code does: a SHA-256 in hexadecimal digits, or
            `distribution==version module:name` for a function of an installed package.
        files: what the SHA-256 is of: the file, and the modules of its own folder that it
            imports, all absolute; empty where the identity is not that of files.
    """

    name: str
    function: Callable[..., Any]
    path: Path | None
    identity: str
    files: tuple[Path, ...] = ()


def load(reference: str) -> Own:
    """Read a function or class of a user.

    The identity of a file is a SHA-256 of its bytes and of those of all modules that it
    imports from its own folder, directly or not, with their names below that folder: to move
    the folder changes nothing.  Files elsewhere on Python's path do not belong to it.  Where
    any of these files has changed since the last call, all of them are loaded anew.

    Args:
        reference: `path/ops.py:name`, or `package.module:name` for what is installed (or lies
            where Python is started).

    Raises:
        InputError: there is no such file, module or function, it cannot be called, the file is
            no Python, or it fails while it is imported.
    """
    place, colon, name = reference.rpartition(":")
    if not colon or not place or not name:
        raise InputError(f"{reference!r} names no function: write path/ops.py:name or package.module:name.")
    if place.endswith(".py") or os.sep in place or "/" in place:
        return _from_file(Path(place), name)
    return _from_module(place, name)


def identity_of_object(function: Callable[..., Any]) -> Own:
    """A function or class that Python hands over; this never fails.

    It is known by its file (as `load` knows it) where it has one that still holds its code;
    else by its source, as in a notebook's cell, and the globals that it reads; else by its
    bytecode.  The values of its defaults, of its closure and of its partial arguments belong
    to the identity as far as they are plain: numbers, text, containers and arrays of them.

    Args:
        function: a function, class, method, partial application or callable object.
    """
    target = unwrapped(function)
    identity, files = _identity(function, frozenset())
    return Own(name_of(target), function, file_of(target), identity, files)


def place_of(function: Callable[..., Any]) -> str:
    """Where a function stands, for messages: `ops.py, line 12`; its name alone where there is no file."""
    target = unwrapped(function)
    path, line = file_of(target), line_of(target)
    if path is None:
        return name_of(target)
    return f"{shown(path)}, line {line}" if line else str(shown(path))


def failure(error: BaseException, path: Path | None) -> str:
    """What went wrong in a user's function: `ValueError: too many (ops.py, line 12)`.

    Args:
        error: the exception, with its traceback.
        path: the user's file; None where there is none.
    """
    return _failure(error, () if path is None else (path,))


def _failure(error: BaseException, paths: Iterable[Path]) -> str:
    message = " ".join(re.sub(rf"{PREFIX}\w+\.", "", str(error)).split())
    told = f"{type(error).__name__}: {message}" if message else type(error).__name__
    names = {str(path) for path in paths}
    inside = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename in names]
    return f"{told} ({shown(Path(inside[-1].filename))}, line {inside[-1].lineno})" if inside else told


def _from_file(place: Path, name: str) -> Own:
    path = Path(os.path.realpath(os.path.expanduser(place)))
    if not os.path.exists(path):
        raise InputError(f"there is no file {place}.")
    if path.is_dir() or path.suffix != ".py":
        raise InputError(f"{place} is no file of Python: write path/ops.py:name.")
    code = Code(path)
    function = _member(_imported(lambda: load_module(code), place, code.files), name, place)
    return Own(name, function, path, _hash(code.digest, name, _state(function)), code.files)


def _from_module(module: str, name: str) -> Own:
    top, *rest = module.split(".")
    nothing = InputError(f"there is no module {module!r}: write path/ops.py:name, or install the package.")
    if not all(part.isidentifier() for part in (top, *rest)):
        raise nothing
    try:
        spec = importlib.util.find_spec(top)
    except (ImportError, ValueError):
        spec = None
    origin = _origin(spec)
    distribution = _distribution(top, origin) if spec else None
    if distribution is None:  # found without importing what stands above it
        homes = [origin.parent if origin else Path()] if not rest or spec is None else []
        homes += [Path(home).parent for home in (spec.submodule_search_locations if spec else None) or ()]
        for place in (Path(home, top, *rest) for home in homes):
            for file in (place / "__init__.py", place.with_name(f"{place.name}.py")):
                if file.is_file():
                    return _from_file(file, name)
        if spec is None or rest:
            raise nothing
    found = _imported(lambda: importlib.import_module(module), module, ())
    function, path = _member(found, name, module), _origin(found.__spec__)
    if distribution is None and path is not None:  # compiled, by the user
        return Own(name, function, path, _hash(path.read_bytes().hex(), name), (path,))
    return Own(name, function, path, f"{distribution or top} {module}:{name}")


def _state(function: Any) -> str:
    return state_of(function, lambda other: _identity(other, frozenset({id(function)}))[0])


def _origin(spec: Any) -> Path | None:
    return Path(spec.origin).resolve() if spec is not None and spec.has_location and spec.origin else None


def _imported(action: Callable[[], types.ModuleType], place: Any, files: Iterable[Path]) -> types.ModuleType:
    try:
        return action()
    except (Exception, SystemExit) as error:
        raise InputError(f"{place} cannot be imported: {_failure(error, files)}.") from error


def _member(module: types.ModuleType, name: str, place: Any) -> Callable[..., Any]:
    """The function of that name in a module; dots lead into classes."""
    found: Any = module
    for part in name.split("."):
        if not hasattr(found, part):
            own = [k for k, v in vars(module).items() if callable(v) and module_of(v) == module.__name__]
            raise unknown("function", name, [k for k in own if not k.startswith("_")], f" in {place}")
        found = getattr(found, part)
    if not callable(found):
        raise InputError(f"{name} in {place} is no function: it is a {type(found).__name__}.")
    return found  # type: ignore[no-any-return]


def _identity(function: Any, above: frozenset[int]) -> tuple[str, tuple[Path, ...]]:
    """The identity of any callable, and the files that it is of; `above` are those that are being described."""
    target = unwrapped(function)
    module, name, path = module_of(target), name_of(target), file_of(target)
    if id(function) in above or len(above) > _DEEPEST:
        return name, ()

    def inner(other: Any) -> str:
        return _identity(other, above | {id(function)})[0]

    local = "<" in name
    there = path is not None or member(module, name) is not None
    if there and (distribution := _distribution(module.partition(".")[0], path)):
        told = f"{distribution} {module}:{name}"
        state = state_of(function, inner) if local or function is not target else ""
        return (_hash(told, state) if state else told), ()
    if local:
        name = f"{name}@{position(target)}"
    code = code_of(module) or _unchanged(target, path)
    if code is not None:
        return _hash(code.digest, name, state_of(function, inner)), code.files
    return _hash(name, text_of(target, inner), state_of(function, inner)), ()


def _unchanged(target: Any, path: Path | None) -> Code | None:
    """The code of the file of a function, unless the file has changed since Python read the function."""
    if path is None:
        return None
    try:
        code = Code(path)
    except InputError:
        return None
    return code if is_compiled_from(target, code.sources[code.main].content, path) else None


def _distribution(top: str, path: Path | None) -> str | None:
    """The distribution and version that a top-level module comes with; None for what is not installed as a copy."""
    if top == "pigevo":
        return f"pigevo=={__version__}"
    if top in sys.stdlib_module_names and (path is None or Path(os.__file__).parent in path.parents):
        return f"python=={platform.python_version()}"
    if path is not None and not is_installed(path):
        return None
    from importlib.metadata import version

    return ",".join(f"{name}=={version(name)}" for name in sorted(set(_distributions().get(top, [])))) or None


@functools.cache
def _distributions() -> Mapping[str, list[str]]:
    from importlib.metadata import packages_distributions

    return packages_distributions()


def _hash(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
