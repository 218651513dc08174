"""Box plots: how a figure spreads when it is taken again and again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cbook import boxplot_stats

from pigevo.core.arrays import Floats
from pigevo.figures.axes import axes_or_new
from pigevo.figures.style import COLORS, styled


@dataclass(frozen=True, eq=False)
class Boxes:
    """Samples side by side.

    Args:
        stats: a box for each sample, as matplotlib's `boxplot_stats` describes it.
    """

    stats: tuple[dict[str, Any], ...]

    @property
    def quartiles(self) -> Floats:
        """25 %, 50 % and 75 % quantiles of each sample, shape (samples, 3)."""
        return np.array([[box["q1"], box["med"], box["q3"]] for box in self.stats])

    @property
    def whiskers(self) -> Floats:
        """The smallest and largest figure within one and a half quartile distances of the box, shape (samples, 2)."""
        return np.array([[box["whislo"], box["whishi"]] for box in self.stats])


def boxes_data(labels: Sequence[object], samples: Floats) -> Boxes:
    """The boxes and whiskers of samples of shape (labels, repeats)."""
    return Boxes(tuple(boxplot_stats(np.asarray(samples).T, labels=list(map(str, labels)))))


@styled
def plot_boxes(boxes: Boxes, ax: Axes | None = None) -> Axes:
    """Draw the boxes; figures beyond the whiskers are dots.

    Args:
        boxes: of `boxes_data`.
        ax: where; labels of the axes are the caller's.
    """
    axes = axes_or_new(ax, (10, 5.6))
    axes.bxp(
        list(boxes.stats),
        widths=0.55,
        patch_artist=True,
        boxprops={"facecolor": COLORS[5], "linewidth": 1.4},
        whiskerprops={"linewidth": 1.4},
        capprops={"linewidth": 1.4},
        medianprops={"color": COLORS[2], "linewidth": 2.6},
        flierprops={"marker": "o", "markersize": 4, "markerfacecolor": "0.4", "markeredgewidth": 0},
    )
    return axes
