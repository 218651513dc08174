"""What the pictures share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure


def panels(
    count: int, title: str, width: float = 5.2, height: float = 4.2, rows: int = 1
) -> tuple[Figure, Sequence[Axes]]:
    """A figure with so many panels, in one row or several.

    Args:
        count: how many.
        title: above them.
        width, height: of each, in inches.
        rows: in how many rows.
    """
    across = -(-count // rows)
    figure = Figure(figsize=(width * across, height * rows), layout="constrained")
    axes: list[Axes] = np.ravel(figure.subplots(rows, across, squeeze=False)).tolist()
    for spare in axes[count:]:
        spare.set_visible(False)
    figure.suptitle(title, fontsize=11)
    return figure, axes[:count]
