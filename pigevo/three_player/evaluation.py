"""Win probabilities of three given strategies, by solving the linear equations of the game."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.three_player.evaluation_kernels import evaluate_orbits
from pigevo.three_player.orbits import orbits_by_total, won_values
from pigevo.three_player.rules import plain_die
from pigevo.three_player.strategy import Strategy, one_game


def evaluate(strategies: Sequence[Strategy]) -> Floats:
    """Win probabilities at the start of every turn, exactly.

    Args:
        strategies: of players 0, 1 and 2, who take turns in this order.

    Returns:
        Shape (3, 3, T + 1, T + 1, T + 1): win probability of player `p` when player `m` is to
        move, by m, p, and the points needed by the mover, the next and the third player.

    Raises:
        InputError: there are not three, or they play different games.
    """
    game = one_game(strategies)
    won = won_values(game.target)
    values = np.stack([np.roll(won, m, axis=0) for m in range(3)])
    first, second, third = (s.tables for s in strategies)
    orbits = np.concatenate(list(orbits_by_total(game.target)))
    evaluate_orbits(orbits, (first, second, third), plain_die(game), values)
    return values


def win_probabilities(strategies: Sequence[Strategy]) -> tuple[float, float, float]:
    """Win probabilities of first, second and third seat at the start of a game.

    Args:
        strategies: of the three seats; the first one moves first.

    Raises:
        InputError: there are not three, or they play different games.
    """
    target = one_game(strategies).target
    first, second, third = evaluate(strategies)[0, :, target, target, target].tolist()
    return first, second, third
