"""Intervals and tests of a mean over seeds, by Student's t; how rare a figure is among random figures.

Four methods were compared: Student's t, Johnson's modified t (1978), Hall's transformation (1992) and Efron's BCa
bootstrap (1987).  Student's t is the simplest, and no other does better on results of runs: on samples of champions
of real experiments its interval contains the mean in 93 to 95 % of cases from five seeds on.  Hall's contains the mean
of a very skewed distribution more often, but with five values its intervals are 1.5 times as wide; BCa contains it
far too rarely when there are few values.  The measurement is in docs/explanation/intervals.md.

No interval computed from the sample alone is right for every distribution: values that were not drawn leave no trace.

A sample shows how rare a run's figure is among random ones.  Suppose that `r` of `n` random figures are at least as
large.  The chance `p` that a random figure is as large lies in the interval of Clopper & Pearson (1934).  If
`r = 0`, the sample gives only a bound: `p < 1 - 0.05 ** (1 / n)` with 95 % confidence, about `3 / n`.  A distribution
fitted to the tail of the sample would give smaller bounds, but is not used: from 300 normal values it estimates a
chance of one in a thousand as 0 in 45 % of cases.  For the mean of a population a smaller bound is possible, because
the mean is over `size` members, and the sample contains many members: `bound_of_means`.

SciPy is imported when it is needed, since not every command needs it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pigevo.core.arrays import Floats, own_errors
from pigevo.core.checked_values import JsonObject

CONFIDENCE = 0.95

Range = tuple[float, float]
"""The smallest and the largest possible value of a quantity."""

ANY: Range = (-np.inf, np.inf)
SHARE: Range = (0.0, 1.0)


@own_errors
def mean_interval(
    values: Floats, level: float = CONFIDENCE, within: Range = ANY, by_signs: bool = False
) -> tuple[float | None, float | None]:
    """Student's confidence interval of a mean.

    Args:
        values: independent values from one distribution, shape (n,).
        level: the nominal coverage; docs/explanation/intervals.md has the measured coverage.
        within: the smallest and the largest possible value; the interval is cut off there.
        by_signs: whether values that are all equal are an interval of themselves if so many random signs would not
            agree (`mean_p`). This is for differences, of which the question is whether they are on one side of 0.

    Returns:
        Its two ends; None where the interval is undetermined: with a single value, with values that are all equal,
        which say nothing of rarer ones, and where it would contain every possible value.
    """
    from scipy import special

    sample = np.asarray(values, dtype=np.float64)
    n = len(sample)
    if n < 2:
        return None, None
    middle, error = float(sample.mean()), float(sample.std(ddof=1)) / n**0.5
    if _alike(sample, error):
        return (middle, middle) if by_signs and 2.0 ** (1 - n) <= 1 - level else (None, None)
    half_width = float(special.stdtrit(n - 1, (1 + level) / 2)) * error
    low, high = middle - half_width, middle + half_width
    if low <= within[0] and high >= within[1]:
        return None, None
    return max(low, within[0]), min(high, within[1])


@own_errors
def share_interval(reached: int, of: int, level: float = CONFIDENCE) -> tuple[float, float]:
    """The exact confidence interval of a proportion, `reached` out of `of` (Clopper & Pearson 1934).

    Its coverage is at least the nominal level.
    """
    from scipy import special

    tail = (1 - level) / 2
    low = special.betaincinv(reached, of - reached + 1, tail) if reached else 0.0
    high = special.betaincinv(reached + 1, of - reached, 1 - tail) if reached < of else 1.0
    return float(low), float(high)


@own_errors
def mean_p(values: Floats) -> float:
    """The two-sided p-value of the hypothesis that the mean is 0.

    It is at most `1 - level` if `mean_interval`, by signs, excludes 0.  If all values are equal there is no spread; it
    is then the probability that n random signs agree.
    """
    from scipy import special

    sample = np.asarray(values, dtype=np.float64)
    n = len(sample)
    if n < 2 or not sample.any():
        return 1.0
    error = float(sample.std(ddof=1)) / n**0.5
    if _alike(sample, error):
        return 2.0 ** (1 - n)
    return float(2 * special.stdtr(n - 1, -abs(float(sample.mean()) / error)))


def differences_of(a: Floats, b: Floats) -> Floats:
    """The differences of two arrays of figures; those that are rounding errors are 0."""
    differences = a - b
    return np.where(np.abs(differences) <= ROUNDING * np.maximum(1.0, np.abs(a)), 0.0, differences)


def _alike(values: Floats, error: float) -> bool:
    """Whether all values are equal, up to rounding: differences of equal win probabilities lie 1e-16 apart."""
    return bool(np.ptp(values) <= ROUNDING * max(1.0, float(np.abs(values).max()))) or error == 0


ROUNDING = 1e-13  # the largest difference of values that are equal up to rounding
TELLING = 0.05  # the largest upper bound of a chance that is reported
STEEPEST = 5000.0  # the largest exponent tried in a bound; every exponent gives a valid bound
NARROW = 0.001  # the width at which the search for the best exponent ends
APART = 1.25  # the ratio of the numbers of larger members at two neighbouring points of the tail


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
    def read(record: JsonObject) -> Placement:
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


def placement_of(value: float, sample: Floats) -> Placement:
    """The placement of `value` among the random figures in `sample`."""
    flat = np.asarray(sample, dtype=np.float64).ravel()
    reached = int((flat >= value).sum())
    return Placement(float(value), len(flat), reached, *_interval(reached, len(flat)), float(flat.max()))


def _interval(reached: int, n: int) -> tuple[float, float]:
    return share_interval(reached, n, CONFIDENCE if reached else 2 * CONFIDENCE - 1)  # one-sided if none is reached


@own_errors
def bound_of_means(members: Floats, size: int, value: float, top: float = 0.5) -> float:
    """An upper bound of the chance that the mean of `size` random members reaches `value`, valid in 95 % of samples.

    Let F be the distribution function of a member, and F_n that of the n members in the sample.

    1. With 97.5 % confidence, F >= F_n - sqrt(log(40) / 2n) everywhere (Dvoretzky, Kiefer & Wolfowitz 1956; Massart
       1990).
    2. With 97.5 % confidence, F(x_i) >= the 0.025 / m quantile of Beta(i, n + 1 - i) at m chosen points x_i of the
       ordered sample, since F(x_i) is at least the i-th of n ordered uniform numbers; the m error probabilities add up
       to at most 2.5 %. The points are chosen by rank, close together at the upper end, where this bound is stronger
       than the first.
    3. So, with 95 % confidence, F >= G everywhere, where G is the larger of both bounds, and 1 at `top`, which no
       member exceeds. A member is then stochastically at most as large as a variable with distribution G, and the mean
       of `size` members at most as large as the mean of `size` such variables.
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
    from scipy import special

    x = np.sort(np.asarray(members, dtype=np.float64).ravel())
    n, top = len(x), max(top, float(x[-1]))
    error = (1 - CONFIDENCE) / 2
    cdf = np.arange(1, n + 1) / n - np.sqrt(np.log(1 / error) / (2 * n))
    larger = np.unique(np.floor(APART ** np.arange(np.log(max(n / 5, 1)) / np.log(APART))).astype(np.int64)) - 1
    at = n - 1 - larger
    cdf[at] = np.maximum(cdf[at], special.betaincinv(n - larger, larger + 1, error / len(at)) if len(at) else 0)
    cdf = np.clip(np.maximum.accumulate(cdf), 0, 1)
    y, weights = np.append(x, top), np.diff(cdf, prepend=0, append=1)

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
