"""A tournament's matrix: who beats whom, and by how much."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from matplotlib.axes import Axes

from pigevo.core.arrays import Floats
from pigevo.figures.axes import Given, Panels, color_bar, new_figure, panels_or_new
from pigevo.figures.style import COLORS, ODDS, WIDTH, styled

MOST_LABELS = 30
"""Names along an axis that can still be read."""


@styled
def plot_tournament(names: Sequence[str], overall: Floats, ax: Given = None) -> Panels:
    """Draw the matrix as colours, and beside it each strategy's mean win probability.

    Args:
        names: of the strategies, in the order of the matrix.
        overall: win probability of the row against the column, shape (n, n).
        ax: two panels; by default in a figure of its own.
    """
    n = len(names)
    panels = panels_or_new(ax, 2, lambda: _new(n))
    axes, means = panels
    farthest = max(0.01, float(np.abs(overall - 0.5).max()))
    image = axes.imshow(overall, cmap=ODDS, vmin=0.5 - farthest, vmax=0.5 + farthest, aspect="auto")
    step = -(-n // MOST_LABELS)
    places = range(0, n, step)
    axes.set_xticks(places, [names[p] for p in places], rotation=90)
    axes.set_yticks(places, [names[p] for p in places])
    axes.set(xlabel="against", ylabel="strategy")
    mean = (overall.sum(axis=1) - np.diag(overall)) / max(1, n - 1)
    means.plot(mean, np.arange(n), "o", ms=5, color=COLORS[0])
    means.axvline(0.5, color="k", lw=1, ls=":")
    means.set(xlabel="mean", ylim=axes.get_ylim())
    means.tick_params(labelleft=False)
    means.locator_params(axis="x", nbins=2)
    color_bar(image, axes, "win probability of the row, both seats", location="left", shrink=0.6)
    return panels


def _new(count: int) -> Iterable[Axes]:
    height = min(9.5, max(4.5, 2.5 + 0.28 * min(count, MOST_LABELS)))
    panels: Iterable[Axes] = new_figure((WIDTH, height)).subplots(1, 2, sharey=True, width_ratios=(4, 1))
    return panels
