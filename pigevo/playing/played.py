"""A game of a person against a strategy, as it goes and as it went."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from pigevo.arena.plain import DRAWN, LOST, STALEMATE, UNFINISHED, WON, outcome
from pigevo.arena.steps import Asked, Ended, Place, Step, Turn, counted, play_steps
from pigevo.dice import Draw
from pigevo.strategies import Strategy

MOST_TURNS = 2_000
"""Turns of both players after which a game is given up; a usual one has about 25."""

RESULTS = {WON: "won", LOST: "lost", STALEMATE: "stalemate", UNFINISHED: "unfinished", DRAWN: "draw"}
"""How a game can end for the person."""


@dataclass(frozen=True)
class Decided:
    """A choice of the person's: where, and whether it was to roll."""

    place: Place
    rolled: bool


Event = Step | Decided


def events(opponent: Strategy, seat: int, draw: Draw, decide: Callable[[Place], bool | None]) -> Iterator[Event]:
    """The steps of one game, with the person's choices among them.

    Args:
        opponent: whom the person plays against.
        seat: 0 if the person moves first, else 1.
        draw: the dice, at the game's number.
        decide: says whether the person rolls, or None to leave the game, which then ends here.
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
        if isinstance(step, Asked):
            answer = decide(step.place)
            if answer is None:
                return
            yield Decided(step.place, answer)


@dataclass(frozen=True)
class Played:
    """What has happened in a game until its end, or until the person left.

    Args:
        opponent: whom the person played against.
        seat: 0 if the person moved first, else 1.
        turns: those that were ended.
        choices: the person's.
    """

    opponent: Strategy
    seat: int
    turns: tuple[Turn, ...]
    choices: tuple[Decided, ...]

    @staticmethod
    def of(opponent: Strategy, seat: int, happened: Iterable[Event]) -> Played:
        """The game in which these events happened."""
        seen = list(happened)
        turns = tuple(event.turn for event in seen if isinstance(event, Ended))
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
