"""One decision: what rolling and holding are worth in one state, and by how much they differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from pigevo.errors import InputError
from pigevo.exact.choices import Choice, Choices
from pigevo.exact.solve import optimal
from pigevo.exact.turn_states import TurnStates, state_between, state_within
from pigevo.games.game import OWN
from pigevo.strategies import Strategy


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
    if game.target and place[OWN] + turn >= game.size:
        raise InputError(f"{own} banked and a turn total of {turn} reach {game.size}: the game is won there.")
    best = optimal(game).strategy
    rolls_now, best_rolls = (float(TurnStates(one, state).rolls[within]) for one in (strategy, best))
    pairs = [(best, best)] if strategy == best else [(strategy, best), (strategy, strategy), (best, best)]
    choices = tuple(Choices(a, b).at(state, within) for a, b in pairs)
    return Decision(str(game), strategy.name, place, rolls_now, best_rolls, choices)
