"""Variants of Pig with one die: other turns, other ends of the game."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated

from pigevo.core.checked_values import Within
from pigevo.games.game import GAMES, Game, Throw


def _one_die(sides: int, points_of_a_one: int = 0) -> tuple[Throw, ...]:
    return (Throw(points_of_a_one, 1 / sides, "turn"), *(Throw(face, 1 / sides) for face in range(2, sides + 1)))


@GAMES.register(name="progressive", source="Norvig, CS212, where it is called Pig")
@dataclass(frozen=True)
class Progressive(Game):
    """Pig in which a 1 loses the turn total but scores 1.

    Args:
        target: points to bank, at least 1.
        sides: faces of the die.
        allow_pass: whether a player may hold at a turn total of 0.
    """

    title = "Progressive Pig"
    target: Annotated[int, Within(1, 300)] = 100
    sides: Annotated[int, Within(2, 1000)] = 6
    allow_pass: bool = field(default=False, kw_only=True)

    @cached_property
    def throws(self) -> tuple[Throw, ...]:
        """The possible outcomes of a throw."""
        return _one_die(self.sides, points_of_a_one=1)


@GAMES.register(name="equal_turns", source="a house rule of many games of points")
@dataclass(frozen=True)
class EqualTurns(Game):
    """Pig in which a 1 loses the turn total and the round is played to its end.

    Then the higher score wins; equal scores are a draw.

    Args:
        target: a player who reaches these points makes the round the last one.
        cap: points that win at once, so that scores are bounded; with the default the optimum loses less than
            1e-9 by it (tested).
        sides: faces of the die.
        allow_pass: whether a player may hold at a turn total of 0.
    """

    title = "Equal-turns Pig"
    target: Annotated[int, Within(1, 300)] = 100
    cap: Annotated[int, Within(2, 600)] = 150
    sides: Annotated[int, Within(2, 1000)] = 6
    allow_pass: bool = field(default=False, kw_only=True)

    reply = "second"

    @cached_property
    def throws(self) -> tuple[Throw, ...]:
        """The possible outcomes of a throw."""
        return _one_die(self.sides)


@GAMES.register(name="hold_to_win", source="programs that ask for a decision at every score")
@dataclass(frozen=True)
class HoldToWin(Game):
    """Pig in which reaching the target ends nothing: a player who holds there wins, and a 1 after it loses the turn.

    Nothing is gained by rolling on, so the optimum is Pig's. Named strategies, rules and hold values bank when they
    reach the target; a function is asked there, too, and may roll on.

    Args:
        target: points that win once they are banked.
        sides: faces of the die.
        beyond: the points beyond the target at which a turn ends by itself, and wins.
        allow_pass: whether a player may hold at a turn total of 0.
    """

    title = "Hold-to-win Pig"
    target: Annotated[int, Within(1, 1000)] = 100
    sides: Annotated[int, Within(2, 1000)] = 6
    beyond: Annotated[int, Within(1, 1000)] = 50
    allow_pass: bool = field(default=False, kw_only=True)

    @property
    def cap(self) -> int:  # type: ignore[override]
        """The score that wins at once."""
        return self.target + self.beyond

    @cached_property
    def throws(self) -> tuple[Throw, ...]:
        """The possible outcomes of a throw."""
        return _one_die(self.sides)


@GAMES.register(name="ten_rounds", source="a school blog's Pig (line-pig), with rounds")
@dataclass(frozen=True)
class TenRounds(Game):
    """Pig of `turns` turns each; a 1 on the first roll of a turn scores 1, a later one loses the turn total.

    Scores are unbounded, so there is a cap: at this turn total a player holds, and larger leads count as this lead.

    Args:
        turns: turns of each player; then the higher total wins.
        draw: the value of equal totals to either player.
        cap: the turn total at which a player holds, and the largest lead that is distinguished. With the default the
            optimum loses less than 1e-9 by it in up to ten turns.
        rolls: whether a decision may also depend on the number of rolls of the turn.
        sides: faces of the die.
    """

    title = "Pig"
    turns: Annotated[int, Within(1, 100)] = 10
    draw: Annotated[float, Within(0, 1)] = 0.5
    cap: Annotated[int, Within(2, 1000)] = 200
    rolls: bool = False
    sides: Annotated[int, Within(2, 100)] = 6

    @cached_property
    def throws(self) -> tuple[Throw, ...]:
        """The possible outcomes of a throw."""
        return _one_die(self.sides)

    @cached_property
    def first_throws(self) -> tuple[Throw, ...]:
        """The possible outcomes of the first throw of a turn."""
        return tuple(Throw(face, 1 / self.sides) for face in range(1, self.sides + 1))

    @cached_property
    def remembers(self) -> tuple[str, ...]:
        """Further quantities that decisions may depend on."""
        return ("rolls",) if self.rolls else ()
