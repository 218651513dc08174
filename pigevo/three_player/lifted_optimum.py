"""The two-player optimum as a strategy for three players: the player must choose which opponent to consider."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pigevo.core.arrays import Floats, Ints
from pigevo.core.machine import byte_lru_cache
from pigevo.errors import unknown
from pigevo.exact.solve import optimal
from pigevo.games import Race
from pigevo.three_player.evaluation import evaluate
from pigevo.three_player.rules import check_three, shape
from pigevo.three_player.solver import ThreeSolution
from pigevo.three_player.strategy import Strategy

VIEWS: dict[str, Callable[[Floats, Ints, Ints], Floats]] = {
    "leader": lambda advantage, b, c: advantage[np.minimum(b, c)],
    "next": lambda advantage, b, c: advantage[b],
    "both": lambda advantage, b, c: advantage[b] + advantage[c],
}
"""Which opponent the player considers: the one who needs least, the one who moves next, or both. With both, each is
considered in a two-player game, and the player rolls if that wins more on average."""


def lifted(game: Race, view: str = "leader") -> Strategy:
    """The two-player optimum (Neller & Presser 2004), played by one of three players.

    Args:
        game: the game.
        view: which opponent the player considers, one of `VIEWS`.

    Raises:
        InputError: the view does not exist, or three cannot play the game.

    Example:
        >>> import pigevo
        >>> from pigevo import three_player as tp
        >>> tp.lifted(pigevo.Pig(target=5)).decisions.shape
        (6, 6, 6, 5)
    """
    check_three(game)
    if view not in VIEWS:
        raise unknown("view", view, VIEWS)
    decisions = np.zeros(shape(game), np.uint8)
    advantage = _advantage_of_rolling(game)
    b, c = np.ogrid[1 : game.target + 1, 1 : game.target + 1]
    for a in range(1, game.target + 1):
        decisions[a, 1:, 1:, :a] = (VIEWS[view](advantage[a], b, c) > 0)[:, :, :a]
        decisions[a, 1:, 1:, 0] = 1
    codes, chances = np.empty(0, np.int64), np.empty(0)
    return Strategy(game, decisions, codes, chances, f"two-player optimum, looks at {view}")


def lifted_loss(solution: ThreeSolution, view: str = "leader") -> Floats:
    """The loss of the two-player optimum compared with the equilibrium, against two players of the equilibrium.

    Args:
        solution: the equilibrium, with that of every smaller target.
        view: which opponent the player considers, one of `VIEWS`.

    Returns:
        Win probability, exactly, shape (T, 3), by the target from 1 on and the seat.

    Raises:
        InputError: the view does not exist.

    Example:
        >>> from pigevo import three_player as tp
        >>> tp.lifted_loss(tp.solve(tp.Piglet(5)))[-1].round(4).tolist()
        [0.0019, 0.0019, 0.0019]
    """
    players = [lifted(solution.game, view), solution.strategy, solution.strategy]
    values = evaluate(players)
    t = np.arange(1, solution.game.target + 1)
    seats = [solution.values[t, t, t, seat] - values[m, 0, t, t, t] for seat, m in enumerate((0, 2, 1))]
    return np.stack(seats, axis=1)


@byte_lru_cache(lambda _, advantage: advantage.nbytes)
def _advantage_of_rolling(game: Race) -> Floats:
    """The advantage of rolling over holding in the two-player game, shape (T + 1, T + 1, T).

    By the points needed by the player and the opponent, and the turn total.
    """
    target = game.target
    values = optimal(game).values[::-1, ::-1]  # by points needed minus 1
    needs = np.arange(target)
    top = max(points for points, _ in game.die)
    turn = np.ones((target, target, target + top))
    advantage = np.zeros((target + 1, target + 1, target))
    # `values.T` is the opponent's value, to move, by the same axes. Downwards, since a roll leads to higher turn
    # totals; where the target is reached, the turn is worth 1.
    for k in range(target - 1, -1, -1):
        roll = game.bust * (1 - values.T) + sum(p * turn[:, :, k + points] for points, p in game.die)
        hold = 1 - values.T[np.maximum(needs - k, 0)]
        advantage[1:, 1:, k] = np.where((needs >= k)[:, None], roll - hold, 0.0)
        best = np.maximum(roll, hold) if k > 0 else roll
        turn[:, :, k] = np.where((needs >= k)[:, None], best, 1.0)
    return advantage
