"""The probability of selecting wrong members by games, where the truth is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from pigevo.core.arrays import Floats, Ints
from pigevo.core.intervals import SHARE, mean_interval, share_interval
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.evaluation import ranking


def chance_of_wrong(truth: Floats, games: int | Ints) -> float:
    """The exact chance that the best of several members does not win the largest share of independent games.

    `truth` is the win probability of each. Each plays its own games (`games` in number, or one number each) with
    independent dice. Members with equal shares are selected with the same probability; if several are truly best, any
    of them is right.  The formula: if the best wins a share w, the probability that it is selected among ties at random
    is the integral over u from 0 to 1 of the product of F(w-) + u (F(w) - F(w-)) over all others; the integrand is a
    polynomial, for which Gauss's rule is exact.
    """
    means = np.asarray(truth, dtype=np.float64)
    played = np.broadcast_to(np.asarray(games), means.shape)
    if means.ndim != 1 or len(means) < 2:
        raise InputError("to select needs at least two members: give the truth of each in one list.")
    if not ((means >= 0) & (means <= 1)).all() or (played < 1).any():
        raise InputError("the truth must be chances from 0 to 1, and everyone must play at least one game.")
    best = np.flatnonzero(means == means.max())
    nodes, weights = np.polynomial.legendre.leggauss(len(means) // 2 + 1)
    nodes, weights = (nodes + 1) / 2, weights / 2
    right = 0.0
    for one in best:
        wins = np.arange(played[one] + 1)
        product = np.ones((len(wins), len(nodes)))
        for other in np.flatnonzero(np.arange(len(means)) != one):
            # as many wins, of another number of games, as the same share is; whole numbers, so that none is missed
            scaled = wins * int(played[other])
            level, whole = scaled // int(played[one]), scaled % int(played[one]) == 0
            law = stats.binom(int(played[other]), means[other])
            tied = np.where(whole, law.pmf(level), 0.0)
            less = law.cdf(level) - tied
            product *= less[:, None] + nodes * tied[:, None]
        right += float(stats.binom(int(played[one]), means[one]).pmf(wins) @ (product @ weights))
    return min(1.0, max(0.0, 1 - right))


@dataclass(frozen=True)
class Selected:
    """The results of many selections, with 95 % intervals.

    `wrong` is the share of selections that include a member that is not among the best, `lost` the mean loss of those
    selected compared with the best, in win probability, and `games` the mean number of games spent.
    """

    wrong: float
    wrong_low: float
    wrong_high: float
    lost: float
    lost_low: float | None
    lost_high: float | None
    games: float
    times: int


def selected(truth: Floats, scores: Floats, games: Ints, wanted: int = 1) -> Selected:
    """The share of wrong selections in repeated measurements.

    Scores have shape (times, n), with ties broken at random; games are those spent each time.
    """
    means = np.asarray(truth, dtype=np.float64)
    last = np.sort(means)[-wanted]
    chosen = np.array([ranking(row, Draw(0, "selection", n))[:wanted] for n, row in enumerate(scores)])
    wrong = int((means[chosen] < last).any(axis=1).sum())
    lost = np.sort(means)[-wanted:].mean() - means[chosen].mean(axis=1)
    low, high = share_interval(wrong, len(scores))
    ends = mean_interval(lost, within=SHARE)
    return Selected(wrong / len(scores), low, high, float(lost.mean()), *ends, float(np.mean(games)), len(scores))
