"""Which setting is better, and how sure that is: settings are compared seed by seed.

Two runs with the same seed begin with the same population, so their difference says more
than two unpaired figures.  Intervals are bootstrapped (BCa; Efron 1987), p-values come from
flipping the signs of the differences, exactly where there are few seeds, and many
comparisons at once are corrected by Benjamini & Yekutieli (2001), which holds however they
depend on each other.  All of it is scipy's.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from pigevo.arrays import Floats

CONFIDENCE = 0.95
POWER = 0.8
RESAMPLES = 9999
MOST_SEEDS = 100_000
"""Seeds beyond which a difference is too small to be settled."""


@dataclass(frozen=True)
class Ranked:
    """A setting among others.

    Args:
        setting: the setting, in words.
        runs: how many seeds.
        mean: of the figure over the seeds.
        low, high: the bootstrap interval of the mean at `LEVEL`; None with a single seed.
        sd: the standard deviation over the seeds.
    """

    setting: str
    runs: int
    mean: float
    low: float | None
    high: float | None
    sd: float


@dataclass(frozen=True)
class Compared:
    """Two settings, seed by seed.

    Args:
        a, b: the settings, in words.
        seeds: how many seeds both have.
        difference: the mean of a's figure minus b's.
        low, high: the bootstrap interval of that mean at `LEVEL`; None with a single seed.
        effect: the mean difference in standard deviations of the differences (Cohen's d_z); None where
            these are all the same.
        wins: the share of seeds with which a is better, ties as halves.
        p: of the test whether a and b are the same.
        corrected: the same, corrected for all comparisons made at once.
        more_seeds: about how many more seeds would settle it, were the effect as found; 0 if it is
            settled, None if no reasonable number would.
    """

    a: str
    b: str
    seeds: int
    difference: float
    low: float | None
    high: float | None
    effect: float | None
    wins: float
    p: float
    corrected: float
    more_seeds: int | None

    @property
    def better(self) -> str | None:
        """The better setting; None while it is open."""
        if self.corrected > 1 - CONFIDENCE or self.difference == 0:
            return None
        return self.a if self.difference > 0 else self.b


def rank(values: Mapping[str, Sequence[float]]) -> list[Ranked]:
    """The settings, the best mean first.

    Args:
        values: the figures of each setting's runs.
    """
    ranked = []
    for setting, figures in values.items():
        found = np.asarray(figures, dtype=float)
        low, high = mean_interval(found)
        spread = float(found.std(ddof=1)) if len(found) > 1 else 0.0
        ranked.append(Ranked(setting, len(found), float(found.mean()), low, high, spread))
    return sorted(ranked, key=lambda one: -one.mean)


def compare_pairs(values: Mapping[str, Mapping[int, float]], pairs: Sequence[tuple[str, str]]) -> list[Compared]:
    """Compare settings two by two.

    Args:
        values: for each setting its figures by seed.
        pairs: which settings; each two must have a seed in common.

    Returns:
        The comparisons in the order of the pairs, corrected for their number.
    """
    differences = [_differences(values[a], values[b]) for a, b in pairs]
    ps = [sign_flip(found) for found in differences]
    corrected = stats.false_discovery_control(ps, method="by") if len(ps) > 1 else ps
    strictest = (1 - CONFIDENCE) / (
        len(pairs) * sum(1 / n for n in range(1, len(pairs) + 1))
    )  # of the correction's levels
    compared = []
    for (a, b), found, p, q in zip(pairs, differences, ps, corrected, strict=True):
        low, high = mean_interval(found)
        spread = float(found.std(ddof=1)) if len(found) > 1 else 0.0
        effect = float(found.mean() / spread) if spread > 0 else None
        wins = float(((found > 0) + (found == 0) / 2).mean())
        more = 0 if q <= 1 - CONFIDENCE else seeds_for(effect, strictest, len(found))
        compared.append(
            Compared(a, b, len(found), float(found.mean()), low, high, effect, wins, float(p), float(q), more)
        )
    return compared


def mean_interval(values: Floats) -> tuple[float | None, float | None]:
    """The bootstrap interval of a mean at `LEVEL`; None where there is but one value."""
    if len(values) < 2:
        return None, None
    if np.ptp(values) == 0:
        return float(values[0]), float(values[0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.DegenerateDataWarning)
        found = stats.bootstrap((values,), np.mean, confidence_level=CONFIDENCE, n_resamples=RESAMPLES, random_state=0)
    low, high = map(float, found.confidence_interval)
    return (low, high) if np.isfinite([low, high]).all() else (float(values.min()), float(values.max()))


def sign_flip(differences: Floats) -> float:
    """The two-sided p-value of a mean difference when each sign could as well be the other."""
    if not differences.any():
        return 1.0
    found = stats.permutation_test(
        (differences,), np.mean, permutation_type="samples", n_resamples=RESAMPLES, vectorized=True, random_state=0
    )
    return float(found.pvalue)


def seeds_for(effect: float | None, alpha: float, have: int) -> int | None:
    """About how many more seeds a paired t-test needs to find an effect with a power of `POWER`.

    They are at least as many as the sign flips need: with n seeds no p-value is below 2 / 2^n.

    Args:
        effect: in standard deviations of the differences.
        alpha: the level of the test.
        have: the seeds there are.
    """
    if effect is None or effect == 0:
        return None

    def power(n: int) -> float:
        critical = stats.t.ppf(1 - alpha / 2, n - 1)
        return float(stats.nct.sf(critical, n - 1, abs(effect) * np.sqrt(n)))

    least = max(2, math.ceil(math.log2(2 / alpha)))
    low, high = least - 1, least
    while power(high) < POWER:
        low, high = high, 2 * high
        if high > MOST_SEEDS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if power(middle) >= POWER else (middle, high)
    return max(high - have, 1)


def _differences(a: Mapping[int, float], b: Mapping[int, float]) -> Floats:
    return np.array([a[seed] - b[seed] for seed in sorted(a.keys() & b.keys())])
