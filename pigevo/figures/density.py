"""The density of random populations, and where other results lie in it (Exeter 2016, figure 10)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from scipy import stats

from pigevo.core.arrays import Floats
from pigevo.figures.axes import axes_or_new
from pigevo.figures.style import COLORS, LEAST, line, styled

POINTS = 400


@dataclass(frozen=True, eq=False)
class Density:
    """A sample's density.

    Args:
        x: places along the axis, shape (points,).
        density: the kernel estimate (Gaussian, Scott's width), shape (points,).
        normal: the normal density of the same mean and deviation, shape (points,).
        mean, deviation: of the sample.
        tail: the 95 % quantile of that normal law.
        normality: p-value of Shapiro & Wilk's test that the sample is normal.
        marks: other results, by name.
    """

    x: Floats
    density: Floats
    normal: Floats
    mean: float
    deviation: float
    tail: float
    normality: float
    marks: Mapping[str, float]


def density_data(sample: Floats, marks: Mapping[str, float] | None = None) -> Density:
    """The density of a sample of any shape with at least three different figures."""
    flat = np.asarray(sample, dtype=float).ravel()
    mean, deviation = float(flat.mean()), float(flat.std(ddof=1))
    ends = [mean - 4.5 * deviation, mean + 4.5 * deviation, *(marks or {}).values()]
    x = np.linspace(min(ends), max(ends), POINTS)
    law = stats.norm(mean, deviation)
    return Density(
        x=x,
        density=stats.gaussian_kde(flat)(x),
        normal=law.pdf(x),
        mean=mean,
        deviation=deviation,
        tail=float(law.ppf(0.95)),
        normality=float(stats.shapiro(flat).pvalue),
        marks=dict(marks or {}),
    )


@styled
def plot_density(data: Density, ax: Axes | None = None) -> Axes:
    """Draw the density, the normal law with its upper 5 % shaded, and a line with its name for each mark.

    Args:
        data: of `density_data`.
        ax: where; labels of the axes are the caller's.
    """
    axes = axes_or_new(ax, (10, 5.6))
    axes.plot(data.x, data.density, **line(0), label="random populations")
    axes.plot(data.x, data.normal, **line(1), label="normal law of the same mean and deviation")
    above = data.x >= data.tail
    axes.fill_between(data.x[above], data.normal[above], color=COLORS[1], alpha=0.4, lw=0, label="its upper 5 %")
    axes.set_ylim(bottom=0)
    for name, value in data.marks.items():
        axes.axvline(value, color="0.35", lw=1.2)
        axes.annotate(
            f"{name}: {value:.4f}", (value, 0.97), (-4, 0), xycoords=("data", "axes fraction"), va="top", ha="right",
            textcoords="offset points", rotation=90, fontsize=LEAST,
        )  # fmt: skip
    return axes
