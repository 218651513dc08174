"""Loads users' functions from outside the package, with the user's consent, and names them in messages.

A command that reads somebody else's folder runs no code that the folder names unless the user has asked for it.

While a user's file is imported for its functions, no run may begin in it: workers of a sweep,
`resume` and `verify` import the file of an operator, and if that is a script that begins runs,
every process would begin them again.
"""

from __future__ import annotations

import ast
import atexit
import inspect
import os
import re
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from pigevo.core.imports import leave_garbage, working_folder
from pigevo.core.text import kind_of
from pigevo.errors import InputError, unknown
from pigevo.storage.records import read_bytes
from pigevo.user_code.identity import file_of, identify, name_of, target_of
from pigevo.user_code.limits import TimeIsUp, limited
from pigevo.user_code.source import (
    LARGEST,
    PRIVATE,
    Sources,
    compiled,
    is_installed_file,
    is_installed_module,
    public_functions,
)


class CodeNotRun(InputError):
    """A folder names code of a user that is not run: not asked for, changed since, or not found."""


@dataclass(frozen=True)
class Consent:
    """The code that may be run when a folder names it.

    Args:
        code: whether code may be run, from the files that the folder names.
        copies: whether files inside the folder may be run, too.
        files: files that may be run in any case, by the names of the recorded files that they replace.
    """

    code: bool = True
    copies: bool = False
    files: Mapping[str, Path] = field(default_factory=dict)


_consent = Consent()  # for all threads: a program that reads its own runs has consented
_folder: ContextVar[Path | None] = ContextVar("folder", default=None)


@contextmanager
def consenting(consent: Consent) -> Iterator[None]:
    """A context with this consent."""
    global _consent
    before, _consent = _consent, consent
    try:
        yield
    finally:
        _consent = before


def present_consent() -> Consent:
    """The consent that holds now."""
    return _consent


def consent_to_same(name: str, path: Path) -> None:
    """Extend the present consent from the user's file for a recorded name to a file that has the same content."""
    global _consent
    _consent = replace(_consent, files={**_consent.files, name: path})


@contextmanager
def code_of(folder: Path) -> Iterator[None]:
    """A context in which code is loaded because a folder names it, so that it needs consent."""
    before = _folder.set(folder)
    try:
        yield
    finally:
        _folder.reset(before)


def refuse_unasked(reference: str, path: Path) -> None:
    """Refuse to load a function from a file without consent, if a folder names it.

    Raises:
        CodeNotRun: the user has not asked for it.
    """
    folder = _folder.get()
    if folder is None or path in {Path(os.path.realpath(file)) for file in _consent.files.values()}:
        return
    within = path.is_relative_to(os.path.realpath(folder))
    if not _consent.code or (within and not _consent.copies):
        name = path.name
        raise CodeNotRun(
            f"{folder} names code, {reference}, and code that a folder names runs only if asked for: read it, then say "
            f"--run-code, or --source {name}=PATH with a file of the same content."
        )


_file_being_imported: ContextVar[str] = ContextVar("file_being_imported", default="")


@contextmanager
def importing(file: str) -> Iterator[None]:
    """A context in which a user's file is imported."""
    token = _file_being_imported.set(file)
    try:
        yield
    finally:
        _file_being_imported.reset(token)


def refuse_while_importing(what: str) -> None:
    """Refuse to begin work, by pigevo's function `what`, while a user's file is being imported."""
    if file := _file_being_imported.get():
        raise InputError(
            f"{what} is called while {file} is read for its functions: "
            'write the call below `if __name__ == "__main__":`'
        )


_loaded: dict[Path, tuple[Sources, dict[str, UserCode]]] = {}
"""For each file, its sources at the last reading, and its functions as first loaded."""

_identity_at_loading: dict[str, str] = {}
"""The identity at first loading, by the present identity: calls of a function may change values that it reads."""


@dataclass(frozen=True)
class UserCode:
    """A function or class of a user.

    Args:
        name: its name as typed after the colon; or its qualified name.
        function: the function or class.
        path: its file, absolute; None if there is none, as in a notebook.
        identity: hexadecimal digits that change whenever the code does.
        files: the files of the identity: its file, and those that it imports from its folder; or empty.
        unknown: why it has no identity, such as `mine has no source: write it into a file`; or empty.
        edited: the name of a function that differs from its file's present content; or empty.
    """

    name: str
    function: Callable[..., Any]
    path: Path | None
    identity: str
    files: tuple[Path, ...] = ()
    unknown: str = ""
    edited: str = ""


