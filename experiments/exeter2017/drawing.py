"""What the pictures share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure


def panels(count: int, title: str, width: float = 5.2, height: float = 4.2) -> tuple[Figure, Sequence[Axes]]:
    """A figure with so many panels side by side.

    Args:
        count: how many.
        title: above them.
        width, height: of each, in inches.
    """
    figure = Figure(figsize=(width * count, height), layout="constrained")
    axes = np.ravel(figure.subplots(1, count, squeeze=False)).tolist()
    figure.suptitle(title, fontsize=11)
    return figure, axes
