"""Forms too large to exhaust: coordinate descents from many starts, checked on forms that were exhausted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pigevo.dice import Draw
from pigevo.exact.thresholds import Thresholds
from pigevo.strategies.rules import Rule, parse_rule

from ..common import tables
from .descent import descend
from .grammar import Source
from .meter import Meter
from .parts import numbers_of, with_numbers

ENOUGH = 10**6
"""A budget that no descent spends."""

EQUAL = 1e-9
"""Differences so close are one and the same rule's."""

EXHAUSTED = (
    "21+(j-i)/8; race either>=71",
    "21+(j-i)/8; race 2*own+opponent>=178",
    "21+(j-i)/8; race own+2*opponent>=186 or leaves<=14",
)
"""Forms of which every member is known, with numbers near which descents begin."""

FIVE = (
    "21+(j-i)/8; race own>=75 or opponent>=75 or 2*own+opponent>=186",
    "21+(j-i)/8; race opponent>=75 or sum>=124 or leaves<=14",
    "21+(j-i)/8; race either>=75 or 2*own+opponent>=186 or sum>=130",
    "21+(j-i)/8; race opponent>=75 or own+2*opponent>=186 or leaves<=14",
    "21+j/8-i/9; race either>=75 or 2*own+opponent>=186",
    "21+(j-i)/7 if ahead else 21+(j-i)/9; race 2*own+opponent>=186",
    "18 if ahead else 21+(j-i)/6; race either>=75 or 2*own+opponent>=186",
)
"""Forms with five integers."""


@dataclass(frozen=True)
class Descended:
    """What descents of one form came to.

    Args:
        form: its text, with the numbers around which they began.
        rule: the best end.
        difference: its difference.
        starts: how many descents.
        ended: how many of them ended there, or at a rule as good.
        evaluations: different rules that all of them evaluated.
    """

    form: str
    rule: Rule
    difference: float
    starts: int
    ended: int
    evaluations: int


def descended(form: str, starts: int, referee: Thresholds) -> Descended:
    """Descents of one form, from random numbers.

    Args:
        form: a rule; each of its numbers begins anywhere from two thirds of it to four thirds.
        starts: how many descents.
        referee: the optimum, prepared.
    """
    meter, rule = Meter(referee, ENOUGH), parse_rule(form)
    ends = []
    for start in range(starts):
        source = Source(Draw(start, "population"))
        begin = [source.of(range(2 * n // 3, 4 * n // 3 + 1)) if n > 1 else n for n in numbers_of(rule)]
        ends.append(descend(with_numbers(rule, begin), meter, rule.integers))
    found = [meter.seen[end] for end in ends]
    least = min(found)
    ended = sum(one <= least + EQUAL for one in found)
    return Descended(form, ends[found.index(least)], least, starts, ended, len(meter.seen))


def table(found: Sequence[Descended]) -> str:
    """A row for each form."""
    head = ["form", "best end", "difference", "descents", "that ended there", "rules evaluated"]
    return tables.table(head, [
        (f"`{one.form}`", f"`{one.rule}`", f"{one.difference:.5f}", one.starts, one.ended, f"{one.evaluations:,}")
        for one in found
    ])  # fmt: skip
