"""What a rule is made of: its numbers, which a search replaces, divisions, and the opponent's score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

from pigevo.strategies.rules import Rule

R = TypeVar("R")


def numbers_of(record: Any) -> tuple[int, ...]:
    """All numbers of a rule or of a part of a rule, in the order of its fields."""
    return tuple(_numbers(record))


def with_numbers(record: R, numbers: Sequence[int]) -> R:
    """The same rule, or part of a rule, with other numbers, in the order of `numbers_of`."""
    made: R = _replaced(record, iter(numbers))
    return made


def divides(rule: Rule) -> bool:
    """Whether a rule contains a division."""
    return "/" in rule.text


def looks_at_opponent(rule: Rule) -> bool:
    """Whether a rule depends on the opponent's score."""
    expression = rule.python().removeprefix("lambda i, j, k:")
    return "j" in expression or (rule.last is not None and "j" in rule.last.python)


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
