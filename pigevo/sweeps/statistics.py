"""Which setting is better, and how sure that is: settings are compared seed by seed.

Two runs with the same seed begin with the same population, so their difference says more
than two unpaired figures.  Intervals and p-values of a mean are those of
`pigevo.intervals`, which hold with few seeds, also of skewed figures, and agree.  Where
many are read together both are corrected:

- p-values of several comparisons by Benjamini & Yekutieli (2001), however these depend on
  each other: of the settings that are called better one in twenty is not, on average.
- Intervals of several comparisons go with them (Benjamini & Yekutieli 2005, "False
  discovery rate-adjusted multiple confidence intervals"): if `r` of `m` are rejected, all
  have the level `1 - 0.05 max(r, 1) / (m (1 + 1/2 + ... + 1/m))`.  The `r` smallest p-values
  are exactly those at most that, so an interval leaves 0 out where the verdict is "better".
- Intervals of several settings hold at once: of `m` settings each has `1 - 0.05 / m`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import optimize, special, stats

from pigevo.arrays import Floats
from pigevo.intervals import CONFIDENCE, mean_interval, mean_p

POWER = 0.8
RANGE = 0.8
"""The confidence of the range of further seeds."""

MOST_SEEDS = 100_000
"""Seeds beyond which a difference is too small to be settled."""


@dataclass(frozen=True)
class Ranked:
    """A setting among others.

    Args:
        setting: the setting, in words.
        runs: how many seeds.
        mean: of the figure over the seeds.
        low, high: the interval of the mean; those of all settings hold at once, in 95 % of cases. None with a
            single seed, or with few that are all alike.
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
        low, high: the interval of that mean, as wide as the correction asks for; None with a single seed, or
            with few that are all alike.
        effect: the mean difference in standard deviations of the differences (Cohen's d_z); None where
            these are all the same.
        wins: the share of seeds with which a is better, ties as halves.
        p: of the test whether the mean difference is 0.
        corrected: the same, corrected for all comparisons made at once.
        more_seeds: about how many more seeds would settle it, were the effect as found; 0 if it is
            settled, None if no reasonable number would.
        fewest_more, most_more: the same at the ends of the effect's 80 % interval; None if no reasonable number would.
        budgets: what a and b spent where that differs, in words.
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
    fewest_more: int | None = 0
    most_more: int | None = 0
    budgets: str = ""

    @property
    def better(self) -> str | None:
        """The better setting, if the interval leaves 0 out; None while it is open."""
        if self.low is None or self.high is None or self.low <= 0 <= self.high:
            return None
        return self.a if self.low > 0 else self.b


def rank(values: Mapping[str, Sequence[float]]) -> list[Ranked]:
    """The settings, the best mean first.

    Args:
        values: the figures of each setting's runs.
    """
    ranked, level = [], 1 - (1 - CONFIDENCE) / max(len(values), 1)
    for setting, figures in values.items():
        found = np.asarray(figures, dtype=float)
        low, high = mean_interval(found, level)
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
    ps = [mean_p(found) for found in differences]
    corrected = stats.false_discovery_control(ps, method="by") if len(ps) > 1 else np.array(ps)
    strictest = (1 - CONFIDENCE) / (len(pairs) * sum(1 / n for n in range(1, len(pairs) + 1)))
    level = 1 - strictest * max(1, int((corrected <= 1 - CONFIDENCE).sum()))
    return [
        _compared(pair, found, p, float(q), level, strictest)
        for pair, found, p, q in zip(pairs, differences, ps, corrected, strict=True)
    ]


def _compared(
    pair: tuple[str, str], differences: Floats, p: float, corrected: float, level: float, alpha: float
) -> Compared:
    n, mean = len(differences), float(differences.mean())
    low, high = mean_interval(differences, level)
    spread = float(differences.std(ddof=1)) if n > 1 else 0.0
    effect = mean / spread if spread > 0 else None
    wins = float(((differences > 0) + (differences == 0) / 2).mean())
    settled = low is not None and high is not None and not low <= 0 <= high
    about, fewest, most = (0, 0, 0) if settled else more_seeds(effect, alpha, n)
    return Compared(*pair, n, mean, low, high, effect, wins, p, corrected, about, fewest, most)


def more_seeds(effect: float | None, alpha: float, have: int) -> tuple[int | None, int | None, int | None]:
    """About how many more seeds would settle a difference, as far as an estimated effect can tell.

    Args:
        effect: in standard deviations of the differences, as found.
        alpha: the level of the test.
        have: the seeds there are.

    Returns:
        The number were the effect as found, and at the ends of its 80 % interval; None where no reasonable
        number would.
    """
    if effect is None:
        return None, None, None
    low, high = effect_interval(effect, have)
    small, large = (0.0 if low <= 0 <= high else min(abs(low), abs(high))), max(abs(low), abs(high))
    return seeds_for(effect, alpha, have), seeds_for(large, alpha, have), seeds_for(small, alpha, have)


def effect_interval(effect: float, n: int) -> tuple[float, float]:
    """The 80 % interval of an effect that was found in so many differences, by the noncentral t law.

    A t of `n` normal differences is `(z + away) / w`, with a normal `z` and a chi `w`; it stays below the one that
    was found with the chance `Phi(t w - away)`, averaged over `w`.

    Args:
        effect: in standard deviations of the differences, as found.
        n: how many differences, at least 2.
    """
    t = abs(effect) * n**0.5
    w = np.sqrt(stats.chi2.ppf((np.arange(2000) + 0.5) / 2000, n - 1) / (n - 1))

    def solved(share: float) -> float:
        away = optimize.brentq(lambda away: special.ndtr(t * w - away).mean() - share, -5, 5 * t + 5)
        return float(away) / float(n**0.5)

    near, far = solved((1 + RANGE) / 2), solved((1 - RANGE) / 2)
    return (near, far) if effect >= 0 else (-far, -near)


def seeds_for(effect: float | None, alpha: float, have: int) -> int | None:
    """About how many more seeds a paired t-test needs to find an effect with a power of `POWER`.

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

    low, high = 1, 2
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
