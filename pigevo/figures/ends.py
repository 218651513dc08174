"""Names at the ends of lines, instead of a legend beside the picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes

from pigevo.figures.axes import figure_of

LINE = 1.3
"""How far lines of text are apart, in heights of their letters."""


@dataclass(frozen=True)
class End:
    """Where a line ends.

    Args:
        x, y: the place.
        color: the line's.
    """

    x: float
    y: float
    color: str


def name_ends(axes: Axes, ends: Mapping[str, End], size: float = 9) -> Axes:
    """Write the name of each line right of the axes, at the height of its end or as near as there is room.

    Args:
        axes: where; both limits are set.
        ends: by the name of each line.
        size: of the letters, in points.
    """
    low, high = axes.get_ylim()
    gap = LINE * size / 72 / (figure_of(axes).get_figheight() * 0.75) * (high - low)
    places = spread([end.y for end in ends.values()], gap, high)
    for (name, end), y in zip(ends.items(), places, strict=True):
        axes.annotate(
            name, (end.x, end.y), (1.03, y), "data", ("axes fraction", "data"), color=end.color, fontsize=size,
            va="center", annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": end.color, "lw": 0.6, "shrinkA": 1, "shrinkB": 0},
        )  # fmt: skip
    return axes


def spread(places: list[float], gap: float, highest: float) -> list[float]:
    """Places as near as may be to some others, and no two of them nearer than a gap.

    Args:
        places: what they shall be near to.
        gap: between two of them.
        highest: none is above it.
    """
    order = np.argsort(places, kind="stable").tolist()
    found = [places[n] for n in order]
    for n in range(1, len(found)):
        found[n] = max(found[n], found[n - 1] + gap)
    for n in reversed(range(len(found))):
        found[n] = min(found[n], highest if n == len(found) - 1 else found[n + 1] - gap)
    return [found[order.index(n)] for n in range(len(found))]