def load(reference: str, content: bytes | None = None) -> UserCode:
    """Load a function by its reference; its file is read again if it has changed.

    Args:
        reference: `path/ops.py:name`, or `package.module:name` of an installed module or one below the working folder;
            `path/ops.py` alone, if it has only one function or class.
        content: the content of the file, if it has been read before; the file is then not read again.

    Raises:
        InputError: the file, module or function does not exist, is not Python, fails or cannot be called.
        CodeNotRun: a folder names it, and the user has not asked for its code.
    """
    origin, name = _split(reference)
    file = origin if origin.endswith(".py") or "/" in origin else f"{origin.replace('.', '/')}.py"
    path = Path(os.path.realpath(os.path.expanduser(file)))
    refuse_unasked(reference, path)
    if file == origin and not os.path.exists(path):
        raise InputError(f"there is no file {origin}.")
    known = content if file == origin else None
    source = Sources(path, known) if file == origin or (path.is_file() and not is_installed_module(origin)) else None
    try:
        if source:
            before = _loaded.get(path)
            if before is None or before[0].digest != source.digest:
                _loaded[path] = source, {}
            source, by_name = _loaded[path]
            if name in by_name:
                return by_name[name]
        atexit.unregister(leave_garbage)  # all of a user's objects are finalized
        with importing(origin), _in_the_same_folder():
            module = limited(lambda: source.module(path.stem), origin) if source else import_module(origin)
    except (Exception, SystemExit, TimeIsUp) as error:
        if isinstance(error, ModuleNotFoundError) and not source and error.name == origin.partition(".")[0]:
            raise InputError(
                f"there is no module {error.name}, nor a file {file}: write path/ops.py:name, or package.module:name "
                "of what is installed."
            ) from error
        raise InputError(f"{origin} cannot be imported: {failure(error, path)}.") from error
    code = replace(identity_of_object(_function_in(module, name, origin)), name=name)
    if source is None:
        return code
    if code.files != source.files:  # it is defined elsewhere
        identity = identify((source.digest, name, code.identity)).hash
        code = replace(code, path=path, identity=identity, files=source.files)
    return by_name.setdefault(name, code)


@contextmanager
def _in_the_same_folder() -> Iterator[None]:
    """A context after which the working folder is what it was: the paths that the user has typed are relative to it."""
    before = working_folder()
    try:
        yield
    finally:
        if before and working_folder() != before:
            os.chdir(before)


def _split(reference: str) -> tuple[str, str]:
    """The file or module of a reference and the function's name, which may be left out if the file has only one."""
    is_file = reference.endswith(".py") and os.path.isfile(os.path.expanduser(reference))  # its name may have a colon
    origin, _, name = ("", "", reference) if is_file else reference.rpartition(":")
    if (file := origin or name).endswith(".py") and not os.path.exists(os.path.expanduser(file)):
        raise InputError(f"there is no file {file}.")
    if not origin and name.endswith(".py"):
        return name, _only_name_in(name)
    if not origin or not name:
        if file.endswith(".py") and (names := _defined_in(file)):
            raise InputError(_name_one(file, names))
        raise InputError(f"{reference!r} names no function: write path/ops.py:name or package.module:name.")
    return origin, name


def _function_in(module: ModuleType, name: str, origin: str) -> Callable[..., object]:
    """A function of a module, or of a class in it, by its dotted name."""
    function: object = module
    for part in name.split("."):
        if not hasattr(function, part):
            known = [key for key, value in vars(module).items() if callable(value) and not key.startswith("_")]
            raise unknown("function", name, known, f" in {origin}")
        function = getattr(function, part)
    if not callable(function):
        raise InputError(f"{name} in {origin} must be a function: it is {kind_of(function)}.")
    refuse_unfinished(name, function)
    return function


def _name_one(file: str, names: Sequence[str]) -> str:
    """The sentence about a reference that lacks one of these names of its file's functions and classes."""
    *most, last = names
    return f"{file} has {' and '.join(filter(None, [', '.join(most), last]))}: name one, as in {file}:{last}."


def _only_name_in(file: str) -> str:
    """The name of the function or class that is the only public one of a file."""
    names = _defined_in(file)
    if not names:
        is_empty = not read_bytes(os.path.expanduser(file), LARGEST).strip()
        raise InputError(f"{file} {'is empty' if is_empty else 'has no public function or class'}.")
    if len(names) > 1:
        raise InputError(_name_one(file, names))
    return names[0]


def _defined_in(file: str) -> list[str]:
    """The public functions and classes of a file, by name."""
    path = Path(os.path.expanduser(file))
    tree, _ = compiled(path, read_bytes(path, LARGEST))
    classes = ((node.lineno, node.name) for node in tree.body if isinstance(node, ast.ClassDef))
    lines = [*classes, *((line, name) for name, _, line in public_functions(tree))]
    return [*dict.fromkeys(name for _, name in sorted(lines) if not name.startswith("_"))]


def identity_of_object(function: Callable[..., object]) -> UserCode:
    """The record of a function, class, method, partial or callable object given in Python; this never fails."""
    target, now = target_of(function), identify(function)
    identity = _identity_at_loading.get(now.hash, now.hash)
    return UserCode(name_of(target), function, file_of(target), identity, now.files, now.unknown, now.edited)


