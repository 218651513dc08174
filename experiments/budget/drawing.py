"""The picture of the study: loss by games, for each thing that is doubled."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.ticker import LogLocator, NullFormatter

from pigevo.core.arrays import Floats
from pigevo.figures.axes import LEAST, WIDTH, Given, Panels, figure_of, grid_of, label_ends, line, panels_or_new, styled

from ..common.spent import LOSS

HIGH = 4.2
APART = 0.04
"""The distance between what is doubled at one budget, in powers of ten, so that bars stand side by side."""


@styled
def plot_budget(panels: Mapping[str, Mapping[int, Mapping[str, Floats]]], ax: Given = None) -> Panels:
    """Draw the losses of champions, a panel for each algorithm.

    Args:
        panels: losses of the seeds by algorithm, power of ten of the games, and what is doubled.
        ax: a panel for each algorithm; by default in a new figure.
    """
    drawn = panels_or_new(ax, len(panels), grid_of(len(panels), 1, (WIDTH, HIGH)))
    for axes, (title, losses) in zip(drawn, panels.items(), strict=True):
        curves = {}
        for number, name in enumerate(next(iter(losses.values()))):
            x = [10 ** (power + APART * (number - 1)) for power in losses]
            values, look = [of_power[name] for of_power in losses.values()], line(number)
            (drawn_line,) = axes.plot(x, [np.median(runs) for runs in values], marker="o", ms=4, **look)
            axes.vlines(x, [runs.min() for runs in values], [runs.max() for runs in values], look["color"], lw=1)
            curves[f"twice the {name}"] = drawn_line
        axes.set(xscale="log", yscale="log", xlabel="games", ylabel=LOSS)
        axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 3.0, 5.0)))
        for axis, form in ((axes.xaxis, "{x:,.0f}"), (axes.yaxis, "{x:g}")):
            axis.set_major_formatter(form)
            axis.set_minor_formatter(NullFormatter())
        axes.grid(alpha=0.3, lw=0.5, which="both")
        axes.set_title(title, fontsize=LEAST, loc="left")
        label_ends(axes, curves)
    if ax is None:
        figure_of(drawn).suptitle("line: median of the seeds; bars: their range", fontsize=12)
    return drawn
