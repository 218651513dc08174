"""A strategy as a landscape: over every pair of scores, the turn total at which it first holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.ticker import MaxNLocator

from pigevo.figures.axes import Given, Panels, grid_of, panels_or_new
from pigevo.figures.decisions import Decisions
from pigevo.figures.style import AMOUNTS, WIDTH, styled

VIEWS = ((28.0, -60.0), (22.0, 40.0))
"""Elevation and azimuth in degrees: from behind the own score, and from behind the opponent's."""


@styled
def plot_surfaces(
    strategies: Sequence[Decisions], views: Sequence[tuple[float, float]] = VIEWS, ax: Given = None
) -> Panels:
    """Draw landscapes: a row for each view and a column for each strategy; the views of one strategy side by side.

    Args:
        strategies: of `decisions_data`.
        views: elevation and azimuth of each, in degrees.
        ax: panels of three dimensions, all strategies in the first view, then in the next; by default in a figure of
            its own.
    """
    shown = [(data, view, not row) for row, view in enumerate(views) for data in strategies]
    columns = len(strategies) if len(strategies) > 1 else len(views)
    new = grid_of(len(shown), columns, (min(7.0, WIDTH / columns), 4.3), subplot_kw={"projection": "3d"})
    panels = panels_or_new(ax, len(shown), new, solid=range(len(shown)))
    for axes, (data, view, is_first) in zip(panels, shown, strict=True):
        landscape(axes, data, data.target, view)
        if is_first:
            axes.set_title(data.name)
    return panels


def landscape(axes: Any, data: Decisions, top: int, view: tuple[float, float], most: int | None = None) -> None:
    """Draw one landscape.

    Args:
        axes: of three dimensions.
        data: of `decisions_data`.
        top: the largest turn total of the vertical axis and of its colours.
        view: elevation and azimuth, in degrees.
        most: polygons along an edge, at most; as many as there are places, unless said.
    """
    low, high, begin, end = data.extent
    x, y = np.meshgrid(np.arange(low, high), np.arange(begin, end), indexing="ij")
    rows, columns = (min(most or size, size) for size in x.shape)
    axes.plot_surface(
        x, y, data.first_hold, cmap=AMOUNTS, lw=0, rcount=rows, ccount=columns, vmin=0, vmax=top, antialiased=False
    )
    axes.view_init(*view)
    axes.set(xlabel=data.axes[0], ylabel=data.axes[1], zlabel="first holds at", zlim=(0, top))
    axes.set_box_aspect(None, zoom=0.8)  # room for the labels
    for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
        axis.labelpad = 8
        axis.set_major_locator(MaxNLocator(5))  # of more, neighbours would lie on each other
