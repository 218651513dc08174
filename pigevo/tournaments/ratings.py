"""How a tournament is summed up: Bradley-Terry ratings, cycles of three, and the Nash mixture of its matrix.

The model says that a beats b with the chance `1 / (1 + exp(b's rating - a's))`.  It has no cycles and no favourite
opponents, so how far it misses an exact matrix says how much more there is to the matrix than strength.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog, minimize
from scipy.special import expit, log_expit

from pigevo.core.arrays import Bools, Floats, Ints

SUREST = 1e-9
"""A win probability nearer to 0 or 1 counts as this: no finite rating gives certainty."""


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings in natural units, with a mean of 0: 0.4 is 0.6 against 0.4, a difference of 1 is 0.731.

    `errors` are their standard errors, where games were played; `rms` and `largest` say what the model misses over all
    pairs, `pair` are the indices of the one that it misses most.
    """

    ratings: Floats
    errors: Floats | None
    rms: float
    largest: float
    pair: tuple[int, int]


def bradley_terry(overall: Floats, games: int | None = None) -> Ratings:
    """The ratings of greatest likelihood, by what the row wins against the column.

    `games` are those that each pair has played; None where the matrix is exact, of which every pair weighs the same.
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

    fitted = minimize(loss, np.zeros(n - 1), jac=True, hess=curvature, method="trust-exact",
                     options={"gtol": 1e-10 * max(1.0, float(weight.max()))})  # fmt: skip
    apart = _apart(fitted.x)
    ratings = np.append(0.0, fitted.x)
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
    information = weight * expit(apart) * expit(-apart)
    return np.asarray(np.diag(information.sum(axis=1)) - information)


LEVEL = 1e-12
"""A margin below it is rounding: the two are level."""


@dataclass(frozen=True, eq=False)
class Cycles:
    """Every three strategies of which each beats the next, and the last the first; the strongest cycle first.

    `members` are indices, the smallest in front, `margins` by how much each beats the next, shape (cycles, 3).
    """

    members: Ints
    margins: Floats

    def __len__(self) -> int:
        return len(self.members)

    @property
    def strengths(self) -> Floats:
        """The smallest margin of each cycle, shape (cycles,)."""
        strengths: Floats = self.margins.min(axis=1)
        return strengths


def margins_of(overall: Floats) -> Floats:
    """Half of what the row wins more often than the column, shape (n, n); the negative of its transpose.

    Where nobody draws that is its win probability in both seats less a half.
    """
    margins: Floats = (overall - overall.T) / 2
    return margins


def beats_of(overall: Floats) -> Bools:
    """Whether the row beats the column, shape (n, n); level strategies beat each other neither way."""
    return margins_of(overall) > LEVEL


def cycles_of(overall: Floats) -> Cycles:
    """All cycles of three, the one with the largest smallest margin first."""
    margins, beats = margins_of(overall), beats_of(overall)
    by_first = [np.empty((0, 3), np.int64)]
    for a in range(len(beats)):
        later = np.arange(a + 1, len(beats))
        round_trips = beats[a, later][:, None] & beats[np.ix_(later, later)] & beats[later, a][None, :]
        b, c = np.nonzero(round_trips)
        by_first.append(np.stack([np.full(len(b), a), later[b], later[c]], axis=1))
    members = np.concatenate(by_first)
    a, b, c = members.T
    cycles = Cycles(members, np.stack([margins[a, b], margins[b, c], margins[c, a]], axis=1))
    order = np.argsort(-cycles.strengths, kind="stable")
    return Cycles(members[order], cycles.margins[order])


def is_transitive(overall: Floats) -> bool:
    """Whether who beats a strategy also beats every strategy that this one beats."""
    beats = beats_of(overall)
    through = beats.astype(np.float32) @ beats.astype(np.float32) > 0
    return not bool((through & ~beats).any())


NEXT_TO_NOTHING = 1e-9
TOLERANCE = 1e-10


@dataclass(frozen=True, eq=False)
class Mixture:
    """The shares of strategies in a mixture, and its margin against the opponent that does best: 0 but for rounding."""

    shares: Floats
    value: float


def nash(overall: Floats) -> Mixture:
    """The mixture that does best against its strongest opponent of the matrix, by linear programming.

    What counts is the margin, half of what one wins more often than the other, so the game is symmetric and its
    value 0. A strategy that no other beats is the whole mixture; of several such ones the first.
    """
    margins = margins_of(overall)
    n, unbeaten = len(margins), np.flatnonzero(margins.min(axis=1) >= -LEVEL)
    if len(unbeaten):
        shares = np.eye(n)[unbeaten[0]]
    else:  # maximise v, where the mixture's margin against each column is at least v
        solved = linprog(
            np.append(np.zeros(n), -1.0),
            A_ub=np.hstack([-margins.T, np.ones((n, 1))]), b_ub=np.zeros(n),
            A_eq=np.append(np.ones(n), 0.0)[None], b_eq=[1.0],
            bounds=[(0, 1)] * n + [(-1, 1)], method="highs",
            options={"primal_feasibility_tolerance": TOLERANCE, "dual_feasibility_tolerance": TOLERANCE},
        )  # fmt: skip
        shares = np.where(solved.x[:n] > NEXT_TO_NOTHING, solved.x[:n], 0.0)
        shares = shares / shares.sum()
    return Mixture(shares, float((shares @ margins).min()))
