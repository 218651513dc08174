"""A strategy as a landscape: over every pair of scores, the turn total at which it first holds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from pigevo.figures.decisions import Decisions

VIEWS = ((28.0, -60.0), (22.0, 40.0))
"""Elevation and azimuth in degrees: from behind the own score, and from behind the opponent's."""


def plot_surfaces(strategies: Sequence[Decisions], views: Sequence[tuple[float, float]] = VIEWS) -> Figure:
    """Draw landscapes: a row for each view, a column for each strategy.

    Args:
        strategies: of `decisions_data`.
        views: elevation and azimuth of each, in degrees.
    """
    figure = Figure(figsize=(5.2 * len(strategies), 4.4 * len(views)), layout="constrained")
    for row, (elevation, azimuth) in enumerate(views):
        for column, data in enumerate(strategies):
            place = row * len(strategies) + column + 1
            axes = figure.add_subplot(len(views), len(strategies), place, projection="3d")
            height, width = data.first_hold.shape
            first, second = np.meshgrid(np.arange(height), np.arange(width), indexing="ij")
            first, second = first + data.extent[0], second + data.extent[2]
            axes.plot_surface(first, second, data.first_hold, cmap="viridis", lw=0, rcount=height, ccount=width, vmin=0)
            axes.view_init(elevation, azimuth)
            axes.set(xlabel=data.axes[0], ylabel=data.axes[1], zlabel="rolls below", zlim=(0, data.target))
            axes.set_box_aspect(None, zoom=0.88)  # room for the labels
            if not row:
                axes.set_title(data.name)
    return figure
