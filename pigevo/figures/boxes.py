"""Box plots: how a figure spreads when it is taken again and again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes

from pigevo.arrays import Floats


@dataclass(frozen=True, eq=False)
class Boxes:
    """Samples side by side.

    Args:
        labels: what each sample is.
        samples: the figures, shape (labels, repeats).
        quartiles: 25 %, 50 % and 75 % quantiles of each, shape (labels, 3).
        whiskers: the smallest and largest figure within one and a half quartile distances
            of the box (Tukey), shape (labels, 2).
    """

    labels: tuple[str, ...]
    samples: Floats
    quartiles: Floats
    whiskers: Floats


def boxes_data(labels: Sequence[object], samples: Floats) -> Boxes:
    """The boxes and whiskers of samples of shape (labels, repeats)."""
    quartiles = np.quantile(samples, (0.25, 0.5, 0.75), axis=1).T
    reach = 1.5 * (quartiles[:, 2] - quartiles[:, 0])
    inside = (samples >= (quartiles[:, 0] - reach)[:, None]) & (samples <= (quartiles[:, 2] + reach)[:, None])
    low = np.where(inside, samples, np.inf).min(axis=1)
    high = np.where(inside, samples, -np.inf).max(axis=1)
    return Boxes(tuple(map(str, labels)), np.asarray(samples), quartiles, np.stack([low, high], axis=1))


def plot_boxes(axes: Axes, boxes: Boxes) -> None:
    """Draw the boxes into `axes`; figures beyond the whiskers are dots."""
    stats = []
    for label, sample, quartiles, (low, high) in zip(
        boxes.labels, boxes.samples, boxes.quartiles, boxes.whiskers, strict=True
    ):
        beyond = sample[(sample < low) | (sample > high)]
        q1, median, q3 = quartiles
        stats.append(
            {"label": label, "q1": q1, "med": median, "q3": q3, "whislo": low, "whishi": high, "fliers": beyond}
        )
    axes.bxp(stats, widths=0.6, flierprops={"markersize": 3, "markeredgecolor": "0.5"}, medianprops={"color": "C0"})
