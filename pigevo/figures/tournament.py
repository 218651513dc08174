"""A tournament's matrix: who beats whom, and by how much."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from pigevo.arrays import Floats

MOST_LABELS = 40
"""Names along an axis that can still be read."""


def plot_tournament(names: Sequence[str], overall: Floats) -> Figure:
    """Draw the matrix as colours, and beside it each strategy's mean win probability.

    Args:
        names: of the strategies, in the order of the matrix.
        overall: win probability of the row against the column, shape (n, n).
    """
    n = len(names)
    side = min(11.0, max(4.5, 0.28 * n))
    figure = Figure(figsize=(side + 3.0, side), layout="constrained")
    axes, means = figure.subplots(1, 2, sharey=True, width_ratios=(4, 1))
    farthest = max(0.01, float(np.abs(overall - 0.5).max()))
    image = axes.imshow(overall, cmap="RdBu", vmin=0.5 - farthest, vmax=0.5 + farthest, aspect="auto")
    step = -(-n // MOST_LABELS)
    places = range(0, n, step)
    axes.set_xticks(places, [names[p] for p in places], rotation=90, fontsize=7)
    axes.set_yticks(places, [names[p] for p in places], fontsize=7)
    axes.set(xlabel="against", ylabel="strategy")
    mean = (overall.sum(axis=1) - np.diag(overall)) / max(1, n - 1)
    means.plot(mean, np.arange(n), "o", ms=3, color="C0")
    means.axvline(0.5, color="k", lw=1, ls=":")
    means.set(xlabel="mean")
    means.locator_params(axis="x", nbins=2)
    figure.colorbar(image, ax=axes, label="win probability, both seats", location="left", shrink=0.6)
    return figure
