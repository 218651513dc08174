"""Searches among rules drawn at random: by chance, by descents, and by decision trees, with a referee that counts.

Rules are drawn with each form of base and of race alike, and numbers from where a player would look for them.  Every
contender has as many evaluations, and what it finds is what the referee has seen.  Descents also search forms that are
too large to exhaust.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.exact.thresholds import Thresholds
from pigevo.strategies.rules import (
    AtLeast,
    Base,
    Complexity,
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
    ToTheEnd,
    complexity,
    parse_rule,
)

from ..common import tables
from .exhaust import differences
from .families import numbers_of, with_numbers

MOST_INTEGERS = 5


class SpentError(Exception):
    """There are no evaluations left."""


@dataclass(eq=False)
class Meter:
    """Evaluates rules until the budget is spent.

    Args:
        referee: the optimum, prepared.
        budget: different rules that may be evaluated; a rule that was seen before costs nothing.
    """

    referee: Thresholds
    budget: int
    seen: dict[Rule, float] = field(default_factory=dict)

    def __call__(self, rules: Sequence[Rule]) -> Floats:
        """The differences of rules, shape (n,).

        Raises:
            SpentError: the budget ends among them; those before are seen.
        """
        new = list(dict.fromkeys(rule for rule in rules if rule not in self.seen))
        left = self.budget - len(self.seen)
        if affordable := new[:left]:
            self.seen.update(zip(affordable, differences(affordable, self.referee).tolist(), strict=True))
        if len(new) > left or len(self.seen) == self.budget:
            raise SpentError
        return np.array([self.seen[rule] for rule in rules])

    @property
    def best(self) -> dict[int, tuple[float, Rule]]:
        """The best rule seen for each number of integers up to `MOST_INTEGERS`, with its difference."""
        found: dict[int, tuple[float, Rule]] = {}
        for rule, difference in self.seen.items():
            asked: Complexity = complexity(rule)
            if asked.integers <= MOST_INTEGERS and difference < found.get(asked.integers, (9.0, rule))[0]:
                found[asked.integers] = difference, rule
        return found


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


STEPS = (1, 2, 3, 5, 8, 13, 21)
"""How far a number is moved, up and down."""


def random_search(meter: Meter, source: Source, target: int) -> None:
    """Random rules until the budget is spent."""
    while True:
        meter([random_rule(source, target) for _ in range(100)])


def descents(meter: Meter, source: Source, target: int) -> None:
    """Descents from random rules until the budget is spent."""
    while True:
        descend(random_rule(source, target), meter)


def descend(rule: Rule, meter: Meter, most: int = MOST_INTEGERS) -> Rule:
    """From a rule to one that no step of one number betters.

    Args:
        rule: where to begin.
        meter: the referee.
        most: integers that a rule may ask for.

    Raises:
        SpentError: the budget ends before.
    """
    best = float(meter([rule])[0])
    count, unmoved = len(numbers_of(rule)), 0
    for place in itertools.cycle(range(count)):
        tried = moved(rule, place, most)
        found = meter(tried)
        least = int(found.argmin())
        unmoved = 0 if found[least] < best else unmoved + 1
        if unmoved == 0:
            rule, best = tried[least], float(found[least])
        if unmoved >= count:
            break
    return rule


def moved(rule: Rule, place: int, most: int = MOST_INTEGERS) -> list[Rule]:
    """The rule, and those that one of its numbers makes when it is moved by a step, where there are such rules."""
    numbers = numbers_of(rule)
    made = [rule]
    for step in (sign * step for step in STEPS for sign in (1, -1)):
        try:
            other = with_numbers(rule, [*numbers[:place], numbers[place] + step, *numbers[place + 1 :]])
        except InputError:
            continue
        if complexity(other).integers <= most:  # who is ahead by 2 or more needs a number for it
            made.append(other)
    return made


TRIED = 300
"""Splits that are tried for a leaf."""


def trees(meter: Meter, source: Source, target: int) -> None:
    """Decision trees until the budget is spent: at each leaf a turn total or the end, at each fork a condition.

    A tree begins as the best constant.  Then one of its leaves is split: many conditions, with turn totals on both
    sides, are tried, the best is taken, and all numbers are moved by small steps as long as that helps.  A tree of
    five integers done, the next one begins; what differs between trees are the conditions drawn.
    """
    while True:
        rule = descend(Rule(Constant(source.of(HOLDS))), meter)
        while complexity(rule).integers < MOST_INTEGERS:
            leaves = list(forks(rule.base))
            tried = [Rule(_split(source, source.of(leaves), target)) for _ in range(TRIED)]
            tried = [one for one in tried if complexity(one).integers <= MOST_INTEGERS]
            rule = descend(tried[int(meter(tried).argmin())], meter)


def forks(base: Base) -> Iterator[tuple[Base, ...]]:
    """Each leaf of a tree that is no end, as the way to it: the bases from the root to the leaf."""
    if isinstance(base, ConditionalBase):
        for inner in (base.then, base.otherwise):
            for way in forks(inner):
                yield (base, *way)
    elif isinstance(base, Constant):
        yield (base,)


def _split(source: Source, way: tuple[Base, ...], target: int) -> Base:
    leaf = way[-1]
    condition = random_at_least(source, target)
    then: Base = ToTheEnd() if source.uniform() < 0.5 else Constant(source.of(HOLDS))
    made: Base = ConditionalBase(condition, then, leaf)
    for above, below in zip(way[-2::-1], way[:0:-1], strict=True):
        assert isinstance(above, ConditionalBase)
        made = ConditionalBase(above.condition, made, above.otherwise) if above.then is below else ConditionalBase(
            above.condition, above.then, made)  # fmt: skip
    return made


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


def descents_table(found: Sequence[Descended]) -> str:
    """A row for each form."""
    head = ["form", "best end", "difference", "descents", "that ended there", "rules evaluated"]
    return tables.table(head, [
        (f"`{one.form}`", f"`{one.rule}`", f"{one.difference:.5f}", one.starts, one.ended, f"{one.evaluations:,}")
        for one in found
    ])  # fmt: skip
