"""The critical-difference picture of Demšar (2006): the mean ranks of many settings, and which of them differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from scipy import stats

from pigevo.core.arrays import Floats, own_errors
from pigevo.core.intervals import CONFIDENCE
from pigevo.core.text import level
from pigevo.errors import InputError
from pigevo.figures.axes import PALE, SHORT, WIDTH, Look, axes_or_new, line, plain, styled

MOST_ROWS = 100  # the largest number of settings in the picture, the best


@dataclass(frozen=True)
class MeanRanks:
    """Mean ranks of settings, the best first.

    Args:
        names: the settings.
        ranks: the mean over the seeds of each setting's rank, 1 for the largest figure; ties share theirs.
        apart: the critical difference: two settings whose mean ranks lie further apart differ.
        seeds: the number of seeds.
    """

    names: tuple[str, ...]
    ranks: Floats
    apart: float
    seeds: int


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
    ranks = stats.rankdata(-table, axis=0).mean(axis=1)
    quantile = float(stats.studentized_range.ppf(CONFIDENCE, k, np.inf)) / 2**0.5
    order = np.argsort(ranks, kind="stable")
    return MeanRanks(
        tuple(names[number] for number in order), ranks[order], quantile * (k * (k + 1) / (6 * n)) ** 0.5, n
    )


@styled
def plot_ranks(data: MeanRanks, ax: Axes | None = None, looks: Mapping[str, Look] | None = None) -> Axes:
    """Draw each mean rank as a dot with a bar as wide as the critical difference: bars that overlap show no difference.

    The dots of the best, and of those that are not shown to differ from it, are filled.

    Args:
        data: result of `mean_ranks`.
        ax: the axes; by default in a new figure.
        looks: the colour of each setting, by name; by default blue.
    """
    count, ranks = min(len(data.names), MOST_ROWS), data.ranks[:MOST_ROWS]
    axes = axes_or_new(ax, (WIDTH * 0.9, 1.6 + 0.3 * count))
    half = data.apart / 2
    for row, (name, rank) in enumerate(zip(data.names, ranks, strict=False)):
        color = (looks or {}).get(name, line(0))["color"]
        filled = color if rank <= ranks[0] + data.apart else "w"
        axes.hlines(row, rank - half, rank + half, color=color, lw=6, alpha=0.3)
        axes.plot(rank, row, "o", color=color, ms=7, mfc=filled, mew=1.5)
    axes.set_yticks(range(count), [plain(name, SHORT) for name in data.names[:MOST_ROWS]])
    axes.set(
        ylim=(count - 0.4, -0.6),
        xlabel=f"mean rank over {data.seeds:,} seeds, 1 is best (bars: as wide as the critical\n"
        f"difference {data.apart:.2f}; those that overlap are not shown to differ, at {level(1 - CONFIDENCE)})",
    )
    axes.grid(axis="x", color=PALE)
    axes.set_axisbelow(True)
    return axes
