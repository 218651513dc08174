"""Is an evolution different from random populations?

Exeter 2016 (section 4.3.1) ranked the best population mean of one run among 300 random
populations.  A run records many populations, so its peak is compared here with the peak of as
many random ones.  Their members are drawn with replacement from all members of the sample;
drawing whole populations could never exceed the largest of the 300.  The last population, which
is not chosen by its value, is compared with single random ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy import stats

from pigevo.core.arrays import Floats
from pigevo.core.intervals import CONFIDENCE
from pigevo.core.text import with_interval
from pigevo.dice import Draw

from .group import Group
from .tables import table

PEAKS = 2000
"""The number of random peaks."""


@dataclass(frozen=True)
class AgainstRandom:
    """The runs of a setting beside random populations of the same size and genome.

    Args:
        name: the name of the setting.
        runs, populations, peaks: the number of each.
        difference: mean of the runs' last population means minus that of the random ones.
        low, high: its 95 % interval (Welch), corrected for the number of settings.
        superiority: the chance that a run's last population is better than a random one; ties count half.
        p: the p-value of Mann & Whitney's test that both have the same distribution.
        peak: the median of the runs' peaks.
        random_peak: the median of the peaks of as many random populations as a run records.
        reached: the number of random peaks that reach that of the median run.
    """

    name: str
    runs: int
    populations: int
    peaks: int
    difference: float
    low: float
    high: float
    superiority: float
    p: float
    peak: float
    random_peak: float
    reached: int


def against_random(group: Group, sample: Floats, together: int = 1) -> AgainstRandom:
    """Compare at least two runs of a setting with random populations, of shape (populations, size).

    Intervals are corrected for the number of settings.
    """
    last, means = group.mean[:, -1], sample.mean(axis=1)
    test = stats.mannwhitneyu(last, means)
    interval = stats.ttest_ind(last, means, equal_var=False).confidence_interval(1 - (1 - CONFIDENCE) / together)
    peaks = random_peaks(sample, group.mean.shape[1], PEAKS)
    peak = float(np.median(group.peak))
    return AgainstRandom(
        name=group.name,
        runs=len(last),
        populations=len(means),
        peaks=len(peaks),
        difference=float(last.mean() - means.mean()),
        low=float(interval.low),
        high=float(interval.high),
        superiority=float(test.statistic / (len(last) * len(means))),
        p=float(test.pvalue),
        peak=peak,
        random_peak=float(np.median(peaks)),
        reached=int((peaks >= peak).sum()),
    )


def random_peaks(sample: Floats, recorded: int, peaks: int) -> Floats:
    """Largest means of `recorded` random populations each, with members drawn from a sample, shape (peaks,)."""
    members, size = sample.ravel(), sample.shape[1]
    largest = np.empty(peaks)
    for number in range(peaks):
        places = Draw(0, "validation", number).at(part=2).uniforms(recorded * size) * len(members)
        largest[number] = members[places.astype(int)].reshape(recorded, size).mean(axis=1).max()
    return largest


def drawn_again(sample: Floats, *shape: int) -> Floats:
    """Figures drawn from a sample of shape (n,), with replacement."""
    places = Draw(0, "validation").uniforms(int(np.prod(shape))) * len(sample)
    return np.asarray(sample[places.astype(int).reshape(shape)])


def as_markdown(rows: Mapping[str, AgainstRandom]) -> str:
    """A table with a line for each setting by its name."""
    head = ["runs", "last population minus random (95 % interval)", "chance to be better", "p", "median peak",
            "random peak of as many", "of so many random peaks reach it"]  # fmt: skip
    cells = (
        (f"{title}, {row.runs}", with_interval(row.difference, row.low, row.high, "+.4f"), f"{row.superiority:.2f}",
         f"{row.p:.2g}", f"{row.peak:.4f}", f"{row.random_peak:.4f}", f"{row.reached:,} of {row.peaks:,}")
        for title, row in rows.items()
    )  # fmt: skip
    return table(head, cells)
