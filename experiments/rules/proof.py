"""The best rule of so many integers among all that forms allow, proven by bounds on whole boxes of rules.

A box has all rules of one form with numbers from a lowest to a highest.  It can do no better than a player who chooses
freely, for each pair of scores, among all that its rules do there; the best such player is found as a best response is.
A box whose bound is no better than the best rule known is left out, another one is cut in two, until nothing is left.
First all bases are tried as if they raced just where that helps, which no race can better: few survive.  These are then
tried with each race of the grammar.
"""

from __future__ import annotations

import itertools
import logging
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from pigevo import optimal
from pigevo.core.arrays import Bools, Ints, Shorts
from pigevo.exact.thresholds import Thresholds
from pigevo.games import Game
from pigevo.strategies.rules import (
    FAR,
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
    Reasons,
    Rule,
    Sum,
)

from ..common import tables
from .bound_kernels import best_within
from .exhaust import differences
from .families import numbers_of, with_numbers

LOG = logging.getLogger(__name__)

KEPT = 1_000
"""Spans of bases that are kept."""


@dataclass(frozen=True)
class Box:
    """Rules, or parts of rules, of one form.

    Args:
        low, high: the form with its lowest and with its highest numbers.
    """

    low: Any
    high: Any

    @property
    def base(self) -> Box:
        """The bases of a box of rules."""
        return Box(self.low.base, self.high.base)

    @property
    def single(self) -> bool:
        """Whether there is one member only."""
        return bool(self.low == self.high)

    def __len__(self) -> int:
        return math.prod(b - a + 1 for a, b in self._ends())

    def halves(self) -> list[Box]:
        """The box cut in two at the number that varies most for its size; none, if it is a single rule."""
        if self.single:
            return []
        ends = self._ends()
        place = max(range(len(ends)), key=lambda n: (ends[n][1] - ends[n][0]) / (ends[n][0] + 5))
        a, b = ends[place]
        middle = (a + b) // 2
        cuts = [[*ends[:place], cut, *ends[place + 1 :]] for cut in ((a, middle), (middle + 1, b))]
        base = getattr(self.low, "base", self.low)
        if isinstance(base, Marks):
            marks = len(base.marks)
            cuts = [[*_ascending(cut[:marks]), *cut[marks:]] for cut in cuts]
        kept = [zip(*cut, strict=True) for cut in cuts if all(first <= last for first, last in cut)]
        return [Box(with_numbers(self.low, low), with_numbers(self.high, high)) for low, high in map(tuple, kept)]

    def _ends(self) -> list[tuple[int, int]]:
        return list(zip(numbers_of(self.low), numbers_of(self.high), strict=True))


