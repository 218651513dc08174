"""What can be seen of a function object: its file, its code, and the values that it carries along."""

from __future__ import annotations

import functools
import inspect
import sys
import textwrap
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pigevo.own_values import described, of_code

_DEEPEST = 20
_BOOKS = frozenset(
    {"__module__", "__dict__", "__weakref__", "__doc__", "__firstlineno__", "__static_attributes__", "__qualname__"}
)
"""What Python itself notes in a class."""

Described = Callable[[Any], str]
"""Says what a function is, in text."""


def unwrapped(function: Any) -> Any:
    """The function or class inside decorators, partial applications, bound methods and callable objects."""
    for _ in range(_DEEPEST):
        inner = _inner(function)
        if inner is None:
            break
        function = inner
    call = _get(type(function), "__call__")
    return type(function) if isinstance(call, types.FunctionType) and not isinstance(function, type) else function


def name_of(target: Any) -> str:
    """The qualified name."""
    name = _get(target, "__qualname__") or _get(target, "__name__") or type(target).__qualname__
    return str(name)


def module_of(target: Any) -> str:
    """The name of the module in which it was made."""
    return str(_get(target, "__module__") or type(target).__module__)


def member(module: str, name: str) -> Any:
    """What an imported module has under that qualified name; None if nothing."""
    found = sys.modules.get(module)
    for part in name.split("."):
        found = _get(found, part)
    return found


def line_of(target: Any) -> int | None:
    """The line in which it begins."""
    if code := _get(target, "__code__"):
        return int(code.co_firstlineno)
    if isinstance(target, type):
        try:
            return inspect.getsourcelines(target)[1] or None
        except (OSError, TypeError):
            return None
    return None


def file_of(target: Any) -> Path | None:
    """The file of Python that it was read from, absolute, if there is one."""
    module = module_of(target)
    name: Any = None
    if codes := codes_of(target):
        name = codes[0].co_filename
    elif member(module, name_of(target)) is target:
        name = _get(sys.modules.get(module), "__file__")
    if not isinstance(name, str) or not name.endswith(".py"):
        return None
    try:
        path = Path(name).resolve()
        return path if path.is_file() else None
    except (OSError, RuntimeError, ValueError):
        return None


def position(target: Any) -> str:
    """Where the text of a function begins, which tells two lambdas of one line apart; empty for anything else."""
    if (code := _get(target, "__code__")) is None:
        return ""
    places = [(line, column) for line, _, column, end in code.co_positions() if line and column is not None and end]
    return "{}:{}".format(*min(places)) if places else str(code.co_firstlineno)


def codes_of(target: Any) -> list[types.CodeType]:
    """The compiled code of a function, or of the methods in the text of a class."""
    if code := _get(target, "__code__"):
        return [code]
    if not isinstance(target, type):
        return []
    found = [_get(unwrapped(member), "__code__") for member in vars(target).values() if callable(member)]
    return [code for code in found if code is not None and code.co_qualname.startswith(f"{target.__qualname__}.")]


def is_compiled_from(target: Any, content: bytes, path: Path) -> bool:
    """Whether the text of a file, as it is now, has exactly this function, or the methods of this class."""
    try:
        module = compile(content, str(path), "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    there = {(code.co_qualname, of_code(code)) for code in _all_codes(module)}
    return all((code.co_qualname, of_code(code)) in there for code in codes_of(target) if code.co_filename == str(path))


def text_of(target: Any, of_function: Described) -> str:
    """A function or class that no file holds: its source if there is one, else its code, and the globals it reads."""
    if isinstance(target, type):
        return _text_of_class(target, of_function)
    codes = codes_of(target)
    try:
        source = textwrap.dedent(inspect.getsource(target)) if file_of(target) is None else ""
    except Exception:  # what is no source can fail anywhere below
        source = ""
    if not source or name_of(target).endswith("<lambda>"):  # a line may hold many
        source += "\n".join(map(of_code, codes))
    values = _get(target, "__globals__") or {}
    read = sorted({name for code in codes for one in _all_codes(code) for name in one.co_names if name in values})
    return "\n".join([source, *(f"{name}={described(values[name], of_function)}" for name in read)])


def _text_of_class(target: type, of_function: Described) -> str:
    """Its bases and members; `inspect` may take the source of a class from another file."""
    told = [described(target.__bases__, of_function)]
    for name, member in sorted(vars(target).items()):
        if name in _BOOKS:
            continue
        kind = type(member).__name__
        if isinstance(member, property):
            member = (member.fget, member.fset, member.fdel)
        elif isinstance(member, classmethod | staticmethod):
            member = member.__func__
        told.append(f"{name}:{kind}={described(member, of_function)}")
    return "\n".join(told)


def state_of(function: Any, of_function: Described) -> str:
    """The values that a function carries: defaults, closures, partial arguments, members of the object that it is of.

    Args:
        function: the function.
        of_function: what to say of a function among these values.
    """
    told: list[str] = []
    for _ in range(_DEEPEST):
        told += [f"{name}={described(value, of_function)}" for name, value in _carried(function) if value]
        inner = _inner(function)
        if inner is None:
            break
        function = inner
    return "\n".join(told)


def _carried(function: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(function, functools.partial):
        yield "partial", (function.args, function.keywords)
    elif isinstance(function, types.MethodType):
        if not isinstance(function.__self__, type):
            yield "self", dict(_get(function.__self__, "__dict__") or {})
    elif isinstance(function, types.FunctionType):
        yield "defaults", function.__defaults__
        yield "keywords", function.__kwdefaults__
        names, cells = function.__code__.co_freevars, function.__closure__ or ()
        yield "closure", {name: _content(cell) for name, cell in zip(names, cells, strict=False)}
    elif not isinstance(function, type) and _inner(function) is None:
        yield "self", dict(_get(function, "__dict__") or {})


def _content(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # nothing has been put there yet
        return None


def _inner(function: Any) -> Any:
    """What a wrapper wraps."""
    if isinstance(function, functools.partial):
        return function.func
    if isinstance(function, types.MethodType):
        return function.__func__
    return _get(function, "__wrapped__")


def _all_codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for one in code.co_consts:
        if isinstance(one, types.CodeType):
            yield from _all_codes(one)


def _get(thing: Any, name: str) -> Any:
    """An attribute, or None; whatever the thing does when it is asked."""
    try:
        return getattr(thing, name, None)
    except Exception:
        return None
