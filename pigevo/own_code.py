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
import inspect
import os
import sys
import traceback
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pigevo.errors import InputError, unknown
from pigevo.own_source import digest_of, files_of
from pigevo.reading import reading

_PRIVATE = "_pigevo_own_"
"""How the names begin under which users' files are imported."""

_DEEPEST = 10
"""Wrappers within wrappers, and values within values, that are looked into."""

_loaded: dict[Path, tuple[str, types.ModuleType]] = {}
"""The modules of users' files, with the digest of what they were read from."""


@dataclass(frozen=True)
class Own:
    """A function of a user.

    Args:
        name: the function's, as it was written after the colon; or its qualified name.
        function: the function or class itself.
        path: the file that it stands in, absolute; None where there is none, as in a notebook.
        identity: changes whenever the code does, in hexadecimal digits.
        files: what the identity is of: the file, and the modules of its own folder that it imports; empty
            where it is not that of files.
    """

    name: str
    function: Callable[..., Any]
    path: Path | None
    identity: str
    files: tuple[Path, ...] = ()


def load(reference: str) -> Own:
    """Read a function or class of a user.

    Args:
        reference: `path/ops.py:name`, or `package.module:name` for what is installed.

    Raises:
        InputError: there is no such file, module or function, it cannot be called, the file is
            no Python, or it fails while it is imported.
    """
    place, colon, name = reference.rpartition(":")
    if not colon or not place or not name:
        raise InputError(f"{reference!r} names no function: write path/ops.py:name or package.module:name.")
    with reading(place):
        module = _module_of_file(Path(place)) if place.endswith(".py") or "/" in place else _installed(place)
    found: Any = module
    for part in name.split("."):
        if not hasattr(found, part):
            own = [k for k, v in vars(module).items() if callable(v) and v.__module__ == module.__name__]
            raise unknown("function", name, [k for k in own if not k.startswith("_")], f" in {place}")
        found = getattr(found, part)
    if not callable(found):
        raise InputError(f"{name} in {place} is no function: it is a {type(found).__name__}.")
    own_one = identity_of_object(found)
    return Own(name, found, own_one.path, own_one.identity, own_one.files)


def identity_of_object(function: Callable[..., Any]) -> Own:
    """A function or class that Python hands over.

    It is known by its file where it has one, by the version of the package it was installed with, else by its
    source, as in a notebook's cell, or its bytecode.  The values of its defaults, of its closure and of its
    partial arguments belong to the identity.

    Args:
        function: a function, class, method or partial application.
    """
    target = _unwrapped(function)
    path, name = _file_of(target), str(getattr(target, "__qualname__", type(target).__name__))
    files: tuple[Path, ...] = ()
    if version := _version(target):
        source = version
    elif path is not None and _is_in(path, target):
        files = files_of(path)
        source = digest_of(files) + (_of_code(target.__code__) if "<lambda>" in name else "")
    else:
        source = _source(target)
    told = "\n".join([source, name, *_carried(function)])
    return Own(name, function, path, hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest(), files)


def place_of(function: Callable[..., Any]) -> str:
    """Where a function stands, for messages: `ops.py, line 12`; its name alone where there is no file."""
    target = _unwrapped(function)
    path = _file_of(target)
    if path is None:
        return str(getattr(target, "__qualname__", type(target).__name__))
    try:
        return f"{_shown(path)}, line {max(1, inspect.getsourcelines(target)[1])}"
    except (OSError, TypeError):
        return _shown(path)


def failure(error: BaseException, path: Path | None) -> str:
    """What went wrong in a user's function: `ValueError: too many (ops.py, line 12)`.

    Args:
        error: the exception, with its traceback.
        path: the user's file; None where there is none.
    """
    message = " ".join(str(error).split())
    told = f"{type(error).__name__}: {message}" if message else type(error).__name__
    folder = None if path is None else path.parent
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame for frame in frames if folder is not None and Path(frame.filename).parent == folder]
    return f"{told} ({_shown(Path(inside[-1].filename))}, line {inside[-1].lineno})" if inside else told


def _module_of_file(place: Path) -> types.ModuleType:
    """The module of a user's file; read again whenever the file, or what it imports from its folder, has changed."""
    path = place.expanduser().resolve()
    if not path.exists():
        raise InputError(f"there is no file {place}.")
    if path.is_dir() or path.suffix != ".py":
        raise InputError(f"{place} is no file of Python: write path/ops.py:name.")
    files = files_of(path)
    digest = digest_of(files)
    known, module = _loaded.get(path, ("", None))
    if module is None or known != digest:
        name = f"{_PRIVATE}{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module  # dataclasses look for it there
        with _importing(place, files):
            spec.loader.exec_module(module)
        _loaded[path] = digest, module
    return module


def _installed(name: str) -> types.ModuleType:
    try:
        return importlib.import_module(name)
    except Exception as error:
        raise InputError(
            f"{name} cannot be imported: {failure(error, None)}; write path/ops.py:name for a file."
        ) from error


