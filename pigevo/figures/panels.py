"""Many settings side by side: a panel for each choice, a band for each setting in it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pigevo.figures.bands import DASHES, Band, plot_bands
from pigevo.figures.ends import End, name_ends
from pigevo.figures.waves import mark_waves

ACROSS = 3
"""Panels side by side at most."""

HIGHEST = 0.55
"""The top of a picture of win probabilities: above the optimum there is room for the waves."""

NAMED = 12
"""Lines of one panel that have their names at their ends, at most, and letters of the longest of these names."""
LONGEST = 40

LETTERS = 130
"""Letters of a legend's line in a figure of 8 inches."""


@dataclass(frozen=True, eq=False)
class Panel:
    """One of several pictures with the same axes.

    Args:
        title: what its settings have in common; empty if there is only one.
        bands: by what tells its settings apart.
        random: for random search, by its name: the 2.5 %, 50 % and 97.5 % quantiles.
        waves: where each wave ends along the axis, and its cube size, if the runs have them in common.
    """

    title: str
    bands: Mapping[str, Band]
    random: Mapping[str, tuple[float, float, float]]
    waves: tuple[tuple[float, str], ...] = ()


def plot_panels(panels: Sequence[Panel], across: str, up: str, optimum: bool, most: int = ACROSS) -> Figure:
    """Draw the panels: names at the ends of the lines of a single one, one legend for several.

    Args:
        panels: what to draw.
        across: the label of the horizontal axis.
        up: the label of the vertical axis.
        optimum: whether 0.5 is what no strategy can exceed, and so worth a line.
        most: panels side by side.
    """
    columns = min(most if len(panels) != 4 else 2, len(panels))
    rows = math.ceil(len(panels) / columns)
    figure = Figure(figsize=(max(8.0, 4.6 * columns), 3.8 * rows + 1.0), layout="constrained")
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel()
    labels = list(dict.fromkeys(label for panel in panels for label in panel.bands))
    colors = {label: f"C{number % 10}" for number, label in enumerate(labels)}
    for axes, panel in zip(grid, panels, strict=False):
        _draw(axes, panel, colors, optimum)
    top = HIGHEST if optimum else max(axes.get_ylim()[1] for axes in grid) * 1.1
    grid[0].set_ylim(0, top)
    for number, axes in enumerate(grid):
        axes.set_visible(number < len(panels))
        if number % columns == 0:
            axes.set_ylabel(up)
        if number + columns >= len(panels):
            axes.set_xlabel(across)
            axes.tick_params(labelbottom=True)
    for axes, panel in zip(grid, panels, strict=False):
        mark_waves(axes, panel.waves, top * 0.955, panels=columns)
    if len(panels) == 1 and _are_few([*panels[0].bands, *panels[0].random]):
        name_ends(grid[0], _ends(panels[0], colors, optimum, float(grid[0].get_xlim()[1])))
    else:
        _add_legend(figure, list(grid))
    return figure


def _draw(axes: Axes, panel: Panel, colors: Mapping[str, str], optimum: bool) -> None:
    for number, (name, (low, middle, high)) in enumerate(panel.random.items()):
        axes.axhspan(low, high, color="0.5", alpha=0.25, lw=0)
        axes.axhline(middle, color="0.5", lw=1, ls=DASHES[number % len(DASHES)], label=name)
    plot_bands(axes, panel.bands, colors)
    if optimum:
        axes.axhline(0.5, color="k", lw=1, ls=":", label="the optimum")
    axes.set_title(panel.title, fontsize=10)
    axes.margins(x=0)


def _are_few(names: Sequence[str]) -> bool:
    return len(names) <= NAMED and max(map(len, names)) <= LONGEST


def _ends(panel: Panel, colors: Mapping[str, str], optimum: bool, last: float) -> dict[str, End]:
    random = {name: End(last, middle, "0.5") for name, (_, middle, _) in panel.random.items()}
    bands = {name: End(float(one.x[-1]), float(one.median[-1]), colors[name]) for name, one in panel.bands.items()}
    return {**random, **bands, **({"the optimum": End(last, 0.5, "k")} if optimum else {})}


def _add_legend(figure: Figure, grid: Sequence[Axes]) -> None:
    """A legend below all panels, with as many names in a line as there is room for."""
    handles = {label: line for axes in grid for line, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    room = LETTERS * figure.get_figwidth() / 8
    columns = max(1, min(len(handles), int(room / (max(map(len, handles)) + 8))))
    figure.legend([*handles.values()], [*handles], loc="outside lower center", ncols=columns, frameon=False, fontsize=9)
