"""One style for all pictures: readable from the last row, in grey, and by the colour-blind.

Whoever looks at a slide sees a figure at the slide's full width.  So a figure of its own is at most `WIDTH` inches wide
and none of its text is smaller than `LEAST` points.  Lines differ in lightness, which grey and every kind of
colour-blindness leave, and in their dashes; colour is the third thing that tells them apart.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import matplotlib as mpl
from matplotlib.axes import Axes

P = ParamSpec("P")
R = TypeVar("R")

WIDTH = 10.0
"""Inches: the widest figure."""

LEAST = 11.0
"""Points: the smallest text."""

COLORS = ("#0068a8", "#e69f00", "#7d1538", "#00916a", "#0d0d2e", "#9bd8ff")
"""Blue, orange, wine, green, ink and sky: near Okabe and Ito's (2008), moved so that they differ in lightness too."""

DASHES = ("-", "--", "-.", ":")

AMOUNTS = "viridis"
"""The colours of amounts, dark to light: perceptually uniform (van der Walt and Smith 2015)."""

ODDS = "cividis"
"""The colours of win probabilities, dark for losing: the same for the colour-blind (Nuñez et al. 2018)."""

PALE = "0.87"
"""The grey of what lies behind."""

STYLE: dict[str, Any] = {
    "font.size": 12.0,
    "axes.titlesize": 13.0,
    "axes.labelsize": 12.0,
    "xtick.labelsize": LEAST,
    "ytick.labelsize": LEAST,
    "legend.fontsize": LEAST,
    "legend.title_fontsize": LEAST,
    "figure.titlesize": 14.0,
    "lines.linewidth": 1.8,
    "text.parse_math": False,  # names are the user's, and may have a dollar
}  # fmt: skip


def styled(draw: Callable[P, R]) -> Callable[P, R]:
    """A function that draws, in the style of the house whatever the user's own settings are."""

    @wraps(draw)
    def drawn(*args: P.args, **options: P.kwargs) -> R:
        with mpl.rc_context(STYLE):  # type: ignore[arg-type]
            return draw(*args, **options)

    return drawn


def line(number: int) -> dict[str, Any]:
    """Colour and dashes of the line of a number; the first 24 are all different.

    Args:
        number: from 0 on.
    """
    rounds = number // len(COLORS)
    return {"color": COLORS[number % len(COLORS)], "linestyle": DASHES[(number + rounds) % len(DASHES)]}


def ticks(ax: Axes) -> Axes:
    """Give the ticks of axes the size of the house: some versions of matplotlib make them when the figure is drawn."""
    ax.tick_params(labelsize=LEAST)
    return ax
