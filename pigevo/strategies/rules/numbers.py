"""The numbers in a rule: what they may be, which there are, and the same rule with others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

from pigevo.core.checked_values import whole
from pigevo.core.text import short_repr
from pigevo.errors import InputError

LARGEST = 5000
"""A number of a rule: more than twice the sum of two scores in the longest game."""

R = TypeVar("R")


def refuse_no_number(value: Any, least: int, what: str) -> None:
    """Refuse what is no whole number from `least` to `LARGEST`.

    Raises:
        InputError: it is none.
    """
    if not whole(value) or not least <= value <= LARGEST:
        raise InputError(
            f"the number {what} in a rule cannot be {short_repr(value)}: it must be a whole number "
            f"from {least} to {LARGEST}."
        )


def numbers_of(record: Any) -> tuple[int, ...]:
    """All numbers of a rule or a part of one, in the order of its fields."""
    return tuple(_numbers(record))


def with_numbers(record: R, numbers: Sequence[int]) -> R:
    """The same rule, or part of one, with other numbers.

    Args:
        record: the rule.
        numbers: as many as it has, in the order of `numbers_of`.

    Raises:
        InputError: one that the rule cannot have.
    """
    left = iter(numbers)
    made: R = _replaced(record, left)
    return made


def _numbers(part: Any) -> Iterator[int]:
    if isinstance(part, tuple):
        for one in part:
            yield from _numbers(one)
    elif is_dataclass(part):
        for field in fields(part):
            yield from _numbers(getattr(part, field.name))
    elif isinstance(part, int):
        yield part


def _replaced(part: Any, left: Iterator[int]) -> Any:
    if isinstance(part, tuple):
        return tuple(_replaced(one, left) for one in part)
    if is_dataclass(part):
        kind: Any = type(part)
        return kind(*(_replaced(getattr(part, field.name), left) for field in fields(part)))
    return next(left) if isinstance(part, int) else part
