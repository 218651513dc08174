"""A game of a person against a strategy: advice during the game, its record, and the costs of the person's choices.

The cost of a choice is the value of the better choice minus its own, if the person plays best against this opponent
afterwards. Between two choices only luck changes the value of the game. So the value at the start, minus all costs,
plus luck, is the value at the end: 1 for a win, 0 for a loss.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pigevo.dice import Draw
from pigevo.exact.choices import Choice, Choices
from pigevo.exact.equations import TurnStates
from pigevo.exact.solve import TIE, Solution, best_response
from pigevo.games.game import ROLLS
from pigevo.simulation.stepwise import (
    DRAWN,
    LOST,
    STALEMATE,
    UNFINISHED,
    WON,
    Position,
    Step,
    Turn,
    counted,
    outcome,
    play_steps,
)
from pigevo.strategies import Strategy


@dataclass(frozen=True, eq=False)
class Adviser:
    """A strategy that gives advice, with its description in words, if there is one."""

    strategy: Strategy
    sentence: str = ""

    def roll(self, position: Position) -> float:
        """The probability that it rolls at the person's position; 0 or 1 unless it is mixed."""
        return float(self.strategy.roll[position.cell])


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

    def choice(self, position: Position) -> Choice:
        """The values of rolling and holding at the person's position."""
        return self._choices.at(*self._state(position))

    def until(self, position: Position) -> int | None:
        """The turn total until which best play rolls in the turn of a position.

        Best play may roll, hold, and roll again. If it rolls at the position, this is the next total at which it holds,
        or the total that ends the turn if there is none; if it holds there, the first total of this stretch of holds.
        None in games in which a decision depends on the number of rolls.
        """
        if (rolls := self._rolls(position)) is None:
            return None
        total = self._state(position)[1]
        if rolls[total]:
            return next((at for at in range(total, len(rolls)) if not rolls[at]), len(rolls))
        return next((at + 1 for at in range(total, -1, -1) if rolls[at]), 0)

    def again(self, position: Position) -> int | None:
        """The turn total from which best play rolls again, if it holds at a position; None if it does not do so."""
        rolls, total = self._rolls(position), self._state(position)[1]
        if rolls is None or rolls[total]:
            return None
        return next((at for at in range(total, len(rolls)) if rolls[at]), None)

    def _rolls(self, position: Position) -> list[bool] | None:
        """Whether best play rolls at each turn total in the turn of a position, or None as in `until`."""
        game = self.opponent.game
        if ROLLS in game.remembers:
            return None
        state, _ = self._state(position)
        rolled, held = self._choices.values_along(TurnStates(self.best.strategy, state))
        rolls = rolled > held + TIE
        passing = self._choices.at(state, 0)
        rolls[0] = passing.hold is None or passing.roll > passing.hold + TIE
        decided: list[bool] = rolls[: game.size - position.own if game.target else game.size].tolist()
        return decided

    def _state(self, position: Position) -> tuple[int, int]:
        """The state in which the turn of a position began, and the index within the turn."""
        shape, cell = self.opponent.game.shape, position.cell
        between = len(self.opponent.game.between)
        state, within = (
            int(np.ravel_multi_index(cell[part], shape[part])) for part in (slice(between), slice(between, None))
        )
        return state, within


@dataclass(frozen=True)
class Odds:
    """The chances that one roll loses the turn total, loses the whole score, or wins at once.

    `gains` are the smallest and the largest number of points that it adds to the turn total if the turn goes on.
    """

    ends: float
    falls: float
    wins: float
    gains: tuple[int, int]


def odds_of(position: Position) -> Odds:
    """The chances of a roll in a position."""
    game, banked = position.game, position.own + position.total
    throws = game.effective_throws if position.rolls else game.first_effective_throws
    gains = [throw.points for throw in throws if not throw.ends]
    reached = {"": banked, "turn": position.own}  # the points of a throw are added to this
    enough = game.size if game.target else 0  # if the opponent still has a turn, only the cap wins at once
    wins = (t.chance for t in throws if t.ends in reached and reached[t.ends] + t.points >= enough > 0)
    return Odds(
        ends=math.fsum(throw.chance for throw in throws if throw.ends == "turn"),
        falls=math.fsum(throw.chance for throw in throws if throw.ends == "score"),
        wins=math.fsum(wins),
        gains=(min(gains, default=0), max(gains, default=0)),
    )