def refuse_unfinished(name: str, function: object) -> None:
    """Refuse async functions and generators, which return no result.

    Raises:
        InputError: the function is `async`, or a generator.
    """
    called = getattr(function, "__call__", function) if inspect.isclass(function) else function  # noqa: B004
    called = called.func if isinstance(called, partial) else called
    if inspect.iscoroutinefunction(called) or inspect.isasyncgenfunction(called):
        raise InputError(f"{name} is an async function, whose result one would have to wait for: leave `async` out.")
    if inspect.isgeneratorfunction(called):
        raise InputError(f"{name} is a generator: it must `return` its whole result, and not `yield` parts of it.")


def note_changes(functions: Iterable[UserCode]) -> None:
    """Keep the identity of functions whose own calls have changed values that they read."""
    for code in functions:
        _identity_at_loading[identify(code.function).hash] = code.identity


def refuse_unidentified(what: str, code: UserCode | None) -> None:
    """Refuse a user's function whose identity is unknown, because its results on disk could be mistaken for others.

    Raises:
        InputError: it has no source, or its file has changed since it was imported, or it reads a value whose content
            cannot be compared.
    """
    if code and (doubt := changed_since_import(code) if code.edited else code.unknown):
        raise InputError(
            f"{what} has no certain identity, by which results on disk are recognised: {doubt}; "
            "or run it without a folder."
        )


def changed_since_import(code: UserCode) -> str:
    """A sentence that a function differs from its file, with what to do."""
    return (
        f"{code.edited} is not what {code.path} holds now. "
        "To use the file as it is now, start Python again, or reload the module (importlib.reload)"
    )


def is_from_file(code: UserCode) -> bool:
    """Whether a function is known by the path of its file and not to Python's import system."""
    return str(getattr(target_of(code.function), "__module__", "")).startswith(PRIVATE)


def refuse_to_pickle(what: str, code: UserCode, in_file: bool) -> None:
    """Refuse a user's function that another process cannot import.

    `in_file` says whether that process loads the function's file.

    Raises:
        InputError: the function is defined in another function, or in a file that cannot be imported.
    """
    target = target_of(code.function)
    if re.search("<locals>|<lambda>", str(getattr(target, "__qualname__", ""))):
        raise InputError(f"{what} cannot be pickled, because it is defined in another function or is a lambda: define "
                         "it with `def` at the top level of its file.")  # fmt: skip
    if is_from_file(code) and not in_file:
        raise InputError(f"{what} of {code.path} cannot be pickled, because Python cannot import it by name: pickle "
                         "the settings, which load it from its file, and use `settings.plan` there.")  # fmt: skip


def file_and_line(function: Callable[..., object]) -> str:
    """Where a function is, for messages: `ops.py, line 12`; only its name if there is no file."""
    target = target_of(function)
    path, line = file_of(target), ""
    with suppress(Exception):  # the file may have changed
        line = f", line {max(1, inspect.getsourcelines(target)[1])}"  # type: ignore[arg-type]
    return f"{os.path.relpath(path)}{line}" if path else name_of(target)


BESIDE = "Path(__file__).parent"  # with `from pathlib import Path`, the folder of the code


def _is_relative(path: object) -> bool:
    return isinstance(path, str | bytes) and not os.path.isabs(path)


def failure(error: BaseException, path: Path | None) -> str:
    """An error as a sentence, with the line of the user's file in which it was raised.

    For example `ValueError: too many (ops.py, line 12)`.
    """
    try:
        words = " ".join([str(error), *getattr(error, "__notes__", ())])
    except Exception:  # its own __str__ fails
        words = ""
    message = " ".join(re.sub(rf"{PRIVATE}\w+\.?", "", words).split())
    frames = [(Path(frame.filename), frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    kind = type(error).__name__
    sentence = message if isinstance(error, TimeIsUp) else f"{kind}: {message}" if message else kind
    if isinstance(error, EOFError) and message.startswith("EOF when reading a line"):
        sentence = "a function here may not ask with input()"
    elif kind == "BdbQuit" or (isinstance(error, SystemExit) and any(file.name == "pdb.py" for file, _ in frames)):
        sentence = "a function here may not stop at a breakpoint()"
    elif isinstance(error, SystemExit):
        sentence = f"it calls sys.exit(){f' with {message}' if message else ''}"
    elif isinstance(error, FileNotFoundError) and _is_relative(error.filename):
        name = os.fsdecode(error.filename)
        sentence += f"; a path is looked for in the folder where you started pigevo: write {BESIDE} / {name!r}"
    inside = [
        frame for frame in frames if path and frame[0].is_relative_to(path.parent) and not is_installed_file(frame[0])
    ]
    return f"{sentence} ({os.path.relpath(inside[-1][0])}, line {inside[-1][1]})" if inside else sentence
