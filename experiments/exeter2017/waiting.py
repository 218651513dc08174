"""Roll and wait, of which the report has one sentence and two win probabilities, and stalemates of who passes.

"Roll and wait is a strategy that behaves such that it gets up to a banked score of 80, before not rolling and waiting
for the opponent to catch up, before then rolling to try to win." Each part of the sentence has several readings, and
all are tried. Stalemates are those of the strategy that passes when both have banked as much, against itself.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

import pigevo
from pigevo.core.arrays import Bytes, Floats
from pigevo.exact import against, prepare
from pigevo.games import Game

from ..common import tables as markdown
from .cycles import turtle_value

MARK = 80
"""The banked score at which it begins to wait, by the report."""
TOGETHER = 64
SHOWN = 5


@dataclass(frozen=True)
class Waiting:
    """A reading of the sentence.

    Args:
        n: the turn total at which it holds below the mark; with None it plays the optimum there.
        stops: whether it also holds below the mark as soon as it can bank the mark.
        until: when it has been caught up with: `score` c (the opponent has c) or `lead` d (its lead is at most d).
        value: that c or d.
        mark: the banked score from which it waits.
        hurries: whether it rolls to win below the mark, too, once the opponent has c (the mark if it waits for a lead).
        last: the turn total at which it holds once it has been caught up with; with None it rolls to win.
    """

    n: int | None
    stops: bool
    until: str
    value: int
    mark: int = MARK
    hurries: bool = False
    last: int | None = None

    def table(self, game: Game) -> Bytes:
        """Its decisions, in the layout (own, turn total, opponent)."""
        points = np.arange(game.target)
        i, k, j = points[:, None, None], points[None, :, None], points[None, None, :]
        below = k < self.n if self.n is not None else _optimum(game.target)
        reach = below & ((i + k < self.mark) | (not self.stops))
        if self.hurries:
            reach = reach | (j >= (self.value if self.until == "score" else self.mark))
        caught = j >= self.value if self.until == "score" else i - j <= self.value
        ends = (k > 0) | caught if self.last is None else ((k > 0) | caught) & (k < self.last)
        rolls = np.where(i < self.mark, reach, ends) & (i + k < game.target)
        return np.broadcast_to(rolls, (game.target,) * 3).astype(np.uint8)

    def strategy(self, game: Game) -> pigevo.Strategy:
        """As a strategy."""
        return pigevo.Strategy(game, self.table(game).transpose(0, 2, 1).astype(np.bool_), "roll and wait")

    def __str__(self) -> str:
        plays = "plays the optimum" if self.n is None else f"holds at {self.n}"
        stops = f" or {self.mark} banked" if self.stops else f" below {self.mark}"
        caught = f"the opponent has {self.value}" if self.until == "score" else f"its lead is at most {self.value}"
        rolls = "rolls to win" if self.last is None else f"holds at {self.last}"
        hurries = ", which it also does below" if self.hurries else ""
        return f"{plays}{stops}, waits until {caught}, then {rolls}{hurries}"


@cache
def _optimum(target: int) -> Bytes:
    roll = pigevo.optimal(pigevo.Pig(target)).strategy.roll
    return np.ascontiguousarray(roll.transpose(0, 2, 1))


Caught = tuple[str, int]
ALL: tuple[Caught, ...] = (*(("score", c) for c in range(40, 100)), *(("lead", d) for d in range(-25, 41)))
"""Every way to be caught up with that is tried."""


def natural(mark: int) -> list[Caught]:
    """The ways to be caught up with that the sentence suggests first."""
    scores = sorted({mark, mark + 1, MARK, MARK + 1})
    return [("lead", -1), ("lead", 0), ("lead", 1), *(("score", c) for c in scores)]


Readings = Iterator[Waiting]


def parts() -> dict[str, Readings]:
    """All readings, by what is varied beside the hold value and whether it stops at the mark."""
    both = (False, True)
    return {
        "when it is caught up with, and whether it hurries": (
            Waiting(n, stops, *caught, hurries=hurries)
            for n in range(1, 81) for stops in both for caught in ALL for hurries in both
        ),
        "the mark, from 70 to 95": (
            Waiting(n, stops, *caught, mark=mark)
            for mark in range(70, 96) if mark != MARK
            for n in range(1, 61) for stops in both for caught in natural(mark)
        ),
        "the mark, from 60 to 99, after the optimum": (
            Waiting(None, stops, *caught, mark=mark) for mark in range(60, 100) for stops in both for caught in ALL
        ),
        "where it holds at last, from 2 to 20": (
            Waiting(n, stops, *caught, last=last)
            for n in range(1, 45) for stops in both for caught in natural(MARK) for last in range(2, 21)
        ),
    }  # fmt: skip


def roll_and_wait(game: Game, published: Mapping[str, Any], workers: int) -> str:
    """The readings of roll and wait that come nearest to the report's figures against turtle."""
    turtle = pigevo.turtle(game, turtle_value(game, published))
    first, second = (float(said) for said in published["roll_and_wait"]["computed"])
    goal = np.array([first, 1 - second])
    found = {part: sorted(_tried(game, turtle, readings, goal, workers)) for part, readings in parts().items()}
    tried = sorted(itertools.chain(*found.values()))
    searched = [(part, f"{len(of_part):,}", f"{of_part[0].apart:.4f}") for part, of_part in found.items()]
    count = [
        ("readings tried", f"{len(tried):,}"),
        ("that give the report's figures", sum(reading.apart < 5e-7 for reading in tried)),
        ("nearest is off by", f"{tried[0].apart:.4f}"),
        ("published, roll and wait first", f"{first:.6f}"),
        ("published, turtle first", f"{second:.6f}"),
    ]
    return "\n".join([
        markdown.table(HEAD, [*(near.row(game) for near in tried[:SHOWN]), _default(game, turtle, goal)]),
        markdown.table(["varied beside the hold value and the stop", "readings", "nearest is off by"], searched),
        markdown.table(["search", "found"], count),
    ])  # fmt: skip


