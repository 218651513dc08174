"""Names beside the ends of curves, so that nobody must look them up in a legend."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from scipy.optimize import isotonic_regression

from pigevo.core.arrays import Floats
from pigevo.core.text import clipped, visible
from pigevo.figures.axes import figure_of
from pigevo.figures.style import LEAST

BESIDE = 0.75
"""The share of the axes' width beyond which the name of a curve that ends there stands at the margin."""

SHORT = 28
"""Characters of a name where two of them share a line: `champion of generation 3600` is one."""

MARGIN = 1.03

_INWARDS = {"top": -3, "center": 0, "bottom": 3}
"""Points that the name of a curve which leaves early, at an edge of the axes, stands away from that edge."""


def label_ends(ax: Axes, lines: Mapping[str, Line2D]) -> None:
    """Write a name beside the end of each curve: at the margin, one above the other, or where a curve ends early.

    Limits and scales of the axes must be the last ones.

    Args:
        ax: the axes.
        lines: by name, which may have several lines of text.
    """
    ax.get_xlim(), ax.get_ylim()  # matplotlib finds its limits when it is asked for them
    ends = {name: end for name, line in lines.items() if (end := _end(ax, line)) is not None}
    late = {name: end for name, end in ends.items() if end[1][0] >= BESIDE}
    look: dict[str, Any] = {"fontsize": LEAST, "annotation_clip": False}
    high = _line_height(ax)
    for name, (point, (_, height)) in ends.items():
        if name not in late:
            back = {"facecolor": "w", "edgecolor": "none", "alpha": 0.8, "pad": 1}
            beside = "top" if height > 1 - high else "bottom" if height < high else "center"
            ax.annotate(name, point, (7, _INWARDS[beside]), textcoords="offset points", va=beside, bbox=back, **look)
    sizes = high * np.array([1 + name.count("\n") for name in late])
    heights = spread(np.array([end[1][1] for end in late.values()]), sizes)
    arrow = {"arrowstyle": "-", "lw": 1.2, "shrinkA": 3, "shrinkB": 0, "relpos": (0, 0.5), "patchA": None}
    for (name, (point, _)), height in zip(late.items(), heights.tolist(), strict=True):
        leader = arrow | {"color": lines[name].get_color()}  # to the middle of the name's left edge, across no other
        ax.annotate(name, point, (MARGIN, height), textcoords="axes fraction", va="center", arrowprops=leader, **look)


def spread(heights: Floats, sizes: Floats) -> Floats:
    """Heights moved as little as need be, in the least squares, so that neighbours stand apart in the same order.

    Args:
        heights: of the middles, shape (n,), as shares of the axes' height.
        sizes: what each takes, shape (n,).

    Returns:
        Heights of shape (n,); all of each name lies between 0 and 1 where there is room for them.
    """
    if not len(heights):
        return np.zeros(0)
    order = np.argsort(heights, kind="stable")
    size = np.asarray(sizes, dtype=float)[order]
    below = np.concatenate([[0.0], np.cumsum((size[1:] + size[:-1]) / 2)])
    lowest = isotonic_regression(np.asarray(heights, dtype=float)[order] - below).x
    least, found = size[0] / 2, np.empty(len(order))
    found[order] = np.clip(lowest, least, max(least, 1 - size[-1] / 2 - below[-1])) + below
    return found


def _end(ax: Axes, line: Line2D) -> tuple[tuple[float, float], tuple[float, float]] | None:
    """The last point of a curve that is seen: in data, and in shares of the axes."""
    points = np.column_stack([np.asarray(line.get_xdata(), dtype=float), np.asarray(line.get_ydata(), dtype=float)])
    drawn = line.get_transform().transform(points)  # a line across the axes has one coordinate in shares of them
    data, places = (to.inverted().transform(drawn) for to in (ax.transData, ax.transAxes))
    with np.errstate(invalid="ignore"):
        seen = np.flatnonzero(((places >= -1e-9) & (places <= 1 + 1e-9)).all(axis=1))
    if not len(seen):
        return None
    last = seen[-1]
    return tuple(data[last].tolist()), tuple(places[last].tolist())


def _line_height(ax: Axes) -> float:
    """The height of a line of text as a share of that of the axes."""
    points = figure_of(ax).get_size_inches()[1] * 72 * ax.get_position().height
    return float(1.35 * LEAST / points)


def plain(text: str, most: int = 60) -> str:
    """A name as one line of text that is not too long."""
    return clipped(visible(text), most)
