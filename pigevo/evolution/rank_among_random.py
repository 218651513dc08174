"""How rare a run's figure is among random ones, as far as the sample can tell.

Of `n` random figures `r` reach the run's.  The chance that one random figure does lies in
the interval of Clopper & Pearson (1934).  If none does, the sample gives only a bound:
`p < 1 - 0.05 ** (1 / n)` with 95 % confidence, about `3 / n`.  A law fitted to the sample's
tail would go on from there, and is not used: with 300 normal values it calls a chance of
one in a thousand 0 in 45 % of cases.

For the mean of a population more can be said, since it is one of `size` members, and there
are many of these: `bound_of_means`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import optimize, special, stats

from pigevo.core.arrays import Floats
from pigevo.core.intervals import CONFIDENCE

TELLING = 0.05
"""Larger upper bounds of a chance are not reported."""

STEEPEST = 5000.0
"""The largest exponent tried in a bound; every exponent gives a valid one."""

APART = 1.25
"""The ratio between the numbers of larger members at two neighbouring places of the tail."""


@dataclass(frozen=True)
class Placement:
    """A figure among random ones.

    Args:
        value: the run's figure.
        sample: how many random figures there are.
        reached: how many of them are at least as large.
        low: the lower end of the 95 % interval of the chance that one random figure is.
        high: the upper end of it; if `reached` is 0 that of the one-sided interval.
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
        """Read a placement from a record, also from one with former bounds."""
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
    """Where `value` stands among the random figures in `sample`."""
    flat = np.asarray(sample, dtype=np.float64).ravel()
    reached = int((flat >= value).sum())
    return Placement(float(value), len(flat), reached, *_interval(reached, len(flat)), float(flat.max()))


def _interval(reached: int, n: int) -> tuple[float, float]:
    side = "two-sided" if reached else "less"
    interval = stats.binomtest(reached, n, alternative=side).proportion_ci(CONFIDENCE, method="exact")
    return float(interval.low), float(interval.high)


def bound_of_means(members: Floats, size: int, value: float, top: float = 0.5) -> float:
    """A bound of the chance that the mean of `size` random members reaches `value`; it holds in 95 % of samples.

    Let F be the law of a member, and F_n that of the n in the sample.

    1. With 97.5 %, F >= F_n - sqrt(log(40) / 2n) everywhere (Dvoretzky, Kiefer & Wolfowitz 1956; Massart 1990).
    2. With 97.5 %, F(x_i) >= the 0.025 / m quantile of Beta(i, n + 1 - i) at m chosen places x_i of the ordered
       sample, since F(x_i) is at least the i-th of n uniform numbers; the m errors at most add up. The places are
       chosen by number, close together at the upper end, where this says more than 1.
    3. So with 95 % F >= G everywhere, where G is the larger of both, and 1 at `top`, which no member exceeds: a
       member is stochastically at most one of G, and so is the mean of `size` of them.
    4. For any s >= 0, the chance that a mean of G reaches v is at most (E exp(s (Y - v))) ** size (Chernoff 1952);
       G is fixed by now, so the s that makes it least may be chosen.

    Nothing is supposed of the law. That costs: the rare member that no sample can rule out counts with its 3 / n.

    Args:
        members: values of random members, any shape.
        size: how many make a population.
        value: the mean that is to be reached.
        top: what no member exceeds.
    """
    x = np.sort(np.asarray(members, dtype=np.float64).ravel())
    n, top = len(x), max(top, float(x[-1]))
    error = (1 - CONFIDENCE) / 2
    law = np.arange(1, n + 1) / n - np.sqrt(np.log(1 / error) / (2 * n))
    larger = np.unique(np.floor(APART ** np.arange(np.log(max(n / 5, 1)) / np.log(APART))).astype(np.int64)) - 1
    at = n - 1 - larger
    law[at] = np.maximum(law[at], stats.beta.ppf(error / len(at), n - larger, larger + 1) if len(at) else 0)
    law = np.clip(np.maximum.accumulate(law), 0, 1)
    y, weights = np.append(x, top), np.diff(law, prepend=0, append=1)

    def logarithm(s: float) -> float:
        return size * float(special.logsumexp(s * (y - value), b=weights))

    best = optimize.minimize_scalar(logarithm, bounds=(0, STEEPEST), method="bounded")
    return float(np.exp(min(0.0, best.fun)))


def bound_of_best(bound: float, tries: int) -> float:
    """A bound of the chance that the best of so many tries does what one does with at most `bound`."""
    return min(1.0, tries * bound)
