"""Is an evolution different from random search?

Exeter 2016 (section 4.3.1) placed the best population mean of one run among 300 random
populations.  A run records many populations, so its peak is compared with the peak of as
many random ones, drawn from the sample with replacement; and the last population, which is
not picked, with single random ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy import stats

from pigevo.arrays import Floats
from pigevo.dice import Draw
from pigevo.studies.group import Group

CONFIDENCE = 0.95
RESAMPLES = 9999


@dataclass(frozen=True)
class AgainstRandom:
    """The runs of a setting beside random populations of the same size and genome.

    Args:
        name: the setting's.
        runs, populations: how many there are of each.
        difference: mean of the runs' last population means minus that of the random ones.
        low, high: its bootstrap interval at `LEVEL`.
        superiority: the chance that a run's last population is better than a random one, ties as halves.
        p: of Mann & Whitney's test that both have the same law.
        peak: the median of the runs' peaks.
        random_peak: the median of the peaks of as many random populations as a run records.
        peak_chance: how often such a random peak reaches the median run's.
    """

    name: str
    runs: int
    populations: int
    difference: float
    low: float
    high: float
    superiority: float
    p: float
    peak: float
    random_peak: float
    peak_chance: float


def against_random(group: Group, sample: Floats) -> AgainstRandom:
    """Compare a setting with random search.

    Args:
        group: the setting's runs, at least two.
        sample: win probabilities of random populations against the optimum, shape (populations, size).
    """
    last, means = group.mean[:, -1], sample.mean(axis=1)
    test = stats.mannwhitneyu(last, means)
    interval = stats.bootstrap(
        (last, means),
        _difference,
        confidence_level=CONFIDENCE,
        n_resamples=RESAMPLES,
        method="percentile",
        random_state=0,
    ).confidence_interval
    peaks = drawn_again(means, RESAMPLES, group.mean.shape[1]).max(axis=1)
    peak = float(np.median(group.peak))
    return AgainstRandom(
        name=group.name,
        runs=len(last),
        populations=len(means),
        difference=float(last.mean() - means.mean()),
        low=float(interval.low),
        high=float(interval.high),
        superiority=float(test.statistic / (len(last) * len(means))),
        p=float(test.pvalue),
        peak=peak,
        random_peak=float(np.median(peaks)),
        peak_chance=float((peaks >= peak).mean()),
    )


def drawn_again(sample: Floats, *shape: int) -> Floats:
    """Figures drawn from a sample of shape (n,), with replacement."""
    places = Draw(0, "validation").uniforms(int(np.prod(shape))) * len(sample)
    return np.asarray(sample[places.astype(int).reshape(shape)])


def as_markdown(rows: Mapping[str, AgainstRandom]) -> str:
    """A table, with a line for each setting under the name it shall have."""
    lines = [
        "| runs | last population minus random (95 % interval) | chance to be better | p | median peak | "
        "random peak of as many | random peaks that reach it |",
        "|---|---|---|---|---|---|---|",
    ]
    for title, row in rows.items():
        lines.append(
            f"| {title}, {row.runs} | {row.difference:+.4f} ({row.low:+.4f} to {row.high:+.4f}) | "
            f"{row.superiority:.2f} | {row.p:.2g} | {row.peak:.4f} | {row.random_peak:.4f} | {row.peak_chance:.1%} |"
        )
    return "\n".join([*lines, ""])


def _difference(a: Floats, b: Floats, axis: int = -1) -> Floats:
    return np.asarray(np.mean(a, axis=axis) - np.mean(b, axis=axis))
