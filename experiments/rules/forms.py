"""The forms that the search with bounds goes through: bases with any numbers, and every race of the grammar."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from pigevo.strategies.rules import (
    MEASURES,
    AtLeast,
    Base,
    ConditionalBase,
    Constant,
    Floor,
    Fraction,
    KeepUp,
    Leaves,
    Marks,
    Multiple,
    Quarters,
    Sum,
)

from .boxes import Box

AHEAD, BEHIND = AtLeast("lead", 1), AtLeast("deficit", 1)

SIGNED = (("+", "j-i"), ("+", "j"), ("-", "i"), ("-", "j-i"), ("-", "j"), ("+", "i"))
"""What a fraction can be, without its divisor."""

TIMES = {"sum": 2, "own+2*opponent": 3, "2*own+opponent": 3}
"""How often the highest score a measure can come to; once, if it is not here."""

SIDED = {"own", "opponent", "sum", "own+2*opponent", "2*own+opponent", "leaves"}
"""Measures that say something else where one is ahead, or behind; `either` is `own` there, and so on."""

Groups = tuple[tuple[str | AtLeast, ...], ...]
"""A race whose conditions still lack their numbers: names of measures, or `leaves`."""


def bases(integers: int, target: int) -> list[Box]:
    """All bases of so many integers: plain ones, and a choice between two of `parts`, if ahead or by a measure."""
    found = [*plain(integers, target)]
    for own in range(1, integers):
        pairs = itertools.product(parts(own, target), parts(integers - own, target))
        found += [_choice(Box(AHEAD, AHEAD), then, other) for then, other in pairs]
    for what, own in itertools.product(MEASURES, range(1, integers - 1)):
        pairs = itertools.product(parts(own, target), parts(integers - 1 - own, target))
        found += [_choice(_condition(what, target), then, other) for then, other in pairs]
    return found


def plain(integers: int, target: int) -> list[Box]:
    """Bases without choices."""
    sums = [(n, low, high) for n in (1, 2) for low, high in _sums(n, target)]
    found: list[tuple[Base, Base]] = [
        (Constant(1), Constant(target)),
        (Multiple(1), Multiple(target)),
        (KeepUp(1, -1), KeepUp(target, -1)),
        (KeepUp(1, 0), KeepUp(target, 0)),
        (KeepUp(1, 1), KeepUp(target, target)),
        (Quarters((1,) * 4), Quarters((target,) * 4)),
        (Marks(tuple(range(1, integers + 1))), Marks(tuple(range(target - integers, target)))),
    ]
    found += [(low, high) for _, low, high in sums]
    found += [(Floor(1, low), Floor(target, high)) for _, low, high in sums]
    return [Box(low, high) for low, high in found if low.integers == integers]


def parts(integers: int, target: int) -> list[Box]:
    """Bases that a choice is made between: constants, multiples, and a number plus a part of the deficit."""
    deficit = (Fraction("+", "j-i", 2),)
    return [
        box
        for box in plain(integers, target)
        if isinstance(box.low, Constant | Multiple) or (isinstance(box.low, Sum) and box.low.fractions == deficit)
    ]


def _sums(fractions: int, target: int) -> Iterator[tuple[Sum, Sum]]:
    """Sums of so many fractions, all rounded to 0 at the largest divisors."""
    for signed in itertools.combinations_with_replacement(SIGNED, fractions):
        low, high = (tuple(Fraction(*one, by) for one in signed) for by in (2, 2 * target))
        yield Sum(0, low), Sum((1 + fractions) * target, high)


def _choice(by: Box, then: Box, other: Box) -> Box:
    return Box(ConditionalBase(by.low, then.low, other.low), ConditionalBase(by.high, then.high, other.high))


def any_race(integers: int, target: int) -> list[Box]:
    """All races of so many integers: groups of conditions, each alone or only for who is ahead, or behind.

    Beside them a group may be `ahead` or `behind` alone, for these need no number.
    """
    free: Sequence[Groups] = ((), ((AHEAD,),), ((BEHIND,),), ((AHEAD,), (BEHIND,)))
    found: list[Groups] = []
    for chosen in itertools.combinations_with_replacement((*MEASURES, "leaves"), integers):
        for groups in _partitions(chosen):
            choices = [((), (AHEAD,), (BEHIND,)) if SIDED.issuperset(one) else ((),) for one in groups]
            for sides in itertools.product(*choices):
                made = tuple((*group, *side) for group, side in zip(groups, sides, strict=True))
                found += [made + alone for alone in free]
    return [_race(groups, target) for groups in dict.fromkeys(found)]


def _race(groups: Groups, target: int) -> Box:
    boxes = [[_condition(one, target) for one in group] for group in groups]
    low, high = (tuple(tuple(getattr(one, end) for one in group) for group in boxes) for end in ("low", "high"))
    return Box(low, high)


def _condition(what: Any, target: int) -> Box:
    if isinstance(what, AtLeast):
        return Box(what, what)
    if what == "leaves":
        return Box(Leaves(0), Leaves(target))
    return Box(AtLeast(what, 0), AtLeast(what, TIMES.get(what, 1) * (target - 1)))


def _partitions(things: Sequence[str]) -> Iterator[Groups]:
    """All ways to put things into groups."""
    if not things:
        yield ()
        return
    for some in _partitions(things[1:]):
        yield ((things[0],), *some)
        for n, group in enumerate(some):
            yield (*some[:n], (things[0], *group), *some[n + 1 :])