def _ascending(ends: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges of numbers of which each is larger than the one before, without what that leaves out."""
    firsts, lasts = map(list, zip(*ends, strict=True))
    for n in range(1, len(ends)):
        firsts[n] = max(firsts[n], firsts[n - 1] + 1)
        lasts[-n - 1] = min(lasts[-n - 1], lasts[-n] - 1)
    return list(zip(firsts, lasts, strict=True))


def hull(boxes: Sequence[Box]) -> Box:
    """The least box that contains some of one form."""
    lows, highs = ([numbers_of(getattr(box, end)) for box in boxes] for end in ("low", "high"))
    form = boxes[0].low
    return Box(with_numbers(form, np.min(lows, axis=0).tolist()), with_numbers(form, np.max(highs, axis=0).tolist()))


@lru_cache(KEPT)
def turn_totals(box: Box, target: int) -> tuple[Shorts, Shorts]:
    """The least and the greatest turn total that bases of a box hold at, shape (target, target) each."""
    own = np.arange(target)
    least, most = _span(box.low, box.high, own[:, None], own[None, :], target)
    return least.astype(np.int16), most.astype(np.int16)


def races(box: Box, target: int) -> tuple[Bools, Bools]:
    """Where some rule of a box rolls to win, and where all of them do, shape (target, target) each."""
    least, most = turn_totals(box.base, target)
    own = np.arange(target)
    i, j = own[:, None], own[None, :]
    low, high = box.low.race, box.high.race
    return _raced(low, high, i, j, target - i - most), _raced(high, low, i, j, target - i - least)


def _raced(scores: Reasons, margins: Reasons, i: Ints, j: Ints, left: Ints) -> Bools:
    """A race whose conditions on scores have the numbers of one race, and those on what a hold leaves of another."""
    raced = np.zeros(left.shape, np.bool_)
    for group, others in zip(scores, margins, strict=True):
        held = np.ones(left.shape, np.bool_)
        for one, other in zip(group, others, strict=True):
            held &= left <= other.n if isinstance(other, Leaves) else one.holds(i, j)  # type: ignore[union-attr]
        raced |= held
    return raced


def _span(low: Base, high: Base, i: Ints, j: Ints, target: int) -> tuple[Ints, Ints]:
    match low, high:
        case ConditionalBase(condition=AtLeast() as lower), ConditionalBase(condition=AtLeast() as higher):
            some, all_ = lower.holds(i, j), higher.holds(i, j)
            then, other = (
                _span(a, b, i, j, target) for a, b in ((low.then, high.then), (low.otherwise, high.otherwise))
            )
            least = np.where(all_, then[0], np.where(some, np.minimum(then[0], other[0]), other[0]))
            return least, np.where(all_, then[1], np.where(some, np.maximum(then[1], other[1]), other[1]))
        case Multiple(), Multiple():
            every = np.arange(low.n, high.n + 1)
            rest = every - i.reshape(-1, 1) % every
            return rest.min(axis=1)[:, None] + 0 * j, rest.max(axis=1)[:, None] + 0 * j
        case Marks(), Marks():
            return _next_marks(low.marks, high.marks, i, j)
    # every other base grows, or falls, with each of its numbers, so that a corner of the box has the extremes
    corners = itertools.product(*({a, b} for a, b in zip(numbers_of(low), numbers_of(high), strict=True)))
    plans = [with_numbers(low, corner).values(i, j, target) for corner in corners]
    return np.minimum.reduce(plans), np.maximum.reduce(plans)


def _next_marks(low: tuple[int, ...], high: tuple[int, ...], i: Ints, j: Ints) -> tuple[Ints, Ints]:
    """How far it is, at least and at most, to the next mark, if each lies between a lowest and a highest."""
    least, most = FAR + 0 * (i + j), FAR + 0 * (i + j)
    for a, b in zip(low, high, strict=True):
        least = np.where(b > i, np.minimum(least, np.maximum(a, i + 1)), least)
        most = np.where(a > i, np.minimum(most, b), most)
    return least - i, most - i


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


EQUAL = 1e-9
"""Figures so close are equal."""


@dataclass(frozen=True)
class Proven:
    """The best rule of so many integers.

    Args:
        integers: how many.
        rule: the rule.
        difference: the optimum moving first, less the rule moving first against it.
        forms: forms of bases that were tried with any race.
        left: bases for which that does not rule out a better rule.
        bounds: boxes that were bounded.
    """

    integers: int
    rule: Rule
    difference: float
    forms: int
    left: int
    bounds: int


def proven(rule: Rule, game: Game, most: int) -> Proven:
    """The rule that loses least of all that ask for as many integers as one.

    Args:
        rule: the best that is known, which is returned if there is no better one.
        game: the game.
        most: integers of a base at most; the others are the race's.
    """
    search, forms, left = _Search(game, rule), 0, 0
    for own in range(1, most + 1):
        some = any_race(rule.integers - own, game.target)
        for form in bases(own, game.target):
            tried = [form]
            if own < rule.integers:
                survivors = list(search.bases(form))
                left += len(survivors)
                tried = [hull(survivors)] if survivors else []
            LOG.info("%s: %d boxes", form.low.text, search.bounds)
            forms += 1
            for box, race in itertools.product(tried, some):
                search.through(box, race)
    return Proven(rule.integers, search.rule, search.best, forms, left, search.bounds)


def proven_table(rules: Mapping[Rule, int], game: Game) -> str:
    """A row for each of some rules, the best known of their integers, each with the most integers of a base."""
    head = ["integers", "of a base at most", "best", "difference", "forms of bases", "bases left", "bounds"]
    found = {proven(rule, game, most): most for rule, most in rules.items()}
    return tables.table(head, [
        (one.integers, most, f"`{one.rule}`", f"{one.difference:.5f}", one.forms, one.left, f"{one.bounds:,}")
        for one, most in found.items()
    ])  # fmt: skip


class _Search:
    """A search with bounds.

    Args:
        game, rule: see `proven`.
    """

    def __init__(self, game: Game, rule: Rule) -> None:
        self.game, self.rule, self.bounds = game, rule, 0
        self.referee = Thresholds(optimal(game).strategy)
        self.never = np.zeros((game.target, game.target), np.bool_)
        self.best = float(differences([rule], self.referee)[0])

    def is_open(self, totals: tuple[Shorts, Shorts], may: Bools, must: Bools) -> bool:
        """Whether the best player within limits loses less than the best rule."""
        self.bounds += 1
        die, turns, stop = self.referee.arrays
        return best_within(*totals, may, must, die, turns, stop) < self.best - EQUAL

    def bases(self, form: Box) -> Iterator[Box]:
        """The bases of a form that may be better than the best rule if they race just where that helps."""
        boxes = [form]
        while boxes:
            box = boxes.pop()
            if self.is_open(turn_totals(box, self.game.target), ~self.never, self.never):
                if box.single:
                    yield box
                boxes += box.halves()

    def through(self, base: Box, race: Box) -> None:
        """Look for a better rule among all bases of a box with all races of another."""
        boxes = [Box(Rule(base.low, race.low), Rule(base.high, race.high))]
        while boxes:
            box = boxes.pop()
            if self.is_open(turn_totals(box.base, self.game.target), *races(box, self.game.target)):
                if box.single:
                    self.meet(box.low)
                boxes += box.halves()

    def meet(self, rule: Rule) -> None:
        """Compare a rule with the best."""
        difference = float(differences([rule], self.referee)[0])
        if difference < self.best - EQUAL:
            self.rule, self.best = rule, difference
            LOG.info("%s: %.5f", rule, difference)
