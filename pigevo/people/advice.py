"""Advice to a person who plays: what a strategy would do, what each choice is worth, and what a roll can bring."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pigevo.exact.choices import Choice, Choices
from pigevo.exact.solve import Solution, best_response
from pigevo.simulation.stepwise import Place
from pigevo.strategies import Strategy


@dataclass(frozen=True, eq=False)
class Adviser:
    """A strategy that is asked for advice.

    Args:
        strategy: itself.
        sentence: how it plays, in words, if there are any.
    """

    strategy: Strategy
    sentence: str = ""

    def roll(self, place: Place) -> float:
        """The probability that it rolls in one place of the person's; 0 or 1, but where it leaves that to chance."""
        return float(self.strategy.roll[place.cell])


@dataclass(frozen=True, eq=False)
class Judge:
    """The exact worth of every choice against an opponent; it is solved for when first asked.

    Args:
        opponent: whom the person plays against. Against the optimum best play is the optimum's.
    """

    opponent: Strategy

    @cached_property
    def best(self) -> Solution:
        """The best response to the opponent.

        Raises:
            InputError: it passes by chance.
        """
        return best_response(self.opponent)

    @cached_property
    def _choices(self) -> Choices:
        return Choices(self.best.strategy, self.opponent)

    def start(self, seat: int) -> float:
        """The win probability of best play before the first roll; in seat 0 the person moves first."""
        return self.best.second if seat else self.best.value

    def choice(self, place: Place) -> Choice:
        """What rolling and holding are worth in one place of the person's."""
        shape, cell = self.opponent.game.shape, place.cell
        between = len(self.opponent.game.between)
        state, within = (
            int(np.ravel_multi_index(cell[part], shape[part])) for part in (slice(between), slice(between, None))
        )
        return self._choices.at(state, within)


@dataclass(frozen=True)
class Odds:
    """The chances of one roll.

    Args:
        ends: that it ends the turn and loses the turn total.
        falls: that it also loses the whole score.
        wins: that it wins the game at once.
        gains: the least and the most that it adds to the turn total, if the turn goes on.
    """

    ends: float
    falls: float
    wins: float
    gains: tuple[int, int]


def odds_of(place: Place) -> Odds:
    """The chances of a roll in one place."""
    game, banked = place.game, place.own + place.total
    throws = game.throws if place.rolls else game.first_throws
    gains = [throw.points for throw in throws if not throw.ends]
    reached = {"": banked, "turn": place.own}  # what the points of a throw are added to
    enough = game.size if game.target else 0  # where another turn may answer, only the cap wins at once
    wins = (t.chance for t in throws if t.ends in reached and reached[t.ends] + t.points >= enough > 0)
    return Odds(
        ends=math.fsum(throw.chance for throw in throws if throw.ends == "turn"),
        falls=math.fsum(throw.chance for throw in throws if throw.ends == "score"),
        wins=math.fsum(wins),
        gains=(min(gains, default=0), max(gains, default=0)),
    )
