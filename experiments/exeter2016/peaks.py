"""Are the published peaks among the best 1 % and .1 % of random populations?

Section 4.3.1 of the report compares the peak of a run with the law of one random population.  Here both contain the
luck of the same number of games, and the peak is compared with that of as many random populations, too: a run shows
the best of its records.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import stats

from pigevo.core.arrays import Floats

from ..common.tables import table
from .readings import MEASURED, measured

RECORDS = 101
"""Generations from 0 to 1,000, recorded every ten."""

TOPS = (0.05, 0.01, 0.001)
"""The report calculated the quantiles above which these shares of random populations lie, and prints none."""

LUCK = 1000
"""The number of the luck of the picture, which no row of the table has."""


def reaching(means: Floats, peak: float) -> float:
    """The chance that one random population, measured in games, reaches a peak."""
    return float(stats.binom.sf(round(peak * MEASURED) - 1, MEASURED, means).mean())


def top(means: Floats, share: float) -> float:
    """The quantile of the normal law of measured means above which a share of random populations lies."""
    spread = np.sqrt(means.var(ddof=1) + (means * (1 - means)).mean() / MEASURED)
    return float(stats.norm.isf(share, means.mean(), spread))


def as_markdown(published: Mapping[str, Any], cells: Floats) -> str:
    """The table of both peaks, and that of the quantiles.

    Args:
        published: the content of `published.yaml`.
        cells: win probabilities of random populations of single cells, shape (populations, size).
    """
    means, lines = cells.mean(axis=1), []
    for name, said in (("figure_7", 0.001), ("figure_8", 0.01)):
        peak = published[name]["peak"]
        one = reaching(means, peak)
        best = 1 - (1 - one) ** RECORDS
        lines.append((name.replace("_", " "), f"{peak}", f"{100 * said:g} %", f"{top(means, said):.4f}",
                      f"{100 * one:.2f} %", f"{100 * best:.0f} %"))  # fmt: skip
    head = ["peak of", "published", "said to be in the top", "which begins at", "random populations that reach it",
            f"best of {RECORDS} random populations that reach it"]  # fmt: skip
    quantiles = [
        (
            f"{100 * (1 - share):g} %",
            f"{stats.norm.isf(share, means.mean(), means.std(ddof=1)):.4f}",
            f"{top(means, share):.4f}",
        )
        for share in TOPS
    ]
    heads = ["quantile of the normal law", "of exact means", f"of means measured in {MEASURED:,} games"]
    return "\n".join([table(head, lines), table(heads, quantiles)])


def with_luck(means: Floats) -> Floats:
    """Means as measured in games, with the luck of the picture."""
    return measured(means, LUCK)