@contextmanager
def _importing(place: Path, files: tuple[Path, ...]) -> Iterator[None]:
    """Inside, and from then on, modules are also looked for in the file's folder, after all other places.

    So nothing in the folder can stand for a module that is installed.  Modules that another
    folder has under the same names are forgotten, and nothing is written beside the files.
    """
    folder, writing = str(files[0].parent), sys.dont_write_bytecode
    folders = {str(path.parent) for path in _loaded} - {folder}
    sys.path[:] = [*(entry for entry in sys.path if entry not in folders | {folder}), folder, *folders]
    for name, module in list(sys.modules.items()):
        file = str(getattr(module, "__file__", None) or "")
        if not name.startswith(_PRIVATE) and file.startswith(tuple(f"{one}{os.sep}" for one in (folder, *folders))):
            if not {"site-packages", "dist-packages"} & set(Path(file).parts):
                del sys.modules[name]
    sys.dont_write_bytecode = True
    importlib.invalidate_caches()
    try:
        yield
    except (Exception, SystemExit) as error:
        raise InputError(f"{place} cannot be imported: {failure(error, files[0])}.") from error
    finally:
        sys.dont_write_bytecode = writing


def _unwrapped(function: Any) -> Any:
    """The function or class inside partial applications, methods, decorators and callable objects."""
    for _ in range(_DEEPEST):
        if isinstance(function, functools.partial):
            function = function.func
        elif isinstance(function, types.MethodType):
            function = function.__func__
        elif inner := getattr(function, "__wrapped__", None) or getattr(function, "py_func", None):
            function = inner
        else:
            break
    return function if inspect.isroutine(function) or inspect.isclass(function) else type(function)


def _file_of(target: Any) -> Path | None:
    try:
        path = Path(inspect.getsourcefile(target) or "").resolve()
    except (OSError, TypeError):
        return None
    return path if path.suffix == ".py" and path.is_file() else None


def _version(target: Any) -> str:
    """The distribution and version that a function was installed with; empty for what stands in a file of one's own."""
    from importlib.metadata import packages_distributions, version

    path, top = _file_of(target), str(getattr(target, "__module__", "")).partition(".")[0]
    if top == "pigevo" or path is None or not {"site-packages", "dist-packages"} & set(path.parts):
        return "pigevo" if top == "pigevo" else ""
    names = packages_distributions().get(top, [])
    return ",".join(f"{name}=={version(name)}" for name in sorted(set(names)))


def _is_in(path: Path, target: Any) -> bool:
    """Whether a file, as it is now, holds the very code of a function: it may have been edited since it was read."""
    code = getattr(target, "__code__", None)
    if code is None:
        return True
    try:
        waiting = [compile(path.read_bytes(), str(path), "exec", dont_inherit=True)]
    except (OSError, SyntaxError, ValueError):
        return False
    while waiting:
        one = waiting.pop()
        if one.co_qualname == code.co_qualname and _of_code(one) == _of_code(code):
            return True
        waiting += [inner for inner in one.co_consts if isinstance(inner, types.CodeType)]
    return False


def _source(target: Any) -> str:
    """The text of a function that no file holds, as that of a notebook's cell; else its compiled code."""
    code = getattr(target, "__code__", None)
    try:
        text = inspect.getsource(target) if _file_of(target) is None else ""
    except (OSError, TypeError):
        text = ""
    if code is None:
        return text or repr(sorted(name for name in dir(target) if not name.startswith("_")))
    return text if text and "<lambda>" not in code.co_qualname else _of_code(code)


def _of_code(code: types.CodeType) -> str:
    constants = [_of_code(one) if isinstance(one, types.CodeType) else repr(one) for one in code.co_consts]
    return f"{code.co_code.hex()} {constants} {code.co_names}"


def _carried(function: Any, depth: int = 0) -> Iterator[str]:
    """The values that a function carries along: defaults, closure, partial arguments, members of its object."""
    if isinstance(function, functools.partial):
        yield _told((function.args, function.keywords), depth)
        yield from _carried(function.func, depth)
    elif isinstance(function, types.MethodType):
        yield _told(getattr(function.__self__, "__dict__", {}), depth)
    elif isinstance(function, types.FunctionType):
        closure = inspect.getclosurevars(function).nonlocals
        yield _told((function.__defaults__, function.__kwdefaults__, dict(closure)), depth)
    elif not inspect.isclass(function):
        yield _told(getattr(function, "__dict__", {}), depth)


def _told(value: Any, depth: int) -> str:
    """A value as text, the same in every process; of what is no plain value its type."""
    if depth > _DEEPEST:
        return ""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key!r}: {_told(item, depth + 1)}' for key, item in value.items())}}}"
    if isinstance(value, tuple | list):
        return f"[{', '.join(_told(item, depth + 1) for item in value)}]"
    if isinstance(value, set | frozenset):
        return f"{{{', '.join(sorted(_told(item, depth + 1) for item in value))}}}"
    if type(value) is int:
        return hex(value)  # repr refuses very long ones
    if value is None or isinstance(value, bool | float | complex | str | bytes | range):
        return repr(value)
    if isinstance(value, types.FunctionType | types.MethodType | functools.partial):
        return "\n".join([_source(_unwrapped(value)), *_carried(value, depth + 1)])
    if hasattr(value, "tobytes") and hasattr(value, "dtype"):
        return f"{value.dtype} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
    return value.__qualname__ if inspect.isclass(value) else type(value).__qualname__


def _shown(path: Path) -> str:
    """A path as a message tells it: from here if it lies below."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)
