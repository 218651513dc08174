"""The mean ranks of many settings, and which differ, such as the critical-difference picture of Demšar (2006)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from scipy import stats

from pigevo.core.arrays import Floats, own_errors
from pigevo.core.intervals import CONFIDENCE
from pigevo.core.text import level
from pigevo.errors import InputError
from pigevo.figures.axes import PALE, SHORT, WIDTH, Look, axes_or_new, line, plain, styled, whole

MOST_ROWS = 100  # the largest number of settings in the picture, the best
DIGITS = 12  # figures that are equal up to rounding are ties


@dataclass(frozen=True)
class MeanRanks:
    """Mean ranks of settings, the best first.

    Args:
        names: the settings.
        ranks: the mean over the seeds of each setting's rank, 1 for the largest figure; ties share theirs.
        by_seed: the ranks with each seed, shape (settings, seeds).
        apart: the critical difference: two settings whose mean ranks lie further apart differ.
    """

    names: tuple[str, ...]
    ranks: Floats
    by_seed: Floats
    apart: float

    @property
    def seeds(self) -> int:
        """The number of seeds."""
        return int(self.by_seed.shape[1])


@own_errors
def mean_ranks(values: Mapping[str, Sequence[float]]) -> MeanRanks:
    """Rank settings seed by seed, and compute the critical difference of Nemenyi's test (1963) at the level 5 %.

    The test compares all pairs at once (Demšar 2006, JMLR 7).

    Args:
        values: the figures of each setting, all with the same seeds in the same order.

    Raises:
        InputError: there are fewer than two settings or seeds, or settings have different numbers of seeds.
    """
    names, seeds = [*values], {len(figures) for figures in values.values()}
    if len(names) < 2 or len(seeds) != 1 or min(seeds) < 2:
        raise InputError("mean ranks need at least two settings, and at least two seeds, the same for all.")
    table = np.array([values[name] for name in names], dtype=float)
    k, n = table.shape
    by_seed = stats.rankdata(-np.round(table, DIGITS), axis=0)
    ranks = by_seed.mean(axis=1)
    quantile = float(stats.studentized_range.ppf(CONFIDENCE, k, np.inf)) / 2**0.5
    order = np.argsort(ranks, kind="stable")
    apart = quantile * (k * (k + 1) / (6 * n)) ** 0.5
    return MeanRanks(tuple(names[number] for number in order), ranks[order], by_seed[order], apart)


LARGEST = 240.0  # the area in square points of the disc of a rank that a setting has with every seed


@styled
def plot_ranks(
    data: MeanRanks,
    ax: Axes | None = None,
    looks: Mapping[str, Look] | None = None,
    first: Collection[str] | None = None,
) -> Axes:
    """Draw each mean rank as a dot, filled for the best settings, those that are not shown to differ from the best one.

    These are found by Nemenyi's test, and then each dot has a bar as wide as the critical difference: bars that overlap
    show no difference. Or another test has found them, as that of `pigevo compare`, which can disagree with Nemenyi's;
    then the pale discs behind a dot are the ranks with single seeds, the larger the more seeds.

    Args:
        data: result of `mean_ranks`.
        ax: the axes; by default in a new figure.
        looks: the colour of each setting, by name; by default blue.
        first: the best settings, as `pigevo compare` has found them; by default those of Nemenyi's test.
    """
    count, ranks, half = min(len(data.names), MOST_ROWS), data.ranks[:MOST_ROWS], data.apart / 2
    axes = axes_or_new(ax, (WIDTH * 0.9, 1.8 + 0.3 * count))
    nearest = data.names[: int((data.ranks <= data.ranks[0] + data.apart).sum())]
    best = nearest if first is None else first
    for row, (name, rank) in enumerate(zip(data.names, ranks, strict=False)):
        color = (looks or {}).get(name, line(0))["color"]
        if first is None:
            axes.hlines(row, rank - half, rank + half, color=color, lw=6, alpha=0.3)
        else:
            places, seeds = np.unique(data.by_seed[row], return_counts=True)
            shares = seeds / seeds.sum()
            axes.scatter(places, np.full(len(places), row), LARGEST * shares, color=[color], alpha=0.3, lw=0)
        axes.plot(rank, row, "o", color=color, ms=7, mfc=color if name in best else "w", mew=1.5)
    axes.set_yticks(range(count), [plain(name, SHORT) for name in data.names[:MOST_ROWS]], parse_math=False)
    explained = (
        f"bars: as wide as the critical\ndifference {data.apart:.2f}; those that overlap are not shown to differ, at "
        f"{level(1 - CONFIDENCE)}"
        if first is None
        else "pale: the ranks with single\nseeds; filled: the setting with the largest mean, and those\n"
        "that are not shown to differ from it"
    )
    across = f"mean rank over {data.seeds:,} seeds, 1 is best ({explained})"
    axes.set(ylim=(count - 0.4, -0.6), xlabel=across)
    axes.xaxis.set_major_locator(whole())
    axes.grid(axis="x", color=PALE)
    axes.set_axisbelow(True)
    return axes
