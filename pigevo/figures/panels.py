"""Many settings side by side: a panel for each choice, a band for each setting in it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pigevo.figures.bands import DASHES, Band, plot_bands

ACROSS = 3
"""Panels side by side at most."""


@dataclass(frozen=True, eq=False)
class Panel:
    """One of several pictures with the same axes.

    Args:
        title: what its settings have in common; empty if there is only one.
        bands: by what tells its settings apart.
        random: for random search, by its name: the 2.5 %, 50 % and 97.5 % quantiles.
    """

    title: str
    bands: Mapping[str, Band]
    random: Mapping[str, tuple[float, float, float]]


def plot_panels(panels: Sequence[Panel], across: str, up: str, optimum: bool) -> Figure:
    """Draw the panels with one legend for all.

    Args:
        panels: what to draw.
        across: the label of the horizontal axis.
        up: the label of the vertical axis.
        optimum: whether 0.5 is what no strategy can exceed, and so worth a line.
    """
    columns = min(ACROSS if len(panels) != 4 else 2, len(panels))
    rows = math.ceil(len(panels) / columns)
    figure = Figure(figsize=(max(8.0, 4.6 * columns), 3.8 * rows + 1.0), layout="constrained")
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel()
    labels = list(dict.fromkeys(label for panel in panels for label in panel.bands))
    colors = {label: f"C{number % 10}" for number, label in enumerate(labels)}
    for axes, panel in zip(grid, panels, strict=False):
        _draw(axes, panel, colors, optimum)
    for number, axes in enumerate(grid):
        axes.set_visible(number < len(panels))
        if number % columns == 0:
            axes.set_ylabel(up)
        if number + columns >= len(panels):
            axes.set_xlabel(across)
            axes.tick_params(labelbottom=True)
    handles = {label: line for axes in grid for line, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    figure.legend(
        [*handles.values()],
        [*handles],
        loc="outside lower center",
        ncols=min(2 * columns, len(handles)),
        frameon=False,
        fontsize=9,
    )
    return figure


def _draw(axes: Axes, panel: Panel, colors: Mapping[str, str], optimum: bool) -> None:
    for number, (name, (low, middle, high)) in enumerate(panel.random.items()):
        axes.axhspan(low, high, color="0.5", alpha=0.25, lw=0)
        axes.axhline(middle, color="0.35", lw=1, ls=DASHES[number % len(DASHES)], label=name)
    plot_bands(axes, panel.bands, colors)
    if optimum:
        axes.axhline(0.5, color="k", lw=1, ls=":", label="the optimum")
    axes.set_title(panel.title, fontsize=10)
    axes.margins(x=0)
    axes.set_ylim(bottom=0)
