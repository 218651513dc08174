"""What a rule loses in the hands of somebody who errs: a number off by one, a fraction rounded down or up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from pigevo.core.arrays import Ints
from pigevo.errors import InputError
from pigevo.exact.thresholds import Thresholds
from pigevo.strategies.rules import Fraction, Rule, complexity
from pigevo.strategies.rules.bases import End

from ..common import tables
from .exhaust import differences
from .parts import divides, numbers_of, with_numbers


@dataclass(frozen=True)
class Down(Fraction):
    """A fraction rounded down: seven eighths of a point are none."""

    def values(self, i: Ints, j: Ints, end: End) -> Ints:
        """What is added, for scores that broadcast."""
        part: Ints = _of(self, i, j) // self.divisor(end)
        return part if self.sign == "+" else -part


@dataclass(frozen=True)
class Up(Fraction):
    """A fraction rounded up."""

    def values(self, i: Ints, j: Ints, end: End) -> Ints:
        """What is added, for scores that broadcast."""
        part: Ints = -(-_of(self, i, j) // self.divisor(end))
        return part if self.sign == "+" else -part


@dataclass(frozen=True)
class Coarse(Fraction):
    """A fraction told to the nearest five points of what it is taken of, as who sees 23 and thinks of 25."""

    def values(self, i: Ints, j: Ints, end: End) -> Ints:
        """What is added, for scores that broadcast."""
        about, by = (2 * _of(self, i, j) + 5) // 10 * 5, self.divisor(end)
        part: Ints = (2 * about + by) // (2 * by)
        return part if self.sign == "+" else -part


def _of(part: Fraction, i: Ints, j: Ints) -> Ints:
    return {"j-i": j - i, "i": i + 0 * j, "j": j + 0 * i}[part.of]


def with_fractions(record: Any, kind: type[Fraction]) -> Any:
    """A rule, or part of one, whose fractions are of another kind."""
    if isinstance(record, Fraction):
        return kind(record.sign, record.of, record.by)
    if isinstance(record, tuple):
        return tuple(with_fractions(one, kind) for one in record)
    if is_dataclass(record):
        made: Any = type(record)
        return made(*(with_fractions(getattr(record, field.name), kind) for field in fields(record)))
    return record


def off_by_one(rule: Rule) -> list[Rule]:
    """The rule with each of its numbers one more, and one less, where there are such rules."""
    numbers, asked, made = numbers_of(rule), complexity(rule).integers, []
    for place in range(len(numbers)):
        for step in (-1, 1):
            try:
                other = with_numbers(rule, [*numbers[:place], numbers[place] + step, *numbers[place + 1 :]])
            except InputError:
                continue
            if complexity(other).integers == asked:  # nobody misremembers who is ahead
                made.append(other)
    return made


def table(rules: Sequence[Rule], referee: Thresholds) -> str:
    """Differences of rules as they are, with a number off by one, and with fractions misjudged."""
    rows = []
    for rule in rules:
        own = float(differences([rule], referee)[0])
        erring = off_by_one(rule)
        off = differences(erring, referee)
        cells = [f"`{rule}`", f"{own:.5f}", f"{off.mean():.5f}", f"{off.max():.5f}", f"`{erring[int(off.argmax())]}`"]
        for kind in (Down, Up, Coarse):
            wrong = differences([with_fractions(rule, kind)], referee)[0] if divides(rule) else own
            cells.append(f"{wrong:.5f}" if divides(rule) else "")
        rows.append(cells)
    errors = ["a number off by one, on average", "at worst", "which is"]
    head = ["rule", "as it is", *errors, "fractions rounded down", "up", "of the nearest five points"]
    return tables.table(head, rows)
