"""Values as text, so that two of them are told apart by what they are, in any process."""

from __future__ import annotations

import dataclasses
import enum
import hashlib
import types
from collections.abc import Callable
from typing import Any

_DEEPEST = 20


def described(value: Any, of_function: Callable[[Any], str], depth: int = 0) -> str:
    """A plain value, or a container or array of plain ones, in full; anything else by its type alone.

    Args:
        value: the value.
        of_function: what to say of a function.
        depth: how many containers it lies in.
    """
    try:
        return _described(value, of_function, depth)
    except Exception:  # of an object that does not let itself be looked at
        return type(value).__name__


def _described(value: Any, of_function: Callable[[Any], str], depth: int) -> str:
    kind = type(value)
    if depth > _DEEPEST:
        return kind.__name__
    if kind is int:
        return f"int:{value:x}"  # repr refuses very long ones
    if value is None or kind in (bool, float, complex, str, bytes, range, type(...)):
        return f"{kind.__name__}:{value!r}"

    def inner(item: Any) -> str:
        return described(item, of_function, depth + 1)

    if kind in (tuple, list):
        return f"{kind.__name__}:[{','.join(map(inner, value))}]"
    if kind in (set, frozenset):
        return f"{kind.__name__}:[{','.join(sorted(map(inner, value)))}]"
    if kind in (dict, types.MappingProxyType):
        return f"dict:[{','.join(sorted(f'{inner(k)}={inner(v)}' for k, v in value.items()))}]"
    if isinstance(value, types.CodeType):
        return of_code(value)
    name = f"{kind.__module__}.{kind.__qualname__}"
    if isinstance(value, enum.Enum):
        return f"{name}:{value.name}"
    if isinstance(value, type | types.FunctionType | types.MethodType | types.BuiltinFunctionType):
        return of_function(value)
    if callable(value):
        return f"{name}:{of_function(value)}"
    if dataclasses.is_dataclass(value):
        values = {field.name: getattr(value, field.name, None) for field in dataclasses.fields(value)}
        return f"{name}:{inner(values)}"
    return f"{name}:{_of_array(value)}"


def of_code(code: types.CodeType) -> str:
    """Compiled code: its instructions, constants and names, and those of the code inside it."""
    constants = ",".join(described(one, lambda _: "", depth=1) for one in code.co_consts)
    return f"code:{code.co_code.hex()}:[{constants}]:{code.co_names}"


def _of_array(value: Any) -> str:
    """An array of numbers, of numpy or of anything that shows its memory; empty for anything else."""
    try:
        view = memoryview(value)
        if "O" in view.format or "P" in view.format:
            return ""
        return f"{view.format}{view.shape}{hashlib.sha256(view.tobytes()).hexdigest()}"
    except (TypeError, ValueError, BufferError, NotImplementedError):
        return ""
