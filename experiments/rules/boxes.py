"""Boxes of rules: all rules of one form with numbers from a lowest to a highest, and what they can do together."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from pigevo.core.arrays import Bools, Ints, Shorts
from pigevo.strategies.rules import (
    FAR,
    AtLeast,
    Base,
    ConditionalBase,
    Leaves,
    Marks,
    Multiple,
    Reasons,
)

from .parts import numbers_of, with_numbers

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
