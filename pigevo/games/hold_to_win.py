"""Pig as programs play it that ask at every score: a player must hold to win, and may roll on past the target."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated

from pigevo.core.checked_values import Within
from pigevo.games.game import GAMES, Game, Throw, one_pig_die


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
        return one_pig_die(self.sides)
