"""Bands of our runs, with the points that a publication gives marked on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from matplotlib.axes import Axes

from pigevo.figures.axes import add_legend, axes_or_new
from pigevo.figures.bands import Band, plot_bands
from pigevo.figures.labels import label_ends
from pigevo.figures.style import COLORS, LEAST, PALE, styled

MARKS = ("o", "s", "D", "^")
"""Published points, by the number of the band that they belong to."""


@dataclass(frozen=True, eq=False)
class Reproduction:
    """A figure of a publication, done again.

    Args:
        title: what it shows.
        bands: ours, by setting.
        published: points (generation, win probability) that the publication gives, by setting.
        random: the 2.5 %, 50 % and 97.5 % quantiles of random populations; empty where there is none.
        random_name: what they are, in words.
        ends: the last generation of each wave but the last.
    """

    title: str
    bands: Mapping[str, Band]
    published: Mapping[str, Sequence[tuple[float, float]]] = field(default_factory=dict)
    random: tuple[float, ...] = ()
    random_name: str = "random populations"
    ends: Sequence[float] = ()


@styled
def plot_reproduction(data: Reproduction, by: str, ax: Axes | None = None) -> Axes:
    """Draw our bands and the published points in one picture.

    Args:
        data: what to draw.
        by: who published the points.
        ax: where; by default in a figure of its own.
    """
    axes = axes_or_new(ax, (10, 5.6))
    named = {}
    if data.random:
        low, middle, high = data.random
        axes.axhspan(low, high, color=PALE, lw=0)
        end = max(band.x[-1] for band in data.bands.values())
        (named[f"{data.random_name}\n(means, 95 %)"],) = axes.plot([0, end], [middle] * 2, color="0.35", lw=1.2)
    numbers = {name: number for number, name in enumerate(data.bands)}
    plot_bands(data.bands, numbers, axes)
    named |= {str(line.get_label()): line for line in axes.lines if line.get_label() in data.bands}
    for name, points in data.published.items():
        said = f"{by}, {name}" if len(data.published) > 1 else by
        number = numbers[name]
        look: dict[str, Any] = {"mfc": "w", "mec": COLORS[number % len(COLORS)], "mew": 1.8, "ms": 8, "zorder": 3}
        axes.plot(*zip(*points, strict=True), MARKS[number % len(MARKS)], **look, label=said, clip_on=False)
    for end in data.ends:
        axes.axvline(end, color="0.6", lw=0.8)
    axes.axhline(0.5, color="k", lw=1, ls=":")
    axes.text(0.01, 0.505, "the optimum", transform=axes.get_yaxis_transform(), fontsize=LEAST)
    runs = {band.runs for band in data.bands.values()}
    axes.set(
        title=f"{data.title} ({'/'.join(map(str, sorted(runs)))} seeds: median and 90 %)",
        xlabel="generation",
        ylabel="population mean against the optimum, exact",
        ylim=(0, 0.55),
    )
    axes.margins(x=0.01)
    label_ends(axes, named)
    shown = [(line, str(line.get_label())) for line in axes.lines if line.get_marker() in MARKS]
    if shown:
        lines, labels = zip(*shown, strict=True)
        look = {"loc": "outside lower center", "ncols": 4, "frameon": False}
        add_legend(axes, ax is None, handles=lines, labels=labels, **look)
    return axes
