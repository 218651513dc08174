"""Pig with a fixed number of rounds: the higher total wins, and the first roll of a turn is safe."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

from pigevo.core.checked_values import Within
from pigevo.games.game import GAMES, Game, Throw, one_pig_die


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
        return one_pig_die(self.sides)

    @cached_property
    def first_throws(self) -> tuple[Throw, ...]:
        """The possible outcomes of the first throw of a turn."""
        return tuple(Throw(face, 1 / self.sides) for face in range(1, self.sides + 1))

    @cached_property
    def remembers(self) -> tuple[str, ...]:
        """Further quantities that decisions may depend on."""
        return ("rolls",) if self.rolls else ()
