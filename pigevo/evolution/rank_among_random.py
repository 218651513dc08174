"""The rank of a run's figure among random figures: how rare it is, as far as a sample can show.

Suppose that `r` of `n` random figures are at least as large as the run's.  The chance that a
random figure is as large lies in the interval of Clopper & Pearson (1934).  If `r = 0`, the
sample gives only a bound: `p < 1 - 0.05 ** (1 / n)` with 95 % confidence, about `3 / n`.  A
distribution fitted to the tail of the sample would give smaller bounds, but is not used: with
300 normal values it estimates a chance of one in a thousand as 0 in 45 % of cases.

For the mean of a population a smaller bound is possible, because the mean is over `size`
members, and the sample contains many members: `bound_of_means`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from pigevo.core.arrays import Floats
from pigevo.core.intervals import CONFIDENCE, share_interval

TELLING = 0.05
"""Larger upper bounds of a chance are not reported."""

STEEPEST = 5000.0
"""The largest exponent tried in a bound; every exponent gives a valid bound."""

NARROW = 0.001
"""The width at which the search for the best exponent ends."""

APART = 1.25
"""The ratio of the numbers of larger members at two neighbouring points of the tail."""


@dataclass(frozen=True)
class Placement:
    """A figure among random figures.

    Args:
        value: the run's figure.
        sample: number of random figures.
        reached: number of random figures that are at least as large as the run's.
        low: the lower end of the 95 % interval of the chance that a random figure is at least as large.
        high: the upper end of the interval, or of the one-sided interval if `reached` is 0.
        largest: the largest random figure.
    """

    value: float
    sample: int
    reached: int
    low: float
    high: float
    largest: float

    @staticmethod
    def read(record: Mapping[str, Any]) -> Placement:
        """Read a placement from a record; the bounds are computed anew, since old records have others."""
        counts = int(record["reached"]), int(record["sample"])
        return Placement(record["value"], counts[1], counts[0], *_interval(*counts), record["largest"])

    @property
    def share(self) -> float:
        """The share of random figures that are at least as large."""
        return self.reached / self.sample

    def __str__(self) -> str:
        if self.reached:
            return f"{self.reached:,} of {self.sample:,}"
        rare = f", fewer than 1 in {int(1 / self.high):,} (95 %)" if self.high <= TELLING else ""
        return f"none of {self.sample:,}{rare}"


def place(value: float, sample: Floats) -> Placement:
    """The placement of `value` among the random figures in `sample`."""
    flat = np.asarray(sample, dtype=np.float64).ravel()
    reached = int((flat >= value).sum())
    return Placement(float(value), len(flat), reached, *_interval(reached, len(flat)), float(flat.max()))


def _interval(reached: int, n: int) -> tuple[float, float]:
    return share_interval(reached, n, CONFIDENCE if reached else 2 * CONFIDENCE - 1)  # one-sided, if none


def bound_of_means(members: Floats, size: int, value: float, top: float = 0.5) -> float:
    """An upper bound of the chance that the mean of `size` random members reaches `value`, valid in 95 % of samples.

    Let F be the distribution function of a member, and F_n that of the n members in the sample.

    1. With 97.5 %, F >= F_n - sqrt(log(40) / 2n) everywhere (Dvoretzky, Kiefer & Wolfowitz 1956; Massart 1990).
    2. With 97.5 %, F(x_i) >= the 0.025 / m quantile of Beta(i, n + 1 - i) at m chosen points x_i of the ordered sample,
       since F(x_i) is at least the i-th of n uniform numbers; the m error probabilities add up at most. The points are
       chosen by rank, close together at the upper end, where this bound is stronger than the first.
    3. So with 95 % F >= G everywhere, where G is the larger of both bounds, and 1 at `top`, which no member exceeds: a
       member is stochastically at most a variable with distribution G, and so is the mean of `size` of them.
    4. For any s >= 0, the chance that a mean of G reaches v is at most (E exp(s (Y - v))) ** size (Chernoff 1952).
       G does not depend on s, so the s with the smallest bound may be chosen.

    Nothing is assumed about F. The price: rare good members, which no sample can rule out, count with a chance of about
    3 / n.

    Args:
        members: values of random members, any shape.
        size: number of members in a population.
        value: the mean to be reached.
        top: a value that no member exceeds.
    """
    x = np.sort(np.asarray(members, dtype=np.float64).ravel())
    n, top = len(x), max(top, float(x[-1]))
    error = (1 - CONFIDENCE) / 2
    law = np.arange(1, n + 1) / n - np.sqrt(np.log(1 / error) / (2 * n))
    larger = np.unique(np.floor(APART ** np.arange(np.log(max(n / 5, 1)) / np.log(APART))).astype(np.int64)) - 1
    at = n - 1 - larger
    law[at] = np.maximum(law[at], special.betaincinv(n - larger, larger + 1, error / len(at)) if len(at) else 0)
    law = np.clip(np.maximum.accumulate(law), 0, 1)
    y, weights = np.append(x, top), np.diff(law, prepend=0, append=1)

    low, high, bound = 0.0, STEEPEST, 0.0
    while high - low > NARROW:  # the logarithm of the bound is convex
        s = np.linspace(low, high, 12)
        logarithms = size * special.logsumexp(np.multiply.outer(s, y - value), b=weights, axis=1)
        best = int(logarithms.argmin())
        low, high, bound = float(s[max(0, best - 1)]), float(s[min(len(s) - 1, best + 1)]), float(logarithms[best])
    return float(np.exp(min(0.0, bound)))


def bound_of_best(bound: float, tries: int) -> float:
    """A bound of the chance that at least one of `tries` tries succeeds, if `bound` is a bound for a single try."""
    return min(1.0, tries * bound)
