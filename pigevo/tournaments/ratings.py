"""Summaries of a tournament: Bradley-Terry ratings, cycles of three, and the Nash mixture of its matrix.

In the model a beats b with probability `1 / (1 + exp(b's rating - a's))`.  It has no cycles and no favourite opponents,
so its deviation from an exact matrix shows how much of the matrix is not explained by strength.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog, minimize
from scipy.special import expit, log_expit

from pigevo.core.arrays import Bools, Floats, Ints, own_errors

SUREST = 1e-9  # win probabilities are clipped to this distance from 0 and 1: no finite rating gives certainty


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings in natural units, with a mean of 0: 0.4 is 0.6 against 0.4, a difference of 1 is 0.731.

    `errors` are their standard errors, if games were played; `rms` and `largest` are the model's deviations over all
    pairs, `pair` the indices of the pair with the largest one.
    """

    ratings: Floats
    errors: Floats | None
    rms: float
    largest: float
    pair: tuple[int, int]


@own_errors
def bradley_terry(overall: Floats, games: int | None = None) -> Ratings:
    """The maximum likelihood ratings, from the row's share of wins against the column.

    `games` is the number of games of each pair; None for an exact matrix, in which every pair has the same weight.
    Half a game is added for each side of a pair, so that all ratings are finite.
    """
    n = len(overall)
    decided = overall + overall.T  # less than 1 if games end without a winner
    share = np.divide(overall, decided, out=np.full((n, n), 0.5), where=decided > 0)
    weight = decided.copy() if games is None else games * decided + 1
    share = np.clip(share, SUREST, 1 - SUREST) if games is None else (games * overall + 0.5) / weight
    np.fill_diagonal(weight, 0.0)

    def loss(free: Floats) -> tuple[float, Floats]:
        apart = _differences(free)
        value = -(weight * share * log_expit(apart)).sum()
        slope = -(weight * (share - expit(apart))).sum(axis=1)
        return float(value), slope[1:]

    def curvature(free: Floats) -> Floats:
        return np.asarray(_information(weight, _differences(free))[1:, 1:])

    fitted = minimize(loss, np.zeros(n - 1), jac=True, hess=curvature, method="trust-exact",
                     options={"gtol": 1e-10 * max(1.0, float(weight.max()))})  # fmt: skip
    apart = _differences(fitted.x)
    ratings = np.append(0.0, fitted.x)
    errors = None
    if games is not None:
        errors = np.sqrt(np.diag(_inverse(_information(weight, apart))))
    missed = np.abs(np.where(decided > 0, overall - decided * expit(apart), 0.0))
    np.fill_diagonal(missed, 0.0)
    worst = np.unravel_index(int(missed.argmax()), missed.shape)
    rms = float(np.sqrt((missed**2).sum() / (n * (n - 1))))
    return Ratings(ratings - ratings.mean(), errors, rms, float(missed.max()), (int(worst[0]), int(worst[1])))


def _differences(free: Floats) -> Floats:
    """The differences of all ratings, given those of all but the first, which is 0."""
    ratings = np.append(0.0, free)
    apart: Floats = ratings[:, None] - ratings[None, :]
    return apart


def _information(weight: Floats, apart: Floats) -> Floats:
    """The second derivatives of the loss, shape (n, n)."""
    information = weight * expit(apart) * expit(-apart)
    return np.asarray(np.diag(information.sum(axis=1)) - information)


def _inverse(information: Floats) -> Floats:
    """The inverse of the information among ratings with mean 0, shape (n, n): the covariances of the ratings.

    A common shift of all ratings has no information.  It is given some here and taken away from the inverse, because a
    pseudo-inverse must tell this eigenvalue 0 from small ones, and fails where rounding makes it larger than its bound.
    """
    n = len(information)
    shift = np.trace(information) / n
    return np.asarray(np.linalg.inv(information + shift / n) - 1 / (shift * n))


ROUNDING = 1e-12  # margins below this are rounding errors: the two are level


@dataclass(frozen=True, eq=False)
class Cycles:
    """All triples of strategies in which each beats the next, and the last the first; the strongest cycle first.

    `members` are indices, the smallest first; `margins` the margins of each over the next; both of shape (cycles, 3).
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
    """Half of the difference between the row's and the column's wins, shape (n, n); antisymmetric.

    Without draws it is the overall win probability minus a half.
    """
    margins: Floats = (overall - overall.T) / 2
    return margins


def beats_of(overall: Floats) -> Bools:
    """Whether the row beats the column, shape (n, n); neither of two level strategies beats the other."""
    return margins_of(overall) > ROUNDING


def cycles_of(overall: Floats) -> Cycles:
    """All cycles of three, in descending order of their smallest margin."""
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
    """Whether "beats" is transitive: if a beats b and b beats c, then a beats c."""
    beats = beats_of(overall)
    through = beats.astype(np.float32) @ beats.astype(np.float32) > 0
    return not bool((through & ~beats).any())


LEAST_SHARE = 1e-9
TOLERANCE = 1e-10  # the tolerance of the linear programs, whose gains are from -1 to 1


@dataclass(frozen=True, eq=False)
class Mixture:
    """The shares of strategies in a mixture, and its margin against its best opponent: 0, apart from rounding."""

    shares: Floats
    value: float


@own_errors
def nash(overall: Floats) -> Mixture:
    """The mixture that does best against its strongest opponent in the matrix, by linear programming.

    Payoffs are margins (half of the difference of wins), so the game is symmetric and its value is 0. If a strategy is
    beaten by no other, the mixture is this strategy alone; of several such strategies the first.
    """
    margins = margins_of(overall)
    n, unbeaten = len(margins), np.flatnonzero(margins.min(axis=1) >= -ROUNDING)
    if len(unbeaten):
        shares = np.eye(n)[unbeaten[0]]
    else:
        shares = np.asarray(mixed(margins, np.append(np.zeros(n), -1.0), 1.0, LEAST_SHARE))
    return Mixture(shares, float((shares @ margins).min()))


def mixed(gains: Floats, costs: Floats, floor: float, least: float) -> Floats | None:
    """The mixture of the rows of `gains` with the least total cost, by a linear program; None if there is none.

    `costs` are those of a whole share of each row and of a number v, from -1 to 1; the mixture gains at least
    `floor * v` against each column. Shares up to `least` count as 0.
    """
    n, m = gains.shape
    solved = linprog(
        costs,
        A_ub=np.hstack([-gains.T, np.full((m, 1), floor)]), b_ub=np.zeros(m),
        A_eq=np.append(np.ones(n), 0.0)[None], b_eq=[1.0],
        bounds=[(0, 1)] * n + [(-1, 1)], method="highs",
        options={"primal_feasibility_tolerance": TOLERANCE, "dual_feasibility_tolerance": TOLERANCE},
    )  # fmt: skip
    if solved.x is None:
        return None
    shares = np.where(solved.x[:n] > least, solved.x[:n], 0.0)
    return np.asarray(shares / shares.sum())
