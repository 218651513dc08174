"""The best rule of so many integers among all that forms allow, proven by bounds on whole boxes of rules.

A box of rules can do no better than a player who chooses freely, for each pair of scores, among all that its rules do
there; the best such player is found as a best response is.  A box whose bound is no better than the best rule known is
left out, another one is cut in two, until nothing is left.  First all bases are tried as if they raced just where that
helps, which no race can better: few survive.  These are then tried with each race of the grammar.
"""

from __future__ import annotations

import itertools
import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from pigevo import optimal
from pigevo.core.arrays import Bools, Shorts
from pigevo.exact.thresholds import Thresholds
from pigevo.games import Game
from pigevo.strategies.rules import Rule

from ..common import tables
from .bound_kernels import best_within
from .boxes import Box, hull, races, turn_totals
from .exhaust import differences
from .forms import any_race, bases

LOG = logging.getLogger(__name__)

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


def table(rules: Mapping[Rule, int], game: Game) -> str:
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
