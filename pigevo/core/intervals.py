"""Intervals and tests of a mean over seeds, by Student's t.

Four methods were compared: Student's t, Johnson's modified t (1978), Hall's transformation (1992) and Efron's BCa
bootstrap (1987).  Student's t is the simplest, and no other does better on results of runs: on samples of champions
of real experiments its interval contains the mean in 93 to 95 % of cases from five seeds on.  Hall's contains the mean
of a very skewed distribution more often, but with five values its intervals are half as wide again; BCa contains it
far too rarely when there are few values.  The measurement is in docs/explanation/intervals.md.

No interval computed from the sample alone is right for every distribution: values that were not drawn leave no trace.

SciPy is imported when it is needed, since not every command needs it.
"""

from __future__ import annotations

import numpy as np

from pigevo.core.arrays import Floats

CONFIDENCE = 0.95

Range = tuple[float, float]
"""The smallest and the largest possible value of a quantity."""

ANY: Range = (-np.inf, np.inf)
SHARE: Range = (0.0, 1.0)


def mean_interval(values: Floats, level: float = CONFIDENCE, within: Range = ANY) -> tuple[float | None, float | None]:
    """Student's confidence interval of a mean.

    Args:
        values: independent values from one distribution, shape (n,).
        level: the nominal coverage; docs/explanation/intervals.md has the measured coverage.
        within: the smallest and the largest possible value; the interval is cut off there.

    Returns:
        Its two ends; None where the interval is undetermined: with a single value, with too few values that are all
        equal (`mean_p`), and where it would contain every possible value.
    """
    from scipy import special

    sample = np.asarray(values, dtype=np.float64)
    n = len(sample)
    if n < 2:
        return None, None
    middle, error = float(sample.mean()), float(sample.std(ddof=1)) / n**0.5
    if _alike(sample, error):
        return (middle, middle) if 2.0 ** (1 - n) <= 1 - level else (None, None)
    away = float(special.stdtrit(n - 1, (1 + level) / 2)) * error
    low, high = middle - away, middle + away
    if low <= within[0] and high >= within[1]:
        return None, None
    return max(low, within[0]), min(high, within[1])


def share_interval(reached: int, of: int, level: float = CONFIDENCE) -> tuple[float, float]:
    """The exact confidence interval of a proportion, `reached` out of `of` (Clopper & Pearson 1934).

    Its coverage is at least the nominal level.
    """
    from scipy import special

    tail = (1 - level) / 2
    low = special.betaincinv(reached, of - reached + 1, tail) if reached else 0.0
    high = special.betaincinv(reached + 1, of - reached, 1 - tail) if reached < of else 1.0
    return float(low), float(high)


def mean_p(values: Floats) -> float:
    """The two-sided p-value of the hypothesis that the mean is 0: at most `1 - level` if `mean_interval` excludes 0.

    If all values are equal there is no spread; it is then the probability that n random signs agree.
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


def _alike(values: Floats, error: float) -> bool:
    return bool(np.ptp(values) == 0) or error == 0
