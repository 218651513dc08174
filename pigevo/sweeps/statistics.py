"""Statistics of settings: ranking, and paired comparisons by seed.

Two runs with the same seed begin with the same population, so paired differences are more precise than unpaired ones.
Intervals and p-values of a mean are Student's (`pigevo.core.intervals`); their coverage with few seeds was measured
(docs/explanation/intervals.md).  Several of them are corrected together, by rules that are valid if each p-value is:

- p-values of several comparisons by Benjamini & Yekutieli (2001), for any dependence between
  them: on average, at most one in twenty of the settings called better is not.
- Intervals of several comparisons go with them (Benjamini & Yekutieli 2005, "False
  discovery rate-adjusted multiple confidence intervals"): if `r` of `m` are rejected, all
  have the level `1 - 0.05 max(r, 1) / (m (1 + 1/2 + ... + 1/m))`.  Exactly the `r` smallest
  p-values are at most 1 minus this level, so an interval excludes 0 if the verdict is "better".
- If the pairs were picked by the same figures, as each setting with the best, both are corrected for all pairs among
  which they were picked (Bonferroni): whatever is picked, the chance of any wrong verdict is at most 1 in 20.
- Rank statistics stand beside them and decide nothing: Vargha and Delaney's A12, and the p-value of Wilcoxon's
  signed ranks, also corrected by Holm's method, which holds for any dependence.
- Intervals of several settings are simultaneous (Bonferroni): of `m` settings each has the
  level `1 - 0.05 / m`.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy import optimize, special, stats

from pigevo.core.arrays import Floats, own_errors
from pigevo.core.intervals import ANY, CONFIDENCE, Range, differences_of, mean_interval, mean_p

POWER = 0.8
RANGE = 0.8  # the confidence level of the range of wanted seeds
MOST_RANKED = 200  # the largest number of differences whose signed ranks have an exact p-value
MOST_SEEDS = 100_000  # differences that need more seeds than this are reported as too small to settle


@dataclass(frozen=True)
class RankedSetting:
    """A setting among others.

    Args:
        setting: the setting, in words.
        runs: the number of seeds.
        mean: the mean of the figure over the seeds.
        low, high: the interval of the mean, at the simultaneous 95 % level of all settings; None if undetermined.
        sd: the standard deviation over the seeds; None with one seed.
    """

    setting: str
    runs: int
    mean: float
    low: float | None
    high: float | None
    sd: float | None


@dataclass(frozen=True)
class Compared:
    """Two settings, seed by seed.

    Args:
        a, b: the settings, in words.
        seeds: the number of seeds that both have.
        difference: the mean of a's figure minus b's.
        low, high: the interval of that mean at the corrected level; None if undetermined.
        effect: the mean difference in standard deviations of the differences (Cohen's d_z); None if all differences
            are equal.
        wins: the share of seeds with which a is better; ties count half.
        p: the p-value of the hypothesis that the mean difference is 0.
        corrected: the same, corrected for all comparisons made together.
        agree: whether all differences have the same sign.
        wanted_seeds: the total number of seeds with which the test has a power of 80 %, if the effect is as observed
            and the differences are normal; 0 if the comparison is settled, None if more than `MOST_SEEDS` are needed.
        fewest_wanted, most_wanted: the same at the ends of the effect's 80 % interval.
        budgets: the budgets of a and b if they differ, in words.
        a12: Vargha and Delaney's effect size: the chance that a run of a has a larger figure than one of b; ties half.
        wilcoxon: the p-value of Wilcoxon's signed ranks of the differences, exact (`signed_ranks_p`).
        holm: the same, corrected for all comparisons by Holm's step-down method.
        ties: the number of seeds with which both have the same figure.
        identical: whether the runs of a and b are the same to the bit with every seed that both have.
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
    agree: bool
    wanted_seeds: int | None
    fewest_wanted: int | None = 0
    most_wanted: int | None = 0
    budgets: str = ""
    a12: float = 0.5
    wilcoxon: float = 1.0
    holm: float = 1.0
    ties: int = 0
    identical: bool = False

    @property
    def better(self) -> str | None:
        """The better setting, if the interval excludes 0; otherwise None."""
        if self.low is None or self.high is None or self.low <= 0 <= self.high:
            return None
        return self.a if self.low > 0 else self.b


@own_errors
def rank_settings(values: Mapping[str, Sequence[float]], within: Range = ANY) -> list[RankedSetting]:
    """Rank settings by the means of their runs, the largest first; intervals are cut off at the range `within`."""
    ranked, level = [], 1 - (1 - CONFIDENCE) / max(len(values), 1)
    for setting, figures in values.items():
        of_setting = np.asarray(figures, dtype=float)
        low, high = mean_interval(of_setting, level, within)
        spread = float(of_setting.std(ddof=1)) if len(of_setting) > 1 else None
        ranked.append(RankedSetting(setting, len(of_setting), float(of_setting.mean()), low, high, spread))
    return sorted(ranked, key=lambda setting: -setting.mean)


@own_errors
def compare_pairs(
    values: Mapping[str, Mapping[int, float]],
    pairs: Sequence[tuple[str, str]],
    within: Range = ANY,
    picked_from: int | None = None,
) -> list[Compared]:
    """Compare pairs of settings by their figures by seed, corrected for the number of pairs.

    `picked_from` is the number of pairs among which these were picked by the same figures; None if they were not.
    """
    differences = [differences_of(*_figures(values, pair)) for pair in pairs]
    ps = np.array([mean_p(of_pair) for of_pair in differences])
    if picked_from is None:
        corrected = stats.false_discovery_control(ps, method="by") if len(ps) > 1 else ps
        strictest = (1 - CONFIDENCE) / (len(pairs) * sum(1 / n for n in range(1, len(pairs) + 1)))
        level = 1 - strictest * max(1, int((corrected <= 1 - CONFIDENCE).sum()))
    else:
        corrected = np.minimum(1.0, ps * picked_from)
        strictest = (1 - CONFIDENCE) / picked_from
        level = 1 - strictest
    most = within[1] - within[0]
    by_ranks = np.array([signed_ranks_p(of_pair) for of_pair in differences])
    stepped = holm(by_ranks, picked_from or len(pairs))
    return [
        replace(
            _compared(
                pair, of_pair, mean_interval(of_pair, level, (-most, most), by_signs=True), strictest, p=float(p),
                corrected=float(q),
            ),
            a12=chance_of_larger(*_figures(values, pair)), wilcoxon=float(w), holm=float(h),
        )
        for pair, of_pair, p, q, w, h in zip(pairs, differences, ps, corrected, by_ranks, stepped, strict=True)
    ]  # fmt: skip


def _compared(
    pair: tuple[str, str], differences: Floats, interval: tuple[float | None, float | None], alpha: float, *, p: float,
    corrected: float,
) -> Compared:  # fmt: skip
    """The comparison of a pair by the differences of its figures; `alpha` is the level for the seeds still needed."""
    (a, b), n, mean, (low, high) = pair, len(differences), float(differences.mean()), interval
    spread = float(differences.std(ddof=1)) if n > 1 else 0.0
    effect = mean / spread if spread > 0 else None
    wins = float(((differences > 0) + (differences == 0) / 2).mean())
    settled = low is not None and high is not None and not low <= 0 <= high
    agree = bool((differences > 0).all() or (differences < 0).all())
    about, fewest, most = (0, 0, 0) if settled else seeds_wanted(effect, alpha, n)
    return Compared(
        a, b, seeds=n, difference=mean, low=low, high=high, effect=effect, wins=wins, p=p, corrected=corrected,
        agree=agree, wanted_seeds=about, fewest_wanted=fewest, most_wanted=most, ties=int((differences == 0).sum()),
    )  # fmt: skip


def seeds_wanted(effect: float | None, alpha: float, have: int) -> tuple[int | None, int | None, int | None]:
    """The total number of seeds that an open comparison needs, according to the estimated effect.

    These are `seeds_for` the observed effect, and for the larger and the smaller end of its 80 % interval.
    """
    if effect is None:
        return None, None, None
    low, high = effect_interval(effect, have)
    small, large = (0.0 if low <= 0 <= high else min(abs(low), abs(high))), max(abs(low), abs(high))
    return seeds_for(effect, alpha), seeds_for(large, alpha), seeds_for(small, alpha)


def effect_interval(effect: float, n: int) -> tuple[float, float]:
    """The 80 % interval of an effect observed in `n` differences, at least two, by the noncentral t distribution.

    The t statistic of `n` normal differences is `(z + delta) / w`, with a normal `z`, a chi `w` and the noncentrality
    `delta`, the true effect times the root of `n`; it is below the observed one with probability `Phi(t w - delta)`,
    averaged over `w`. (`scipy.special.nctdtrinc` does not end for a large t.)
    """
    t = abs(effect) * n**0.5
    w = np.sqrt(stats.chi2.ppf((np.arange(2000) + 0.5) / 2000, n - 1) / (n - 1))

    def solved(share: float) -> float:
        delta = optimize.brentq(lambda delta: special.ndtr(t * w - delta).mean() - share, -5, 5 * t + 5)
        return float(delta) / float(n**0.5)

    near, far = solved((1 + RANGE) / 2), solved((1 - RANGE) / 2)
    return (near, far) if effect >= 0 else (-far, -near)


def seeds_for(effect: float | None, alpha: float) -> int | None:
    """The number of seeds, at least 2, with which the paired t-test detects an effect with a power of `POWER`.

    The effect is in standard deviations of the differences, which are normal. None if there is no effect, or if
    `MOST_SEEDS` are not enough.
    """
    if effect is None or effect == 0:
        return None
    known_spread = ((special.ndtri(1 - alpha / 2) + special.ndtri(POWER)) / effect) ** 2  # the number for a z-test
    if known_spread > MOST_SEEDS:
        return None
    n = max(int(known_spread), 2)
    while power(effect, alpha, n) < POWER:  # t needs a few more
        n += 1
    return n


def power(effect: float, alpha: float, n: int) -> float:
    """The chance that a paired t-test of `n` normal differences detects an effect (see `seeds_for`) on its side."""
    needed = special.stdtrit(n - 1, 1 - alpha / 2)
    return 1 - float(special.nctdtr(n - 1, abs(effect) * n**0.5, needed))


def chance_of_larger(a: Floats, b: Floats) -> float:
    """The chance that a value of `a` is larger than one of `b`, ties half (Vargha & Delaney 2000, JEBS 25: A12)."""
    over = differences_of(a[:, None], b[None, :])
    return float(((over > 0) + (over == 0) / 2).mean())


def signed_ranks_p(differences: Floats) -> float:
    """The two-sided p-value of the signed ranks of differences, without those that are 0 (Wilcoxon 1945).

    Up to `MOST_RANKED` differences it is exact, also with ties, as the share of all signs; with more it is normal.
    """
    signed = differences[differences != 0]
    if not len(signed):
        return 1.0
    doubled = np.rint(2 * stats.rankdata(np.abs(signed))).astype(np.int64)  # ranks of ties are halves
    positive, total = int(doubled[signed > 0].sum()), int(doubled.sum())
    less = min(positive, total - positive)
    if len(signed) > MOST_RANKED:
        return float(
            min(1.0, 2 * special.ndtr((less - total / 2) / (float((doubled.astype(float) ** 2).sum()) / 4) ** 0.5))
        )
    return min(1.0, 2 * float(_rank_sum_distribution(tuple(sorted(doubled.tolist())))[less]))


@functools.lru_cache(maxsize=64)
def _rank_sum_distribution(doubled: tuple[int, ...]) -> Floats:
    """The chances that the sum of those ranks that fair coins choose is at most 0, 1, ..."""
    chances = np.zeros(sum(doubled) + 1)
    chances[0] = 1.0
    for rank in doubled:
        chances[rank:] += chances[:-rank].copy()
        chances /= 2
    return np.cumsum(chances)


def holm(ps: Floats, tests: int) -> Floats:
    """Holm's corrected p-values (1979, Scand. J. Statist. 6) of some of a number of tests.

    The others are taken to have larger p-values; if they have not, the corrected ones are too large.
    """
    order = np.argsort(ps, kind="stable")
    corrected = np.empty_like(ps)
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(ps[order] * (tests - np.arange(len(ps)))))
    return corrected


def _figures(values: Mapping[str, Mapping[int, float]], pair: tuple[str, str]) -> tuple[Floats, Floats]:
    """The figures of both settings with the seeds that both have."""
    a, b = (values[name] for name in pair)
    seeds = sorted(a.keys() & b.keys())
    return np.array([a[seed] for seed in seeds]), np.array([b[seed] for seed in seeds])
