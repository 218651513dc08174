"""Intervals and tests of a mean that hold with few values, also of a skewed law.

Runs are few and their figures skewed: champions crowd near what they can reach at best.
Student's t is right for the normal law at any `n`, but for skewed ones it says "different"
too often, on the side of the long tail.  Hall's transformation (1992, J. Royal Statistical
Society B 54, "On the removal of skewness by transformation") takes the skewness out of it,

    g(t) = t + a t^2 + a^2 t^3 / 3 + a / 2,    a = skewness / (3 sqrt(n)),

which grows with `t` and so has an inverse.  The interval here reaches on either side as far
as the farther of the two, and the test rejects if both do: interval and verdict are one
thing.

How often such an interval holds the mean was measured, by law and number of values: the table
is in docs/explanation/intervals.md.  It is .92 or more for exponential values and about .90
for few lognormal ones, but .64 for three values of a law that has one value in five far away.
No interval that uses the sample alone can do it for every law: a part that was not drawn
leaves no trace.
"""

from __future__ import annotations

import numpy as np
from scipy import special, stats

from pigevo.core.arrays import Floats

CONFIDENCE = 0.95

Range = tuple[float, float]
"""The least and the largest value that a quantity can have."""

ANY: Range = (-np.inf, np.inf)
SHARE: Range = (0.0, 1.0)


def mean_interval(values: Floats, level: float = CONFIDENCE, within: Range = ANY) -> tuple[float | None, float | None]:
    """The interval of the mean of independent values of one law, cut off at the least and most that a value can be.

    Its ends are None where it is undetermined: with a single value, with too few that are all alike (`mean_p`), and
    where it would be all that is possible. The module says how often it holds the mean.
    """
    low, high = _unbounded(np.asarray(values, dtype=np.float64), level)
    if low is None or high is None or (low <= within[0] and high >= within[1]):
        return None, None
    return max(low, within[0]), min(high, within[1])


def _unbounded(found: Floats, level: float) -> tuple[float, float] | tuple[None, None]:
    """The interval of a mean of values that can be any number."""
    n = len(found)
    if n < 2:
        return None, None
    middle = float(found.mean())
    error = float(found.std(ddof=1)) / n**0.5
    if _alike(found, error):
        return (middle, middle) if 2.0 ** (1 - n) <= 1 - level else (None, None)
    most = float(special.stdtrit(n - 1, (1 + level) / 2))
    a = _bend(found)
    below, above = (_bent(most, a), _bent(-most, a)) if a else (most, -most)
    return middle - max(below, most) * error, middle - min(above, -most) * error


def share_interval(reached: int, of: int, level: float = CONFIDENCE) -> tuple[float, float]:
    """The interval of a share, `reached` of `of` (Clopper & Pearson 1934).

    It holds the true one at least as often as it says.
    """
    found = stats.binomtest(reached, of).proportion_ci(level, method="exact")
    return float(found.low), float(found.high)


def mean_p(values: Floats) -> float:
    """The two-sided p-value of a mean of 0: it is at most `1 - level` where `mean_interval` leaves 0 out.

    Values that are all alike have no spread; then it is the probability that so many random signs are the same.
    """
    found = np.asarray(values, dtype=np.float64)
    n = len(found)
    if n < 2 or not found.any():
        return 1.0
    error = float(found.std(ddof=1)) / n**0.5
    if _alike(found, error):
        return 2.0 ** (1 - n)
    t, a = float(found.mean()) / error, _bend(found)
    straight = t + a * t**2 + a**2 * t**3 / 3 + a / 2
    return float(2 * special.stdtr(n - 1, -min(abs(t), abs(straight))))


def critical_t(alpha: float, n: int, parts: Floats) -> Floats:
    """What t must exceed for `mean_p` of n values to be at most `alpha`, at quantiles `parts` of the samples' skewness.

    The skewness of normal samples has its exact law for three values, and otherwise a normal one with its exact
    variance (Fisher 1930).
    """
    most = float(special.stdtrit(n - 1, 1 - alpha / 2))
    if n < 3:
        return np.full(len(parts), most)
    if n == 3:
        skewness = 3**0.5 * np.sin(np.pi * (parts - 0.5))
    else:
        skewness = stats.norm.ppf(parts) * (6 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3))) ** 0.5
    return np.array([max(most, _bent(most, a)) for a in skewness / (3 * n**0.5)])


def _alike(values: Floats, error: float) -> bool:
    return bool(np.ptp(values) == 0) or error == 0


def _bend(values: Floats) -> float:
    """`a` of Hall's transformation, with the skewness of values that are not all alike, corrected for its bias.

    It is 0 of two values.
    """
    n: int = len(values)
    if n < 3:
        return 0.0
    away = values - values.mean()
    away /= np.abs(away).max()  # powers of tiny values would be 0
    skewness = float((away**3).mean()) / float((away**2).mean()) ** 1.5
    return float(skewness * np.sqrt(n - 1) / (3 * (n - 2)))


def _bent(g: float, a: float) -> float:
    """The `t` that Hall's transformation makes `g`."""
    if abs(a) < 1e-6:  # the cube root would lose its digits
        return g - a * (g**2 + 0.5)
    return float((np.cbrt(1 + 3 * a * (g - a / 2)) - 1) / a)
