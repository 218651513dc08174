"""Bands of our runs, with the points that a publication gives marked on them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from matplotlib.axes import Axes

from pigevo.figures.axes import add_legend, axes_or_new
from pigevo.figures.bands import Band, plot_bands


@dataclass(frozen=True, eq=False)
class Reproduction:
    """A figure of a publication, done again.

    Args:
        title: what it shows.
        bands: ours, by setting.
        published: points (generation, win probability) that the publication gives, by setting.
        random: the 2.5 %, 50 % and 97.5 % quantiles of random search; empty where there is none.
        random_name: what was searched, in words.
        ends: the last generation of each wave but the last.
    """

    title: str
    bands: Mapping[str, Band]
    published: Mapping[str, Sequence[tuple[float, float]]] = field(default_factory=dict)
    random: tuple[float, ...] = ()
    random_name: str = "random search"
    ends: Sequence[float] = ()


def plot_reproduction(data: Reproduction, by: str, ax: Axes | None = None) -> Axes:
    """Draw our bands and the published points in one picture.

    Args:
        data: what to draw.
        by: who published the points.
        ax: where; by default in a figure of its own.
    """
    axes = axes_or_new(ax, (7.5, 4.4))
    if data.random:
        low, middle, high = data.random
        axes.axhspan(low, high, color="0.5", alpha=0.25, lw=0)
        axes.axhline(middle, color="0.35", lw=1, label=f"{data.random_name} (means, 95 %)")
    colors = {name: f"C{number}" for number, name in enumerate(data.bands)}
    plot_bands(axes, data.bands, colors)
    for name, points in data.published.items():
        said = f"{by}, {name}" if len(data.published) > 1 else by
        axes.plot(*zip(*points, strict=True), "o", mfc="w", mec=colors[name], mew=1.6, label=said, zorder=3)
    for end in data.ends:
        axes.axvline(end, color="0.6", lw=0.8)
    axes.axhline(0.5, color="k", lw=1, ls=":", label="the optimum")
    runs = {band.runs for band in data.bands.values()}
    axes.set(
        title=f"{data.title} ({'/'.join(map(str, sorted(runs)))} seeds: median and 90 %)",
        xlabel="generation",
        ylabel="population mean against the optimum, exact",
        ylim=(0, 0.55),
    )
    axes.margins(x=0.01)
    longest = max(map(len, axes.get_legend_handles_labels()[1]))
    columns = max(2, min(4, 120 // (longest + 8)))
    add_legend(axes, ax is None, loc="outside lower center", ncols=columns, frameon=False, fontsize=9)
    return axes
