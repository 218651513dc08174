"""Rules in any game: the general engine evaluates them, slower than `Thresholds`, and descents search their forms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pigevo import optimal, win_probability
from pigevo.core.arrays import Floats, Ints
from pigevo.core.threads import map_threads
from pigevo.games import Game
from pigevo.strategies import Strategy
from pigevo.strategies.rules import Rule
from pigevo.studies import tables

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
        inner = [None] * len(self.game.within)

        def won(plan: Ints) -> float:
            total = self.game.scores[-1]
            rolls = Strategy.from_function(self.game, lambda *_: total < plan[(..., *inner)])
            return float(win_probability(rolls, self.opponent).overall)

        return np.array(map_threads(won, list(plans), max(workers, self.workers)))


def table(
    title: str, game: Game, whole: Sequence[Sequence[Rule]], forms: Sequence[str], starts: int, workers: int
) -> str:
    """The best of families that are small enough to exhaust, and the best ends of descents of other forms.

    Args:
        title: what the rules are.
        game: the game.
        whole: families, of which every member is evaluated.
        forms: rules, of which the numbers are where descents begin.
        starts: descents of each form.
        workers: threads.
    """
    referee: Any = General(optimal(game).strategy, workers)
    best = [(_least(rules, referee), f"all of {len(rules)}") for rules in whole]
    best += [(one.rule, _told(one)) for one in (descended(form, starts, referee) for form in forms)]
    rows = [
        (f"`{rule}`", one.integers, one.operations, f"{one.difference:.5f}", f"{one.exploitability:.5f}", how)
        for rule, one, how in ((rule, judged(rule, game), how) for rule, how in best)
    ]
    return tables.table([title, "integers", "operations", "difference", "exploitability", "best of"], rows)


def _least(rules: Sequence[Rule], referee: Any) -> Rule:
    return rules[int(differences(rules, referee).argmin())]


def _told(one: Descended) -> str:
    return f"{one.starts} descents, {one.ended} of which end there, {one.evaluations:,} rules"
