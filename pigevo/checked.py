"""Values of settings held to their types and ranges.

A range is written as `Annotated[int, Within(1, 100)]`.
"""

from __future__ import annotations

import types
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pigevo.errors import InputError, unknown


@dataclass(frozen=True)
class Within:
    """The range that a number must lie in.

    Args:
        low: the least it may be.
        high: the most it may be.
        above: whether it must be larger than `low` itself.
    """

    low: float
    high: float = float("inf")
    above: bool = False

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high and not (self.above and value == self.low)

    def __str__(self) -> str:
        low, high = (f"{n:g}" if isinstance(n, float) else str(n) for n in (self.low, self.high))
        if self.above:
            return f"above {low}" + ("" if self.high == float("inf") else f" and at most {high}")
        return f"at least {low}" if self.high == float("inf") else f"from {low} to {high}"


@dataclass(frozen=True)
class Filled:
    """Says of a list that it must not be empty.

    Args:
        example: how the setting can be written, for the message.
    """

    example: str


@dataclass(frozen=True)
class StrategyName:
    """Says of a word that it names a strategy, as on the command line."""


def checked(value: Any, hint: Any, where: str) -> Any:
    """`value` as the type `hint`, inside its range.

    Raises:
        InputError: it is no such value.
    """
    origin = get_origin(hint)
    if origin is Annotated:
        kind, *notes = get_args(hint)
        value = checked(value, kind, where)
        for note in notes:
            if isinstance(note, Within) and value is not None and value not in note:
                raise InputError(f"{where} = {value} is out of range: it must be {note}.")
            if isinstance(note, Filled) and not value:
                raise InputError(f"{where} is empty: give at least one, as in {where}={note.example}.")
        return value
    if origin in (Union, types.UnionType):
        return _first_fitting(value, get_args(hint), where)
    if origin is Literal:
        if value not in get_args(hint):
            raise unknown(f"choice of {where}", str(value), map(str, get_args(hint)))
        return value
    if origin in (list, tuple, Sequence):
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise InputError(f"{where} = {value!r} must be a list.")
        inner = get_args(hint)[0] if get_args(hint) else Any
        return tuple(checked(v, inner, where) for v in value)
    if hint is int and not (isinstance(value, int) and not isinstance(value, bool)):
        raise InputError(f"{where} = {value!r} must be a whole number.")
    if hint is float and not (isinstance(value, int | float) and not isinstance(value, bool)):
        raise InputError(f"{where} = {value!r} must be a number.")
    if hint is bool and not isinstance(value, bool):
        raise InputError(f"{where} = {value!r} must be true or false.")
    if hint is str and not isinstance(value, str):
        raise InputError(f"{where} = {value!r} must be a word.")
    return float(value) if hint is float else value


def _first_fitting(value: Any, hints: tuple[Any, ...], where: str) -> Any:
    if value is None and type(None) in hints:
        return None
    failures: list[str] = []
    for hint in (h for h in hints if h is not type(None)):
        try:
            return checked(value, hint, where)
        except InputError as error:
            failures.append(str(error))
    kind = f"{where} = {value!r} must be "
    closest = next((f for f in failures if not f.startswith(kind)), None)  # the right kind, but out of range
    raise InputError(closest or f"{kind}{' or '.join(f.removeprefix(kind).rstrip('.') for f in failures)}.")
