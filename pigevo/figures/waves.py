"""Waves in a picture: a line where the cubes become smaller, and their sizes where there is room."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes

from pigevo.figures.axes import figure_of
from pigevo.figures.style import LEAST

LETTER = 0.55
"""How wide a letter is on average, as a share of how high it is."""

POINTS_AN_INCH = 72


def mark_waves(axes: Axes, waves: Sequence[tuple[float, str]], y: float, size: float = LEAST, panels: int = 1) -> Axes:
    """Divide a picture by its waves, unless there is only one.

    Args:
        axes: where; its horizontal limits are set.
        waves: for each the place where it ends, and its cube size.
        y: where the sizes are written, on the vertical axis.
        size: of the letters, in points.
        panels: side by side in the figure.
    """
    low, high = axes.get_xlim()
    letter = LETTER * size / POINTS_AN_INCH / (figure_of(axes).get_figwidth() / panels * 0.85) * (high - low)
    begin = 0.0
    for end, cubes in waves if len(waves) > 1 else ():
        whole = f"cubes of {cubes}" if cubes != "1" else "single cells"
        fitting = [text for text in (whole, cubes) if len(text) * letter <= end - begin]
        if fitting:
            axes.text((begin + end) / 2, y, fitting[0], ha="center", va="center", fontsize=size)
        if begin:
            axes.axvline(begin, color="0.6", lw=0.8)
        begin = end
    return axes
