"""Checks the values of settings and records against their types and ranges.

A range is written as `Annotated[int, Within(1, 100)]`; the entries of a record as a `TypedDict`.
"""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from numbers import Integral, Real
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    TypeAlias,
    TypeGuard,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from pigevo.core.text import short_repr
from pigevo.errors import InputError, unknown

JsonValue: TypeAlias = Any
"""A plain value, as JSON holds it."""

JsonObject = dict[str, JsonValue]
"""Plain values by name, as JSON holds them."""

LARGEST_SEED = 2**63 - 1  # the largest seed of a run, a match or a strategy


@dataclass(frozen=True)
class Within:
    """The closed range that a number must lie in; with `above` the lower end is excluded."""

    low: float
    high: float = float("inf")
    above: bool = False

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high and not (self.above and value == self.low)

    def __str__(self) -> str:
        # By value: `typing` has one `Annotated` for two ranges that are equal, such as 0 to 1 and 0.0 to 1.0.
        low, high = (str(int(n)) if float(n).is_integer() else f"{n:g}" for n in (self.low, self.high))
        if self.above:
            return f"above {low}" + ("" if self.high == float("inf") else f" and at most {high}")
        return f"at least {low}" if self.high == float("inf") else f"from {low} to {high}"


@dataclass(frozen=True)
class Filled:
    """Marks a list that must not be empty; `example` shows in the error message how to write the setting."""

    example: str


@dataclass(frozen=True)
class StrategyName:
    """Marks a text that names a strategy in the form used on the command line."""


@dataclass(frozen=True)
class FunctionName:
    """Marks a word that may be a user's function, `FILE.py:NAME`, instead of one of pigevo's."""


def checked(value: object, hint: object, where: str) -> Any:
    """Convert a plain value to the type `hint` and check its range; unknown keys of a `TypedDict` stay unchecked."""
    origin = get_origin(hint)
    if origin is Annotated:
        kind, *notes = get_args(hint)
        value = checked(value, kind, where)
        for note in notes:
            if isinstance(note, Within) and isinstance(value, int | float) and value not in note:
                raise InputError(f"{where} = {short_repr(value)} is out of range: it must be {note}.")
            if isinstance(note, Filled) and not value:
                raise InputError(f"{where} is empty: give at least one, as in {where}={note.example}.")
        return value
    if origin in (Union, types.UnionType):
        return _first_fitting(value, get_args(hint), where)
    if origin is Literal:
        if value not in get_args(hint):
            name = value if isinstance(value, str) else short_repr(value)
            raise unknown(f"choice of {where}", name, map(str, get_args(hint)))
        return value
    if is_typeddict(hint):
        return _record(value, hint, where)
    if (origin or hint) in (dict, Mapping):
        return _by_name(value, get_args(hint)[-1] if get_args(hint) else object, where)
    if (origin or hint) in (list, tuple, Sequence):
        if isinstance(value, str | bytes) or not isinstance(value, Sequence):
            raise InputError(f"{where} = {short_repr(value)} must be a list.")
        kinds = get_args(hint)
        if len(kinds) > 1 and kinds[1] is not ...:  # as pairs of points and chances
            if len(kinds) != len(value):
                raise InputError(f"{where} = {short_repr(value)} must have {len(kinds)} values.")
            return tuple(checked(v, kind, where) for v, kind in zip(value, kinds, strict=True))
        inner = kinds[0] if kinds else object
        return tuple(checked(v, inner, where) for v in value)
    return _plain(value, hint, where)


def _plain(value: object, hint: object, where: str) -> object:
    if hint is int and not (isinstance(value, int) and not isinstance(value, bool)):
        raise InputError(f"{where} = {short_repr(value)} must be a whole number.")
    if hint is bool and not isinstance(value, bool):
        raise InputError(f"{where} = {short_repr(value)} must be true or false.")
    if hint is str and not isinstance(value, str):
        raise InputError(f"{where} = {short_repr(value)} must be a word.")
    return _real(value, where) if hint is float else value


def _real(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"{where} = {short_repr(value)} must be a number.")
    try:
        return float(value)
    except OverflowError as error:
        raise InputError(f"{where} = {short_repr(value)} is out of range: it is too large.") from error


def _record(value: object, hint: object, where: str) -> dict[str, object]:
    values = _by_name(value, object, where)
    for name, inner, optional in _fields(hint):
        key = f"{where}.{name}".lstrip(".")
        if name in values:
            values[name] = checked(values[name], inner, key)
        elif not optional:
            raise InputError(f"{key} is missing.")
    return values


@cache
def _fields(hint: object) -> list[tuple[str, object, bool]]:
    """The keys of a `TypedDict`, their types, and whether they may be missing."""
    hints = get_type_hints(hint, include_extras=True)
    optional = {name for name, inner in hints.items() if get_origin(inner) is NotRequired}
    plain = {name: get_args(inner)[0] if name in optional else inner for name, inner in hints.items()}
    return [(name, inner, name in optional) for name, inner in plain.items()]


def _by_name(value: object, hint: object, where: str) -> dict[str, object]:
    if not isinstance(value, Mapping):
        raise InputError(
            f"{where} = {short_repr(value)} must be values by name." if where else "it is not values by name."
        )
    return {str(name): checked(entry, hint, f"{where}.{name}".lstrip(".")) for name, entry in value.items()}


def _first_fitting(value: object, hints: tuple[object, ...], where: str) -> object:
    if value is None and type(None) in hints:
        return None
    failures: list[str] = []
    for hint in hints:
        if hint is not type(None):
            try:
                return checked(value, hint, where)
            except InputError as error:
                failures.append(str(error))
    must_be = f"{where} = {short_repr(value)} must be "
    out_of_range = next((text for text in failures if not text.startswith(must_be)), None)  # its type was right
    kinds = [text.removeprefix(must_be).rstrip(".") for text in failures]
    raise InputError(out_of_range or f"{must_be}{' or '.join(kinds)}.")


def is_integer(value: object) -> TypeGuard[int]:
    """Whether a value is a whole number, Python's or numpy's."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def is_real(value: object) -> TypeGuard[float]:
    """Whether a value is a real number, Python's or numpy's, that is not too large for a float."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    try:
        float(value)
    except OverflowError:
        return False
    return True
