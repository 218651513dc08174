"""The points of one turn of a strategy in any game, and the number of turns in which it reaches the target alone."""

from __future__ import annotations

import math

import numpy as np

from pigevo.core.arrays import Bools, Floats
from pigevo.errors import InputError
from pigevo.exact.equations import state_between
from pigevo.games import Game
from pigevo.strategies import Strategy
from pigevo.strategies.arguments import checks_arguments


@checks_arguments
def turn_outcomes(strategy: Strategy, i: int = 0, j: int = 0, **at: int) -> dict[int, float]:
    """The distribution of the points that one turn brings.

    Args:
        strategy: the strategy that plays the turn.
        i: its banked score.
        j: the opponent's banked score.
        at: `left`, `second` and `last_turn`, in games that have them, as for `explain_turn`.

    Returns:
        Points, ascending, with their probabilities; 0 stands for a bust (and for a pass), `-i` for the loss of the
        whole score, and a win counts the whole turn total, which may exceed the points needed.

    Raises:
        InputError: the game does not have this pair of scores.

    Example:
        >>> import pigevo
        >>> outcomes = pigevo.turn_outcomes(pigevo.hold_at(pigevo.Pig(), 20))
        >>> {points: round(chance, 4) for points, chance in outcomes.items()}
        {0: 0.6245, 20: 0.0997, 21: 0.095, 22: 0.0742, 23: 0.0542, 24: 0.0352, 25: 0.0172}
    """
    return _followed(strategy.game, _rolls_at(strategy, i, j, **at), i)


@checks_arguments
def pass_chance(strategy: Strategy, i: int = 0, j: int = 0, **at: int) -> float:
    """The chance that a strategy passes, with the arguments of `turn_outcomes`; 0 where it must roll."""
    return 1.0 - float(_rolls_at(strategy, i, j, **at)[0, 0])


def _rolls_at(strategy: Strategy, i: int, j: int, **at: int) -> Floats | Bools:
    """The chances of rolling by turn total and number of rolls."""
    game = strategy.game
    index = np.unravel_index(state_between(game, i, j, **at), [len(axis.values) for axis in game.between])
    return np.asarray(strategy.roll[tuple(index)].reshape(game.size, -1))


@checks_arguments
def hold_outcomes(game: Game, total: int) -> dict[int, float]:
    """The distribution of the points of a turn that begins at a score of 0 and holds at a turn total."""
    return _followed(game, np.arange(game.size)[:, None] < total, 0)


def _followed(game: Game, rolls: Floats | Bools, own: int) -> dict[int, float]:
    """The distribution of a turn's points; `rolls` has the chances of rolling by turn total and number of rolls."""
    last = rolls.shape[1] - 1
    end = game.size - own if game.target else game.size
    pending = {(0, 0): 1.0}
    outcomes: dict[int, float] = {0: 0.0}
    while pending:
        total, thrown = min(pending)
        chance = pending.pop((total, thrown))
        to_roll = float(rolls[total, thrown]) if total < end else 0.0
        if to_roll < 1:
            outcomes[total] = outcomes.get(total, 0.0) + chance * (1 - to_roll)
        for throw in game.effective_throws if total else game.first_effective_throws:
            p = chance * to_roll * throw.chance
            if throw.ends and to_roll > 0:
                points = -own if throw.ends == "score" else throw.points
                outcomes[points] = outcomes.get(points, 0.0) + p
            elif to_roll > 0:
                after = total + throw.points, min(thrown + 1, last)
                pending[after] = pending.get(after, 0.0) + p
    return dict(sorted(outcomes.items()))


@checks_arguments
def mean_turns_alone(strategy: Strategy, j: int = 0, **at: int) -> float:
    """The mean number of turns in which a strategy reaches the target while the opponent's score stays at `j`.

    From score `i` it is `(1 + sum of chance * turns from i + points) / (1 - bust)`, and infinite if a turn never banks
    anything. If a throw can lose the whole score, play begins again at 0 until an attempt reaches the target; it does
    so the more seldom, the longer the mean. `at` has the other values on which a decision depends, as in
    `turn_outcomes`.

    Raises:
        InputError: the game has no target, or not this score.

    Example:
        >>> import pigevo
        >>> round(pigevo.exact.mean_turns_alone(pigevo.hold_at(pigevo.Pig(), 20)), 4)
        12.6368
    """
    target = strategy.game.target
    if not target:
        raise InputError(f"{strategy.game} has no target that a player could reach alone.")
    turns, reaches = np.zeros(target), np.zeros(target)  # until the target or a fall; the chance of the target
    for i in range(target - 1, -1, -1):
        outcomes = turn_outcomes(strategy, i, j, **at)
        del outcomes[0]
        moves = math.fsum(outcomes.values())  # not 1 less the chance to stay, which may be next to 1
        outcomes.pop(-i, None)
        left = 1 + sum(chance * turns[i + points] for points, chance in outcomes.items() if i + points < target)
        reach = sum(chance * (reaches[i + n] if i + n < target else 1) for n, chance in outcomes.items())
        turns[i], reaches[i] = (left / moves, reach / moves) if moves else (np.inf, 0.0)
    return float(turns[0] / reaches[0]) if reaches[0] else float("inf")
