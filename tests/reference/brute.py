"""Best responses and optima of tiny games, the slow way."""

from itertools import product

import numpy as np

from tests.reference import dense
from tests.reference.rules import gains_of


def decision_cells(game):
    """The cells (i, j, k) in which a player has a choice."""
    t = game.target
    lowest = 0 if game.allow_pass else 1
    return [(i, j, k) for i in range(t) for j in range(t) for k in range(lowest, t - i)]


def forced(game):
    """The array that never holds before the target, where every strategy starts from."""
    i, _, k = np.ogrid[: game.target, : game.target, : game.target]
    return np.broadcast_to(i + k < game.target, (game.target,) * 3).copy()


def all_strategies(game):
    """Every strategy there is: two to the number of asked cells."""
    cells = decision_cells(game)
    for choice in product((False, True), repeat=len(cells)):
        roll = forced(game)
        for cell, rolls in zip(cells, choice, strict=True):
            roll[cell] = rolls
        yield roll


def best_response_by_enumeration(game, b):
    """The best that any strategy does against b: (first, second, values[i, j]), each maximised alone."""
    first = second = -1.0
    values = np.full((game.target,) * 2, -1.0)
    for roll in all_strategies(game):
        d = dense.solve(game, roll, b)
        first, second = max(first, d.first), max(second, d.second)
        values = np.maximum(values, d.values[:, :, 0])
    return first, second, values


def optimum_by_enumeration(game):
    """The largest overall win probability that a strategy is sure of, and that strategy."""
    strategies = list(all_strategies(game))
    best, best_roll = -1.0, None
    for roll in strategies:
        worst = 1.0
        for other in strategies:
            d = dense.solve(game, roll, other)
            worst = min(worst, (d.first + d.second) / 2)
        if worst > best:
            best, best_roll = worst, roll
    return best, best_roll


def optimum_by_value_iteration(game, sweeps=100_000):
    """P[i, j, k] of equation 2.31 for a game without passing, iterated until it moves by less than 1e-15."""
    t = game.target
    p = np.ones((t, t, 2 * t + max(points for points, _ in gains_of(game))))
    inside = np.add.outer(np.arange(t), np.arange(t)) < t
    for i, k in np.argwhere(inside):
        p[i, :, k] = 0.5
    for _ in range(sweeps):
        before = p.copy()
        for i, k in np.argwhere(inside):
            by_roll = game.bust * (1 - p[:, i, 0]) + sum(q * p[i, :, k + g] for g, q in gains_of(game))
            p[i, :, k] = np.maximum(by_roll, 1 - p[:, i + k, 0]) if k > 0 else by_roll
        if np.abs(p - before).max() < 1e-15:
            break
    return np.where(inside[:, None, :], p[:, :, :t], np.nan)
