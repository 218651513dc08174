"""Rules for two dice, where two 1s lose the whole score: the general engine evaluates them, a thousand times slower."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pigevo import optimal, win_probability
from pigevo.arrays import Floats, Ints
from pigevo.games import Game
from pigevo.strategies import Strategy
from pigevo.strategies.rules import Constant, Multiple, Rule, complexity
from pigevo.studies import markdown
from pigevo.threads import map_threads

from .exhaust import differences
from .templates import Descended, descended

ALONE = range(5, 61)
"""Numbers that are tried alone, all of them."""

FORMS = (
    "24; race either>=75",
    "24; race 2*own+opponent>=178",
    "18 if ahead else 24; race sum>=121",
    "22+(j-i)/7; race either>=75",
    "22+(j-i)/7; race 2*own+opponent>=178",
    "21+(j-i)/8; race either>=75 or 2*own+opponent>=185",
)
"""Forms that are searched by descents, with numbers around which these begin."""


@dataclass(frozen=True, eq=False)
class General:
    """An opponent in any race whose decisions depend on both scores and the turn total, as `Thresholds` is in some.

    Args:
        opponent: whom rules meet.
        workers: threads.
    """

    opponent: Strategy
    workers: int = 1

    @property
    def game(self) -> Game:
        """What is played."""
        return self.opponent.game

    def overall(self, plans: Ints, workers: int = 1) -> Floats:
        """Mean win probabilities of both seats, shape (n,); see `Thresholds.overall`."""

        def won(plan: Ints) -> float:
            rolls = Strategy.from_function(self.game, lambda i, j, k: k < plan[:, :, None])
            return float(win_probability(rolls, self.opponent).overall)

        return np.array(map_threads(won, list(plans), max(workers, self.workers)))


def table(game: Game, starts: int, workers: int) -> str:
    """The best hold-at, the best multiple, and the best ends of descents of other forms.

    Args:
        game: a race with two scores to look at.
        starts: descents of each form.
        workers: threads.
    """
    referee: Any = General(optimal(game).strategy, workers)
    best: list[tuple[Rule, float, str]] = []
    for rules in ([Rule(Constant(n)) for n in ALONE], [Rule(Multiple(n)) for n in ALONE]):
        found = differences(rules, referee)
        best.append((rules[int(found.argmin())], float(found.min()), f"all of {len(rules)}"))
    ends = [descended(form, starts, referee) for form in FORMS]
    best += [(one.rule, one.difference, _told(one)) for one in ends]
    return rows_of(best)


def rows_of(best: Sequence[tuple[Rule, float, str]]) -> str:
    """A row for each rule, with its difference and how it was found."""
    rows = [
        (f"`{rule}`", complexity(rule).integers, complexity(rule).operations, f"{difference:.5f}", how)
        for rule, difference, how in best
    ]
    return markdown.table(["rule for two dice", "integers", "operations", "difference", "best of"], rows)


def _told(one: Descended) -> str:
    return f"{one.starts} descents, {one.ended} of which end there, {one.evaluations:,} rules"
