"""Bradley-Terry ratings: one number for each strategy, from which every pair's figure would follow.

The model says that a beats b with the chance `1 / (1 + exp(b's rating - a's))`.  It has no cycles and no favourite
opponents, so how far it misses an exact matrix says how much more there is to the matrix than strength.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, log_expit

from pigevo.arrays import Floats

SUREST = 1e-9
"""A win probability nearer to 0 or 1 counts as this: no finite rating gives certainty."""


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings in natural units: 0.4 is 0.6 against 0.4, a difference of 1 is 0.731; their mean is 0.

    Args:
        ratings: shape (n,).
        errors: their standard errors, where games were played; None where the matrix is exact.
        rms: the root mean square of what the model misses, over all pairs.
        largest: the largest of it.
        pair: the indices of the pair that it misses most.
    """

    ratings: Floats
    errors: Floats | None
    rms: float
    largest: float
    pair: tuple[int, int]


def bradley_terry(overall: Floats, games: int | None = None) -> Ratings:
    """The ratings of greatest likelihood.

    Args:
        overall: win probability, or share of games won, of the row against the column, shape (n, n).
        games: games that each pair has played; None where the matrix is exact, of which every pair weighs the same.
            Half a game more is then won by either side of a pair, so that all ratings are finite.
    """
    n = len(overall)
    decided = overall + overall.T  # less than 1 where games end with no winner
    share = np.divide(overall, decided, out=np.full((n, n), 0.5), where=decided > 0)
    weight = decided.copy() if games is None else games * decided + 1
    share = np.clip(share, SUREST, 1 - SUREST) if games is None else (games * overall + 0.5) / weight
    np.fill_diagonal(weight, 0.0)

    def loss(free: Floats) -> tuple[float, Floats]:
        apart = _apart(free)
        value = -(weight * share * log_expit(apart)).sum()
        slope = -(weight * (share - expit(apart))).sum(axis=1)
        return float(value), slope[1:]

    def curvature(free: Floats) -> Floats:
        return np.asarray(_information(weight, _apart(free))[1:, 1:])

    found = minimize(loss, np.zeros(n - 1), jac=True, hess=curvature, method="trust-exact",
                     options={"gtol": 1e-10 * max(1.0, float(weight.max()))})  # fmt: skip
    apart = _apart(found.x)
    ratings = np.append(0.0, found.x)
    errors = None
    if games is not None:  # the ratings have a mean of 0, so the information has no inverse but a pseudo-inverse
        errors = np.sqrt(np.diag(np.linalg.pinv(_information(weight, apart), hermitian=True)))
    missed = np.abs(np.where(decided > 0, overall - decided * expit(apart), 0.0))
    np.fill_diagonal(missed, 0.0)
    worst = np.unravel_index(int(missed.argmax()), missed.shape)
    rms = float(np.sqrt((missed**2).sum() / (n * (n - 1))))
    return Ratings(ratings - ratings.mean(), errors, rms, float(missed.max()), (int(worst[0]), int(worst[1])))


def _apart(free: Floats) -> Floats:
    """The differences of all ratings, the first of which is 0."""
    ratings = np.append(0.0, free)
    apart: Floats = ratings[:, None] - ratings[None, :]
    return apart


def _information(weight: Floats, apart: Floats) -> Floats:
    """The second derivatives of the loss, shape (n, n)."""
    each = weight * expit(apart) * expit(-apart)
    return np.asarray(np.diag(each.sum(axis=1)) - each)
