"""What the pictures share."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pigevo.figures.axes import WIDTH, figure_of, grid_of, panels_or_new, styled


@styled
def panels(
    count: int, title: str, height: float = 4.4, columns: int = 2, width: float = WIDTH
) -> tuple[Figure, Sequence[Axes]]:
    """A figure with so many panels, in reading order.

    Args:
        count: how many.
        title: above them.
        height: of each, in inches.
        columns: side by side at most.
        width: of the figure, in inches.
    """
    across = min(count, columns)
    axes = panels_or_new(None, count, grid_of(count, columns, (width / across, height), fill=True))
    figure = figure_of(axes)
    figure.suptitle(title)
    return figure, axes
