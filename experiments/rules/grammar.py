"""Rules drawn at random: each form of base and of race alike, with numbers from where a player would look for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from pigevo.dice import Draw
from pigevo.strategies.rules import (
    AtLeast,
    Base,
    Condition,
    ConditionalBase,
    Constant,
    Fraction,
    KeepUp,
    Leaves,
    Marks,
    Multiple,
    Quarters,
    Reasons,
    Rule,
    Sum,
    complexity,
)

from .meter import MOST_INTEGERS

T = TypeVar("T")

MOST_DRAWN = 4_096
"""Uniform numbers that are laid out at a time."""

HOLDS, MULTIPLES, DIVISORS, POINTS, BEHIND = range(15, 36), range(10, 51), range(2, 41), range(1, 61), range(41)


class Source:
    """Random choices, one after the other.

    Args:
        draw: where they come from; the same draw gives the same choices.
    """

    def __init__(self, draw: Draw) -> None:
        self._draw, self._part = draw, 0
        self._left: Iterator[float] = iter(())

    def uniform(self) -> float:
        """A number from 0 to 1, without 1."""
        for number in self._left:
            return number
        self._left = iter(self._draw.at(part=self._part).uniforms(MOST_DRAWN).tolist())
        self._part += 1
        return self.uniform()

    def of(self, choices: Sequence[T]) -> T:
        """One of some."""
        return choices[int(self.uniform() * len(choices))]


def measured(target: int) -> dict[str, range]:
    """The numbers that conditions compare with, by what they measure."""
    near, apart = range(target // 2, target), range(1, target // 2 + 1)
    doubled = range(target, 5 * target // 2)
    sums = range(target - 20, 2 * target - 40)
    return {"own": near, "opponent": near, "either": near, "both": range(2, target), "sum": sums,
            "own+2*opponent": doubled, "2*own+opponent": doubled, "lead": apart, "deficit": apart}  # fmt: skip


def random_rule(source: Source, target: int) -> Rule:
    """A rule of at most `MOST_INTEGERS` integers.

    Args:
        source: of chance.
        target: of the game.
    """
    while True:
        rule = Rule(random_base(source, target), random_race(source, target))
        if complexity(rule).integers <= MOST_INTEGERS:
            return rule


def random_base(source: Source, target: int) -> Base:
    """A base without choices in choices."""
    form = int(source.uniform() * 9)
    if form == 8:
        return ConditionalBase(random_at_least(source, target), _plain(source, source.of(range(4))), _plain(source, 0))
    return _plain(source, form)


def random_at_least(source: Source, target: int) -> AtLeast:
    """A condition on scores."""
    what = source.of(sorted(measured(target)))
    return AtLeast(what, source.of(measured(target)[what]))


def random_race(source: Source, target: int) -> Reasons:
    """None, one or two conditions."""
    chosen: list[Condition] = [
        Leaves(source.of(POINTS)) if source.uniform() < 0.1 else random_at_least(source, target)
        for _ in range(source.of((0, 1, 1, 2, 2)))
    ]
    if source.uniform() < 0.5:
        return tuple((one,) for one in chosen)
    return (tuple(chosen),) if chosen else ()


def _plain(source: Source, form: int) -> Base:
    hold = source.of(HOLDS)
    if form == 0:
        return Constant(hold)
    if form == 1:
        return Sum(hold, (Fraction("+", "j-i", source.of(DIVISORS)),))
    if form == 2:
        return KeepUp(hold, source.of(BEHIND) - 1)
    if form == 3:
        return Multiple(source.of(MULTIPLES))
    if form == 4:
        return Sum(hold, (Fraction("+", "j", source.of(DIVISORS)),))
    if form == 5:
        return Sum(hold, (Fraction("+", "j", source.of(DIVISORS)), Fraction("-", "i", source.of(DIVISORS))))
    if form == 6:
        marks = [source.of(HOLDS)]
        for _ in range(source.of((1, 2))):
            marks.append(marks[-1] + source.of(HOLDS))
        return Marks(tuple(marks))
    return Quarters((hold, source.of(HOLDS), source.of(HOLDS), source.of(HOLDS)))