MOST_TURNS = 2_000  # the number of turns after which a game ends without a winner; a usual game has about 25

RESULTS = {WON: "won", LOST: "lost", STALEMATE: "stalemate", UNFINISHED: "unfinished", DRAWN: "draw"}
"""The possible results of a game for the person."""


@dataclass(frozen=True)
class Decided:
    """A choice of the person: the position, and whether the person rolled."""

    position: Position
    rolled: bool


Event = Step | Decided


def events(opponent: Strategy, seat: int, draw: Draw, decide: Callable[[Position], bool | None]) -> Iterator[Event]:
    """The steps of one game, including the person's choices; the player who moves first has seat 0.

    `decide` returns whether the person rolls, or None to leave the game, which then ends.
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
        if isinstance(step, Position):
            answer = decide(step)
            if answer is None:
                return
            yield Decided(step, answer)


@dataclass(frozen=True)
class Played:
    """A game up to its end, or until the person left; in seat 0 the person moved first."""

    opponent: Strategy
    seat: int
    turns: tuple[Turn, ...]
    choices: tuple[Decided, ...]

    @staticmethod
    def of(opponent: Strategy, seat: int, happened: Iterable[Event]) -> Played:
        """The game with these events."""
        seen = list(happened)
        turns = tuple(event for event in seen if isinstance(event, Turn))
        return Played(opponent, seat, turns, tuple(event for event in seen if isinstance(event, Decided)))

    @property
    def result(self) -> str:
        """The result for the person: one of `RESULTS`."""
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


ROUNDING = 1e-12  # smaller costs are treated as rounding errors

SIZES = {"blunder": 0.01, "mistake": 0.002, "inaccuracy": 0.0}
"""The smallest cost of each size of a wrong choice: one game in a hundred, one game in five hundred, and any cost.

The words are those of chess. Of the wrong choices of hold at 20 against the optimum about a quarter are blunders,
nearly half mistakes and three in ten inaccuracies.
"""


@dataclass(frozen=True)
class Judged:
    """A choice of the person: the position, whether the person rolled, and the values of both choices.

    `until` is the turn total until which best play rolls, and `again` that from which it rolls again, as in `Judge`.
    """

    position: Position
    rolled: bool
    choice: Choice
    until: int | None
    again: int | None

    @property
    def cost(self) -> float:
        """The difference to the other choice in win probability, if that was better; otherwise 0."""
        gain = self.choice.gain
        lost = 0.0 if gain is None else -gain if self.rolled else gain
        return lost if lost > ROUNDING else 0.0

    @property
    def size(self) -> str:
        """The size of the cost in a word, one of `SIZES`; empty if the choice costs nothing."""
        return next(size for size, least in SIZES.items() if self.cost >= least) if self.cost else ""


@dataclass(frozen=True)
class Review:
    """The costs of the choices of a game, in win probability, in their order.

    `start` is the value of best play before the first roll; `end` is the value of the result, None if the game was
    left.
    """

    start: float
    end: float | None
    judged: tuple[Judged, ...]

    @property
    def cost(self) -> float:
        """The sum of the costs."""
        return math.fsum(decision.cost for decision in self.judged)

    @property
    def luck(self) -> float | None:
        """The luck of both players' dice: the result minus the start, plus the costs."""
        return None if self.end is None else self.end - self.start + self.cost

    @property
    def costly(self) -> tuple[Judged, ...]:
        """The choices with a cost, in their order."""
        return tuple(decision for decision in self.judged if decision.cost)


def review(played: Played, judge: Judge) -> Review:
    """Evaluate every choice of a game, with the judge of its opponent."""
    ends = {"won": 1.0, "lost": 0.0, "stalemate": 0.0, "draw": played.opponent.game.draw}
    judged = tuple(
        Judged(at, choice.rolled, judge.choice(at), judge.until(at), judge.again(at))
        for choice in played.choices
        for at in [choice.position]
    )
    return Review(judge.start(played.seat), ends.get(played.result), judged)
