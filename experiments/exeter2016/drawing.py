"""Figures of the publication drawn again with its points on them, and the density of random populations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from scipy import stats

from pigevo.core.arrays import Floats
from pigevo.figures.axes import COLORS, DIVIDER, LEAST, PALE, add_legend, axes_or_new, label_ends, line, styled
from pigevo.figures.bands import Band, draw_bands

MARKS = ("o", "s", "D", "^")
"""Markers of published points, by the number of their band."""

SIZES = (14, 8, 6, 4)
"""Their sizes where there are several: all can be seen where they meet."""


@dataclass(frozen=True, eq=False)
class Reproduction:
    """A reproduced figure of a publication.

    Args:
        title: the title of the figure.
        bands: our bands, by setting.
        published: points (generation, win probability) from the publication, by setting.
        random: the 2.5 %, 50 % and 97.5 % quantiles of random populations; empty if there are none.
        random_name: the name of the random populations.
        ends: the last generation of each wave except the last wave.
        ordered: whether the settings are numbers in order, so that their colours are ordered too.
    """

    title: str
    bands: Mapping[str, Band]
    published: Mapping[str, Sequence[tuple[float, float]]] = field(default_factory=dict)
    random: tuple[float, ...] = ()
    random_name: str = "random populations"
    ends: Sequence[float] = ()
    ordered: bool = False


@styled
def plot_reproduction(data: Reproduction, by: str, ax: Axes | None = None) -> Axes:
    """Draw our bands and the published points in one picture.

    Args:
        data: the figure to draw.
        by: the source of the published points.
        ax: axes to draw on; by default in a new figure.
    """
    axes = axes_or_new(ax, (10, 5.6))
    ends, end = {}, max(band.x[-1] for band in data.bands.values())
    if data.random:
        low, middle, high = data.random
        axes.axhspan(low, high, color=PALE, lw=0)
        (ends[f"{data.random_name}\n(means, 95 %)"],) = axes.plot([0, end], [middle] * 2, color="0.35", lw=1.2)
    looks = [line(number, len(data.bands) if data.ordered else 0) for number in range(len(data.bands))]
    draw_bands(axes, data.bands, looks)
    numbers = {name: number for number, name in enumerate(data.bands)}
    seeds = {name: f"{band.runs} seed{'s' if band.runs != 1 else ''}" for name, band in data.bands.items()}
    alike = len(set(seeds.values())) == 1
    between = {name: "\n" if band.x[-1] == end else " " for name, band in data.bands.items()}  # amid curves one line
    named = {name: name if alike else f"{name}{between[name]}({seeds[name]})" for name in seeds}
    ends |= {named[name]: drawn for drawn in axes.lines if (name := str(drawn.get_label())) in named}
    for name, points in data.published.items():
        label = f"{by}, {name}" if len(data.published) > 1 else by
        number = numbers[name]
        look: dict[str, Any] = {"mfc": "w", "mec": looks[number]["color"], "mew": 1.8, "ms": 8, "zorder": 3}
        if len(data.published) > 1:
            look |= {"mfc": "none", "ms": SIZES[number % len(MARKS)]}
        axes.plot(*zip(*points, strict=True), MARKS[number % len(MARKS)], **look, label=label, clip_on=False)
    for end in data.ends:
        axes.axvline(end, **DIVIDER)
    axes.axhline(0.5, color="k", lw=1, ls=":")
    axes.text(0.99, 0.505, "the optimum", transform=axes.get_yaxis_transform(), fontsize=LEAST, ha="right")
    axes.set(
        title=f"{data.title} ({f'{next(iter(seeds.values()))}: ' if alike else ''}median and 90 %)",
        xlabel="generation",
        ylabel="population mean against the optimum, exact",
        ylim=(0, 0.55),
    )
    axes.margins(x=0.01)
    label_ends(axes, ends)
    marked = [line for line in axes.lines if line.get_marker() in MARKS]
    if marked:
        look = {"loc": "outside lower center", "ncols": 4, "frameon": False}
        add_legend(axes, ax is None, handles=marked, **look)
    return axes


DENSITY_POINTS = 400


@dataclass(frozen=True, eq=False)
class Density:
    """A sample's density.

    Args:
        x: positions along the axis, shape (points,).
        density: the kernel estimate (Gaussian, Scott's width), shape (points,).
        normal: the normal density with the same mean and standard deviation, shape (points,).
        mean, deviation: mean and standard deviation of the sample.
        tail: the 95 % quantile of the normal distribution.
        normality: p-value of Shapiro & Wilk's test that the sample is normal.
        marks: other results to mark, by name.
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
    """The density of a sample of any shape with at least three different values."""
    flat = np.asarray(sample, dtype=float).ravel()
    mean, deviation = float(flat.mean()), float(flat.std(ddof=1))
    ends = [mean - 4.5 * deviation, mean + 4.5 * deviation, *(marks or {}).values()]
    x = np.linspace(min(ends), max(ends), DENSITY_POINTS)
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
    """Draw the density, the normal distribution with its upper 5 % shaded, and a line with a name for each mark.

    Args:
        data: result of `density_data`.
        ax: axes to draw on; the caller sets their labels.
    """
    axes = axes_or_new(ax, (10, 5.6))
    axes.plot(data.x, data.density, **line(0), label="random populations")
    axes.plot(data.x, data.normal, **line(1), label="normal, same mean and standard deviation")
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
