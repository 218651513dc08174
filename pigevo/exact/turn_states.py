"""One player's turn at given scores, throw by throw, for equations and decisions of single states."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.core.checked_values import whole
from pigevo.core.text import short_repr
from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.games.board import WIN, Board, board_of
from pigevo.games.game import DIFFERENCE, LAST_TURN, LEFT, OPPONENT, OWN, ROLLS, SECOND, TOTAL
from pigevo.strategies import Strategy

WORDS = {
    OWN: "own score", OPPONENT: "score of the opponent", DIFFERENCE: "lead", LEFT: "number of turns left",
    SECOND: "place in the round", LAST_TURN: "last turn of the opponent", TOTAL: "turn total", ROLLS: "number of rolls",
}  # fmt: skip
"""The names of the axes in messages."""


@dataclass(frozen=True, eq=False)
class TurnStates:
    """The states of a strategy's turn that begins in one state between turns, in the board's numbering."""

    strategy: Strategy
    state: int

    @property
    def board(self) -> Board:
        """The game as arrays."""
        return board_of(self.strategy.game)

    @cached_property
    def rolls(self) -> Floats:
        """The chance of rolling at each state of the turn, shape (W,)."""
        rows, within, lane = self.board.rows
        table = self.strategy.table.reshape(rows, within, lane)
        return np.array(table[self.state // lane, :, self.state % lane], dtype=np.float64)

    def held(self, within: int) -> int:
        """The state from which the opponent moves after a hold, or B plus the number of the game's result."""
        return int(self.board.follow[self.board.hold[within], self.state])

    def thrown(self, within: int) -> list[tuple[float, int, bool]]:
        """The outcomes of a throw: chance, next state, and whether that is a state of this turn."""
        board = self.board
        span = slice(board.begin[within], board.begin[within + 1])
        outcomes = zip(board.chances[span].tolist(), board.leads[span].tolist(), strict=True)
        return [(p, t, True) if t >= 0 else (p, int(board.follow[-1 - t, self.state]), False) for p, t in outcomes]

    def is_won(self, within: int) -> bool:
        """Whether the player holds at a state of the turn because the game is won."""
        return self.rolls[within] == 0 and self.held(within) == self.board.states + WIN

    def thrown_to(self) -> list[int]:
        """The states of the turn that throws can lead to under any strategy, sorted."""
        states, left = {0}, [0]
        while left:
            leads = {lead for _, lead, inside in self.thrown(left.pop()) if inside} - states
            states |= leads
            left.extend(leads)
        return sorted(states)

    def reached(self) -> list[int]:
        """The states of the turn that the strategy can reach before the game is won, sorted."""
        states, left = {0}, [0]
        while left:
            within = left.pop()
            for _, lead, inside in self.thrown(within) if self.rolls[within] else ():
                if inside and lead not in states and not self.is_won(lead):
                    states.add(lead)
                    left.append(lead)
        return sorted(states)

    def place(self, within: int) -> dict[str, int]:
        """The values on the game's axes at a state of the turn, by axis name."""
        game = self.strategy.game
        cells = np.unravel_index(self.state, tuple(len(axis.values) for axis in game.between))
        inside = np.unravel_index(within, tuple(len(axis.values) for axis in game.within))
        return {axis.name: axis.values[int(n)] for axis, n in zip(game.axes, (*cells, *inside), strict=True)}


def state_between(game: Game, own: int, opponent: int, **at: int) -> int:
    """The number of a state between turns in the view of the player to move, whose score is `own`.

    `at` may have `left` (the player's remaining turns, by default all), `second` (1 for the player who moves last in a
    round) and `last_turn` (the points that the opponent banked last), in games that have them.
    """
    places = {OWN: own, OPPONENT: opponent, DIFFERENCE: 0, LEFT: game.turns, SECOND: 0, LAST_TURN: 0} | at
    names = [axis.name for axis in game.between]
    refuse_others(at, names, game)
    for name in (OWN, OPPONENT, *at):
        _refuse_no_number(name, places[name])
    places[DIFFERENCE] = own - opponent
    for axis in game.between:
        _refuse_outside(axis.name, places[axis.name], axis.values)
    index = tuple(places[axis.name] - axis.values[0] for axis in game.between)
    return int(np.ravel_multi_index(index, tuple(len(axis.values) for axis in game.between)))


def state_within(game: Game, total: int, rolls: int | None = None) -> int:
    """The number of a state of a turn; `rolls` matters in some games, and is 1 by default, or 0 at total 0."""
    refuse_others({} if rolls is None else {ROLLS: rolls}, [axis.name for axis in game.within], game)
    places = {TOTAL: total, ROLLS: int(total != 0) if rolls is None else rolls}
    for axis in game.within:
        _refuse_no_number(axis.name, places[axis.name])
        _refuse_outside(axis.name, places[axis.name], axis.values)
    if not places[TOTAL] == 0 == places[ROLLS] and not (places[TOTAL] and places[ROLLS]):
        raise InputError(
            f"a turn total of {total} after {places[ROLLS]} rolls cannot be: it is 0 before the first roll."
        )
    index = tuple(places[axis.name] for axis in game.within)
    return int(np.ravel_multi_index(index, tuple(len(axis.values) for axis in game.within)))


def refuse_others(at: dict[str, int], names: list[str], game: Game) -> None:
    """Refuse arguments that the states of the game do not distinguish."""
    for name in at:
        if name not in names:
            raise InputError(f"in {game} nothing depends on {WORDS.get(name, name)}: leave it out.")


def _refuse_no_number(name: str, value: Any) -> None:
    if not whole(value) or value < 0:
        raise InputError(f"{short_repr(value)} cannot be the {WORDS[name]}: it must be a whole number, at least 0.")


def _refuse_outside(name: str, value: int, values: range) -> None:
    if value not in values:
        raise InputError(
            f"{'an' if WORDS[name][0] in 'aeiou' else 'a'} {WORDS[name]} of {short_repr(value)} is outside the game: "
            f"it must be from {values[0]} to {values[-1]}."
        )
