"""A game of a person against a strategy: advice while it goes on, what happened, and what the choices have cost.

A choice costs what the better of rolling and holding is worth more, if the person plays best against this opponent from
there on. Between two choices only luck moves the worth of the game. So the worth at the start, less all costs, and with
the luck added, is the worth at the end: 1 for a win, 0 for a loss.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pigevo.dice import Draw
from pigevo.exact.choices import Choice, Choices
from pigevo.exact.solve import Solution, best_response
from pigevo.simulation.stepwise import (
    DRAWN,
    LOST,
    STALEMATE,
    UNFINISHED,
    WON,
    Place,
    Step,
    Turn,
    counted,
    outcome,
    play_steps,
)
from pigevo.strategies import Strategy


@dataclass(frozen=True, eq=False)
class Adviser:
    """A strategy that is asked for advice, and how it plays in words, if there are any."""

    strategy: Strategy
    sentence: str = ""

    def roll(self, place: Place) -> float:
        """The probability that it rolls in one place of the person's; 0 or 1, but where it leaves that to chance."""
        return float(self.strategy.roll[place.cell])


@dataclass(frozen=True, eq=False)
class Judge:
    """The exact values of all choices against an opponent, solved at the first use."""

    opponent: Strategy

    @cached_property
    def best(self) -> Solution:
        """The best response to the opponent."""
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
    """The chances of one roll: that it ends the turn and loses the turn total, loses the whole score too, wins at once.

    `gains` are the least and the most that it adds to the turn total, if the turn goes on.
    """

    ends: float
    falls: float
    wins: float
    gains: tuple[int, int]


def odds_of(place: Place) -> Odds:
    """The chances of a roll in one place."""
    game, banked = place.game, place.own + place.total
    throws = game.effective_throws if place.rolls else game.first_effective_throws
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


MOST_TURNS = 2_000
"""The number of turns after which a game ends without a winner; a usual game has about 25."""

RESULTS = {WON: "won", LOST: "lost", STALEMATE: "stalemate", UNFINISHED: "unfinished", DRAWN: "draw"}
"""How a game can end for the person."""


@dataclass(frozen=True)
class Decided:
    """A choice of the person's: where, and whether it was to roll."""

    place: Place
    rolled: bool


Event = Step | Decided


def events(opponent: Strategy, seat: int, draw: Draw, decide: Callable[[Place], bool | None]) -> Iterator[Event]:
    """The steps of one game, with the person's choices among them; who moves first has seat 0.

    `decide` says whether the person rolls, or None to leave the game, which then ends here.
    """
    players = (None, opponent) if seat == 0 else (opponent, None)
    steps = play_steps(opponent.game, players, draw, MOST_TURNS)
    answer: bool | None = None
    while True:
        try:
            step = steps.send(answer)
        except StopIteration:
            return
        yield step
        answer = None
        if isinstance(step, Place):
            answer = decide(step)
            if answer is None:
                return
            yield Decided(step, answer)


@dataclass(frozen=True)
class Played:
    """A game until its end, or until the person left; in seat 0 the person moved first."""

    opponent: Strategy
    seat: int
    turns: tuple[Turn, ...]
    choices: tuple[Decided, ...]

    @staticmethod
    def of(opponent: Strategy, seat: int, happened: Iterable[Event]) -> Played:
        """The game in which these events happened."""
        seen = list(happened)
        turns = tuple(event for event in seen if isinstance(event, Turn))
        return Played(opponent, seat, turns, tuple(event for event in seen if isinstance(event, Decided)))

    @property
    def result(self) -> str:
        """How it ended for the person: one of `RESULTS`."""
        if not self.turns:
            return RESULTS[UNFINISHED]
        ended = outcome(list(self.turns), self.opponent.game)
        return RESULTS[1 - ended if self.seat == 1 and ended in (WON, LOST) else ended]

    @property
    def scores(self) -> tuple[int, int]:
        """The banked scores of the person and of the opponent."""
        if not self.turns:
            return 0, 0
        last = self.turns[-1]
        own = counted(self.opponent.game, last.own + last.banked, last.opponent)
        return (own, last.opponent) if last.player == self.seat else (last.opponent, own)


NOTHING = 1e-12
"""Smaller costs are treated as rounding."""


@dataclass(frozen=True)
class Judged:
    """A choice of the person's: where, whether it was to roll, and what both choices were worth."""

    place: Place
    rolled: bool
    choice: Choice

    @property
    def cost(self) -> float:
        """The win probability that the other choice was better by; 0 if it was not."""
        gain = self.choice.gain
        lost = 0.0 if gain is None else -gain if self.rolled else gain
        return lost if lost > NOTHING else 0.0


@dataclass(frozen=True)
class Review:
    """The costs of the choices of a game, in win probability, in their order.

    `start` is that of best play before the first roll, `end` what the end was worth, None in a game that has none.
    """

    against: str
    start: float
    end: float | None
    judged: tuple[Judged, ...]

    @property
    def cost(self) -> float:
        """The sum of the costs."""
        return math.fsum(one.cost for one in self.judged)

    @property
    def luck(self) -> float | None:
        """The luck of both players' dice: the result less the start and plus the costs."""
        return None if self.end is None else self.end - self.start + self.cost

    @property
    def costly(self) -> tuple[Judged, ...]:
        """The choices that cost something, in their order."""
        return tuple(one for one in self.judged if one.cost)


def review(played: Played, judge: Judge) -> Review:
    """Judge every choice of a game, by the judge of its opponent."""
    ends = {"won": 1.0, "lost": 0.0, "stalemate": 0.0, "draw": played.opponent.game.draw}
    judged = tuple(Judged(one.place, one.rolled, judge.choice(one.place)) for one in played.choices)
    return Review(judge.opponent.name, judge.start(played.seat), ends.get(played.result), judged)
