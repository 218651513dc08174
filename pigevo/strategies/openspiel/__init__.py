"""Strategies as policies of OpenSpiel, to be evaluated and played by its tools.

OpenSpiel's `pig` is a race with one fair die whose 1 busts, or with a coin.  It differs from pigevo's in three ways:
the game ends after `horizon` moves (rolls and stops) with 0 for both players; a player may always stop, also at a turn
total of 0; and a player with enough points must still stop to win, and may do nothing else.  Its figures are returns
from -1 to 1: without stalemates, a win probability p is a return of 2 p - 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigevo.core.checked_values import is_integer
from pigevo.core.imports import numpy as np
from pigevo.core.text import short_repr
from pigevo.errors import InputError
from pigevo.games import Game
from pigevo.strategies import Strategy
from pigevo.strategies.arguments import checks_arguments

if TYPE_CHECKING:
    from pigevo.strategies.openspiel.policy import StrategyPolicy

HORIZON = 1000  # OpenSpiel's default; two sensible players make about a hundred moves in a game to 100 points
LARGEST_INTEGER = 2**31 - 1  # the largest of OpenSpiel's integers
ROUNDING = 1e-12  # the tolerance when probabilities are compared


@checks_arguments
def to_openspiel(strategy: Strategy, horizon: int = HORIZON, random_state: object = None) -> StrategyPolicy:
    """The strategy as a policy for both seats of OpenSpiel's `pig`.

    `policy.game` is the game, with the strategy's target and die.  OpenSpiel's functions that use states or
    observations work: `action_probabilities`, `sample_action`, `policy_value`, `to_tabular`, `get_all_states`, bots.
    `policy_value` and `to_tabular` walk the whole tree, so they need a small target and a horizon of about a dozen
    moves.  `exploitability` and `best_response` need information states, which OpenSpiel's `pig` does not have;
    `pigevo.best_response` computes the same without a horizon.

    Args:
        strategy: a strategy, possibly mixed, for a race with one fair die whose 1 busts, or with a coin; in
            `hold_to_win`, one that holds when it has reached the target.
        horizon: the number of moves, at least 1, after which the game ends with 0 for both.
        random_state: a `numpy.random.RandomState` from which `sample_action` draws.

    Raises:
        InputError: OpenSpiel does not have the game, the strategy rolls past the target, the horizon is not a whole
            number, or OpenSpiel is not installed.

    Example:
        >>> import pigevo
        >>> policy = pigevo.to_openspiel(pigevo.hold_at(pigevo.Pig(target=4), 3), horizon=12)
        >>> policy.game.num_players()
        2
    """
    parameters = parameters_of(strategy.game)
    own, _, total = strategy.game.scores
    if np.any((own + total >= strategy.game.target) & (strategy.roll > 0)):
        raise InputError(
            f"{strategy.name} may roll with {strategy.game.target} points or more: OpenSpiel lets a player only stop "
            "there."
        )
    if not is_integer(horizon) or not 1 <= horizon <= LARGEST_INTEGER:
        raise InputError(f"horizon must be an integer from 1 to {LARGEST_INTEGER:,}, not {short_repr(horizon)}.")
    try:
        from pigevo.strategies.openspiel.policy import StrategyPolicy
    except ImportError as error:
        raise InputError("to_openspiel needs OpenSpiel: pip install open_spiel.") from error
    return StrategyPolicy(strategy, {**parameters, "horizon": int(horizon)}, random_state)


def parameters_of(game: Game) -> dict[str, int]:
    """The parameters, except the horizon, with which OpenSpiel's `pig` is this game."""
    sides = round(1 / game.bust) if game.plain_race and game.bust > 1 / LARGEST_INTEGER else 0
    if sides and abs(game.bust - 1 / sides) < ROUNDING:
        gains = dict(game.die)
        if sides == len(gains) + 1 and _alike(gains, {face: 1 / sides for face in range(2, sides + 1)}):
            return {"players": 2, "winscore": game.target, "diceoutcomes": sides, "piglet": False}
        if _alike(gains, {1: 1 - 1 / sides}):
            return {"players": 2, "winscore": game.target, "diceoutcomes": sides, "piglet": True}
    raise InputError(
        f"OpenSpiel has no {game}: its pig is a race with one fair die whose 1 ends the turn, "
        "or with a coin that ends it with a probability of 1/2, 1/3, 1/4 ..."
    )


def _alike(gains: dict[int, float], wanted: dict[int, float]) -> bool:
    return gains.keys() == wanted.keys() and all(abs(gains[n] - wanted[n]) < ROUNDING for n in gains)
