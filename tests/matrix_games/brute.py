"""Dominance and equilibria the long way: every basis of the linear systems, every pair of corners."""

import itertools

import numpy as np


def corners(matrix):
    """The corners of {x >= 0, matrix @ x <= 1}, the origin aside: the solutions of as many of its equations as it has dimensions."""
    m, n = matrix.shape
    left, right = np.vstack([np.eye(n), matrix]), np.append(np.zeros(n), np.ones(m))
    points = []
    for chosen in itertools.combinations(range(n + m), n):
        system = left[list(chosen)]
        if abs(np.linalg.det(system)) > 1e-9:
            point = np.linalg.solve(system, right[list(chosen)])
            if point.min() > -1e-9 and (matrix @ point).max() < 1 + 1e-9 and point.max() > 1e-9:
                points.append(point / point.sum())
    return points


def extreme_equilibria(row, column):
    """All pairs of corners of which each is a best response to the other, as rows of rounded numbers."""
    pairs = set()
    for x, y in itertools.product(corners((column - column.min() + 1).T), corners(row - row.min() + 1)):
        if (row @ y).max() - x @ row @ y < 1e-8 and (x @ column).max() - x @ column @ y < 1e-8:
            pairs.add(rounded(x, y))
    return pairs


def rounded(x, y):
    return tuple((np.round(np.append(x, y), 5) + 0.0).tolist())


def dominating_shares(payoffs, strategy, parts):
    """Whether a mixture of the others with shares that are multiples of 1/parts dominates: strictly, and weakly."""
    others = np.delete(payoffs, strategy, axis=0)
    strict = weak = False
    for cuts in itertools.combinations(range(parts + len(others) - 1), len(others) - 1):
        shares = np.diff([-1, *cuts, parts + len(others) - 1]) - 1
        gains = shares @ others - parts * payoffs[strategy]
        strict, weak = strict or gains.min() > 0, weak or (gains.min() >= 0 and gains.max() > 0)
    return strict, weak
