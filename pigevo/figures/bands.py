"""Bands: where most of many runs lie along an axis, for one setting or for many in panels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from pigevo.core.arrays import Floats
from pigevo.errors import InputError
from pigevo.figures.axes import Given, Panels, axes_or_new, figure_of, grid_of, panels_or_new
from pigevo.figures.curve import mark_waves
from pigevo.figures.labels import label_ends
from pigevo.figures.style import DASHES, PALE, WIDTH, line, styled

FEW = 3
"""Bands whose tints can lie one above the other and still be told apart."""


@dataclass(frozen=True, eq=False)
class Band:
    """The middle and the spread of many runs.

    Args:
        x: places along the axis, shape (points,).
        median: of the runs at each place, shape (points,).
        low, high: quantiles between which the share `level` of the runs lies, shape (points,).
        level: that share.
        runs: how many there are.
    """

    x: Floats
    median: Floats
    low: Floats
    high: Floats
    level: float
    runs: int


def band(values: Floats, level: float = 0.9, x: Floats | None = None) -> Band:
    """The band of many runs.

    Args:
        values: a figure of each run at each place, shape (runs, points).
        level: the share of the runs that shall lie inside, point by point.
        x: the places, shape (points,); 0, 1, 2, ... by default.

    Raises:
        InputError: there are no runs, a level is no share, or `x` has another length.
    """
    values = np.asarray(values, dtype=float)
    if values.ndim != 2 or not values.size:
        raise InputError(f"a band needs values of shape (runs, points), not {values.shape}.")
    if not 0 < level < 1:
        raise InputError(f"level = {level} is out of range: it must be above 0 and below 1.")
    places = np.arange(values.shape[1], dtype=float) if x is None else np.asarray(x, dtype=float)
    if places.shape != values.shape[1:]:
        raise InputError(f"a band of {values.shape[1]} points needs as many places, not {places.shape}.")
    low, median, high = np.quantile(values, ((1 - level) / 2, 0.5, (1 + level) / 2), axis=0)
    return Band(places, median, low, high, level, len(values))


@styled
def plot_bands(bands: Mapping[str, Band], numbers: Mapping[str, int] | None = None, ax: Axes | None = None) -> Axes:
    """Draw bands: a line for each median, and a tint for each spread, with an edge where tints are many.

    Args:
        bands: by the label of each.
        numbers: of the colours and dashes of some or all labels; the others take theirs in order.
        ax: where; labels of the axes and limits are the caller's.
    """
    axes = axes_or_new(ax, (10, 5.6))
    tint = 0.22 if len(bands) <= FEW else 0.07
    for number, (label, one) in enumerate(bands.items()):
        look = line((numbers or {}).get(label, number))
        axes.fill_between(one.x, one.low, one.high, color=look["color"], alpha=tint, lw=0)
        axes.plot(one.x, one.median, **look, label=label)
    return axes


ACROSS = 2
"""Panels side by side at most."""

ROOM = 1.1
"""The top of a picture of win probabilities, by what the optimum wins: above it there is room for the waves."""

NAMED = 12
"""Lines of one panel that have their names at their ends, at most, and letters of the longest of these names."""
LONGEST = 40

LETTERS = 110
"""As many stand side by side in a figure's width."""


@dataclass(frozen=True, eq=False)
class Panel:
    """One of several pictures with the same axes.

    Args:
        title: what its settings have in common; empty if there is only one.
        bands: by what tells its settings apart.
        random: for random populations, by their name: the 2.5 %, 50 % and 97.5 % quantiles.
        waves: where each wave ends along the axis, and its cube size, if the runs have them in common.
        optima: what the optimum wins against itself in each of the games that are played; no strategy exceeds it.
    """

    title: str
    bands: Mapping[str, Band]
    random: Mapping[str, tuple[float, float, float]]
    waves: tuple[tuple[float, str], ...] = ()
    optima: tuple[float, ...] = (0.5,)


@styled
def plot_panels(panels: Sequence[Panel], across: str, up: str, optimum: bool, ax: Given = None) -> Panels:
    """Draw the panels: names at the ends of the lines of a single one, one legend for several.

    Args:
        panels: what to draw.
        across: the label of the horizontal axis.
        up: the label of the vertical axis.
        optimum: whether these are win probabilities, so that the optimum is worth a line.
        ax: a panel for each; by default in a figure of its own.
    """
    columns = min(ACROSS, len(panels))
    size = (WIDTH / columns, 4.0 if columns > 1 else 5.6)
    grid = panels_or_new(ax, len(panels), grid_of(len(panels), ACROSS, size, sharex=True, sharey=True))
    labels = list(dict.fromkeys(label for panel in panels for label in panel.bands))
    numbers = {label: number for number, label in enumerate(labels)}
    for number, (axes, panel) in enumerate(zip(grid, panels, strict=True)):
        _draw(axes, panel, numbers, optimum)
        if number % columns == 0:
            axes.set_ylabel(up)
        if number + columns >= len(panels):
            axes.set_xlabel(across)
            axes.tick_params(labelbottom=True)
    highest = max(best for panel in panels for best in panel.optima)
    top = ROOM * (highest if optimum else max(axes.get_ylim()[1] for axes in grid))
    for axes, panel in zip(grid, panels, strict=True):
        axes.set_ylim(0, top)
        mark_waves(axes, panel.waves, top * 0.955, panels=columns)
    lines = {label: line for axes in grid for line, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    if len(panels) == 1 and len(lines) <= NAMED and max(map(len, lines)) <= LONGEST:
        label_ends(grid[0], {name: line for name, line in lines.items() if isinstance(line, Line2D)})
    else:
        columns = max(1, min(4, LETTERS // (max(map(len, lines)) + 6)))
        figure_of(grid).legend(
            [*lines.values()], [*lines], loc="outside lower center", ncols=columns, frameon=False
        )  # fmt: skip
    return grid


def _draw(axes: Axes, panel: Panel, numbers: Mapping[str, int], optimum: bool) -> None:
    for number, (name, (low, middle, high)) in enumerate(panel.random.items()):
        axes.axhspan(low, high, color=PALE, lw=0)
        axes.axhline(middle, color="0.35", lw=1, ls=DASHES[number % len(DASHES)], label=name)
    plot_bands(panel.bands, numbers, axes)
    for best in panel.optima if optimum else ():
        axes.axhline(best, color="k", lw=1, ls=":", label="the optimum")
    axes.set_title(panel.title)
    axes.margins(x=0)
