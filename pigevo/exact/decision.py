"""One decision: what rolling and holding are worth in one state, and by how much they differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from pigevo.arrays import Floats
from pigevo.errors import InputError
from pigevo.exact.solve import optimal
from pigevo.exact.turn_states import TurnStates, state_between, state_within, worth_between
from pigevo.games.game import OWN
from pigevo.strategies import Strategy

LEVEL = 1e-12
"""A difference below it is rounding."""


@dataclass(frozen=True)
class Choice:
    """What the two choices in one state are worth to who is to move.

    Args:
        playing: who chooses, and plays on as ever after the choice.
        against: the opponent.
        roll: the win probability after a roll.
        hold: that after a hold; None where no hold is allowed.
    """

    playing: str
    against: str
    roll: float
    hold: float | None

    @property
    def gain(self) -> float | None:
        """By how much rolling is better than holding; None where no hold is allowed."""
        return None if self.hold is None else self.roll - self.hold

    @property
    def better(self) -> str:
        """`roll`, `hold` or `either`."""
        if self.gain is None or self.gain > LEVEL:
            return "roll"
        return "hold" if self.gain < -LEVEL else "either"


@dataclass(frozen=True)
class Decision:
    """A strategy's decision in one state, judged.

    Args:
        game: the game, in words.
        strategy: its name.
        place: the state, by what the axes of the game stand for.
        rolls: the chance that the strategy rolls.
        optimum_rolls: the chance that the optimum rolls.
        choices: what the choices are worth: the strategy against the optimum, the strategy against itself, and the
            optimum against itself; once, where the strategy is the optimum.
    """

    game: str
    strategy: str
    place: Mapping[str, int]
    rolls: float
    optimum_rolls: float
    choices: tuple[Choice, ...]

    @property
    def as_json(self) -> dict[str, Any]:
        """Plain values that JSON can hold."""
        choices = [asdict(one) | {"gain": one.gain, "better": one.better} for one in self.choices]
        return asdict(self) | {"choices": choices}


def explain_turn(
    strategy: Strategy, own: int, opponent: int, turn: int, rolls: int | None = None, **at: int
) -> Decision:
    """What rolling and holding are worth in one state, if the player plays on as ever.

    Args:
        strategy: who is to move.
        own: its banked score.
        opponent: the opponent's.
        turn: the turn total.
        rolls: how often it has rolled this turn, in games where a decision depends on it.
        at: `left`, `second` and `last_turn`, in games that have them.

    Raises:
        InputError: a state that the game does not have, or in which nothing is left to choose.
    """
    game = strategy.game
    state, within = state_between(game, own, opponent, **at), state_within(game, turn, rolls)
    place = TurnStates(strategy, state).place(within)
    if game.target and place[OWN] + turn >= game.target:
        raise InputError(f"{own} banked and a turn total of {turn} reach {game.target}: the game is won there.")
    best = optimal(game).strategy
    rolls_now, best_rolls = (float(TurnStates(one, state).rolls[within]) for one in (strategy, best))
    pairs = [(best, best)] if strategy == best else [(strategy, best), (strategy, strategy), (best, best)]
    choices = tuple(_choice(a, b, state, within) for a, b in pairs)
    return Decision(str(game), strategy.name, place, rolls_now, best_rolls, choices)


def _choice(a: Strategy, b: Strategy, state: int, within: int) -> Choice:
    turn, (moving, waiting) = TurnStates(a, state), worth_between(a, b)
    hold: float | None = float(waiting[turn.held(within)])
    if within == 0:
        hold = _passed(turn, TurnStates(b, turn.held(0)), moving, waiting) if a.game.allow_pass else None
    return Choice(a.name, b.name, float(_rolled(turn, waiting)[within]), hold)


def _rolled(turn: TurnStates, after: Floats) -> Floats:
    """What a roll at each state of a turn is worth, given what the states after the turn are, shape (W,)."""
    worth, rolled = np.empty(len(turn.rolls)), np.empty(len(turn.rolls))
    for within in range(len(worth) - 1, -1, -1):
        rolled[within] = sum(p * (worth[to] if inside else after[to]) for p, to, inside in turn.thrown(within))
        held = after[turn.held(within)]
        worth[within] = held + turn.rolls[within] * (rolled[within] - held)
    return rolled


def _passed(turn: TurnStates, other: TurnStates, moving: Floats, waiting: Floats) -> float:
    """What a pass is worth: where the scores stand still and the opponent passes too, nobody wins."""
    if turn.board.partner[turn.state] != other.state:
        return float(waiting[other.state])
    return float(other.rolls[0] * _rolled(other, moving)[0])
