"""Rules in any game: the general engine evaluates them, slower than `Thresholds`, and descents search their forms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pigevo import optimal, win_probability
from pigevo.core.arrays import Floats, Ints
from pigevo.core.machine import map_threads
from pigevo.games import Game
from pigevo.strategies import Strategy
from pigevo.strategies.rules import Rule
from pigevo.strategies.strategy import of_rule

from ..common import tables
from .exhaust import differences
from .front import judged
from .templates import Descended, descended


@dataclass(frozen=True, eq=False)
class General:
    """An opponent in any game for which there are rules, as `Thresholds` is in races of one die.

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
        """Mean win probabilities of both seats, shape (n,), of turn totals by all that stands still during a turn."""
        return np.asarray(self.seats(plans, workers).mean(axis=1))

    def seats(self, plans: Ints, workers: int = 1) -> Floats:
        """Win probabilities moving first and second, shape (n, 2)."""
        inner = [None] * len(self.game.within)

        def won(plan: Ints) -> tuple[float, float]:
            total = self.game.scores[-1]
            rolls = of_rule(self.game, lambda *_: total < plan[(..., *inner)])
            met = win_probability(rolls, self.opponent)
            return met.first, met.second

        return np.array(map_threads(won, list(plans), max(workers, self.workers)))


More = Callable[[General], list[tuple[Rule, str]]]
"""Further rules of a table, each with how it was found."""


def table(
    title: str,
    game: Game,
    whole: Sequence[Sequence[Rule]],
    forms: Sequence[str],
    starts: int,
    workers: int,
    more: More = lambda _: [],
) -> str:
    """The best of families that are small enough to exhaust, and the best ends of descents of other forms.

    Args:
        title: what the rules are.
        game: the game.
        whole: families, of which every member is evaluated.
        forms: rules, of which the numbers are where descents begin.
        starts: descents of each form.
        workers: threads.
        more: what else stands in it.
    """
    referee: Any = General(optimal(game).strategy, workers)
    best = [(_least(rules, referee), f"all of {len(rules)}") for rules in whole]
    best += [(one.rule, _told(one)) for one in (descended(form, starts, referee) for form in forms)]
    return tables.table(
        [title, "integers", "operations", "difference", "exploitability", "best of"],
        [row(rule, how, game) for rule, how in (*best, *more(referee))],
    )


def row(rule: Rule, how: str, game: Game) -> tuple[str | int, ...]:
    """A row of the table."""
    one = judged(rule, game)
    return f"`{rule}`", one.integers, one.operations, f"{one.difference:.5f}", f"{one.exploitability:.5f}", how


def _least(rules: Sequence[Rule], referee: Any) -> Rule:
    return rules[int(differences(rules, referee).argmin())]


def _told(one: Descended) -> str:
    return f"{one.starts} descents, {one.ended} of which end there, {one.evaluations:,} rules"