HEAD = ("roll and wait", "first against turtle", "turtle first", "off by", "roll to win first against it",
        "it first against roll to win")  # fmt: skip


@dataclass(frozen=True, order=True)
class Tried:
    """A reading: how far it is off the report's figures, and what it wins against turtle by seat."""

    apart: float
    reading: Waiting = field(compare=False)
    seats: tuple[float, float] = field(compare=False)

    def row(self, game: Game) -> tuple[str, ...]:
        """Its row of the table."""
        return _row(str(self.reading), self.seats, self.apart, self.reading.strategy(game))


def _tried(game: Game, turtle: pigevo.Strategy, readings: Readings, goal: Floats, workers: int) -> Iterator[Tried]:
    opponent = prepare(turtle)
    while batch := list(itertools.islice(readings, TOGETHER)):
        seats = against(np.stack([reading.table(game) for reading in batch]), opponent, workers)
        apart = np.abs(seats - goal).max(axis=1)
        yield from map(Tried, apart.tolist(), batch, map(tuple, seats.tolist()))


def _default(game: Game, turtle: pigevo.Strategy, goal: Floats) -> tuple[str, ...]:
    """The row of pigevo's own reading."""
    default = pigevo.roll_and_wait(game)
    p = pigevo.win_probability(default, turtle)
    seats = p.first, p.second
    name = f"{default.name}: holds at 20, waits until its lead is at most 0"
    return _row(name, seats, float(np.abs(seats - goal).max()), default)


def _row(name: str, seats: Sequence[float], apart: float, strategy: pigevo.Strategy) -> tuple[str, ...]:
    rival = pigevo.roll_to_win(strategy.game)
    p = pigevo.win_probability(rival, strategy)
    figures = seats[0], 1 - seats[1], apart, p.first, 1 - p.second - p.stalemate_second
    return name, *(f"{figure:.6f}" for figure in figures)


HOLDS = (5, 10, 15, 20, 21, 25, 30, 40)
GAMES = 100_000
PLAYED_HOLD = 20
SHARE = 0.95


def stalemates_table(game: Game, published: float) -> str:
    """How often nobody wins, exactly and played, by where the strategy holds otherwise.

    Args:
        game: with passing.
        published: "around a quarter".
    """
    rows = []
    for n in HOLDS:
        strategy = pigevo.skip_when_level(game, n)
        p = pigevo.win_probability(strategy, strategy)
        found = ["", ""]
        if n == PLAYED_HOLD:
            match = pigevo.play_match(strategy, strategy, GAMES, seed=17)
            share = match.stalemates / GAMES
            spread = 1.96 * (share * (1 - share) / GAMES) ** 0.5
            found = [f"{share:.4f} of {GAMES:,} games", f"{share - spread:.4f} to {share + spread:.4f}"]
        against = pigevo.win_probability(strategy, pigevo.hold_at(game, n))
        rows.append((n, f"{p.stalemate_first:.6f}", f"{p.first:.6f}", f"{1 - p.first - p.stalemate_first:.6f}", *found,
                     f"{against.overall:.4f}"))  # fmt: skip
    head = [
        "holds otherwise at",
        f"stalemates (published: about {published:g})",
        "who moves first wins",
        "who moves second wins",
        "played",
        "interval (95 %)",
        "wins against the same without passing",
    ]
    return markdown.table(head, rows)
