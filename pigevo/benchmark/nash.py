"""Nash equilibria of small symmetric games: a mixture of strategies against which none wins more than half."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog

from pigevo.arrays import Floats

SMALLEST = 1e-7
"""Weights below it are rounding."""


def equilibrium(wins: Floats) -> Floats:
    """The weights of strategies in a mixture that wins the most against whichever of them does best against it.

    Args:
        wins: win probability of row against column, shape (n, n), those of (i, j) and (j, i) adding up to 1.

    Returns:
        Weights that add up to 1, shape (n,). There may be several such mixtures; it is a vertex of their set.
    """
    n = len(wins)
    weights_and_value = np.append(np.zeros(n), -1.0)
    never_less = np.column_stack([-wins.T, np.ones(n)])  # value - sum_i weight_i * wins[i, j] <= 0 for each j
    one = np.append(np.ones(n), 0.0)[None]
    found = linprog(
        weights_and_value, never_less, np.zeros(n), one, [1.0], bounds=[(0, None)] * n + [(None, None)], method="highs"
    )
    rounded = np.where(found.x[:n] > SMALLEST, found.x[:n], 0.0)
    weights: Floats = rounded / rounded.sum()
    return weights
