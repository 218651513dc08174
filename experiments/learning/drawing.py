"""The picture of the study: loss and exploitability by games, with the bound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator

from pigevo.core.arrays import Floats
from pigevo.figures.axes import (
    LEAST,
    WIDTH,
    Given,
    Panels,
    figure_of,
    grid_of,
    label_ends,
    line,
    panels_or_new,
    set_plain,
    styled,
)

from .bound import Evidence, Seen

LOWEST = 1e-5
"""The smallest loss that is drawn; a panel whose losses are larger begins at the decade below them."""

HIGH = 4.6
BELOW = 0.8  # the bottom of a panel divided by its smallest loss, so that curves at the edge are not cut
MANY = 2.5  # the number of decades from which only powers of ten have a tick
WIDE = 1e4  # the ratio of the ends from which only every other power of ten has a tick, as large numbers would touch
BOUNDS: Mapping[Seen, str] = {"throws": "bound, throws seen", "winners": "bound, only winners seen"}
Points = tuple[Sequence[float], Sequence[Floats]]
"""Amounts, and the figures of all seeds at each."""


@styled
def plot_learning(
    panels: Mapping[str, Mapping[str, Points]],
    across: str,
    up: str,
    bounds: Mapping[str, Evidence] | None = None,
    ax: Given = None,
) -> Panels:
    """Draw the figures of contestants over what they cost, a panel for each game.

    Args:
        panels: by game and contestant.
        across: the costs in words.
        up: the figure in words.
        bounds: by game: what the bound is computed from; no bound by default.
        ax: a panel for each game; by default in a new figure.
    """
    new = grid_of(len(panels), 1, (WIDTH, HIGH))
    drawn = panels_or_new(ax, len(panels), new)
    for axes, (game, curves) in zip(drawn, panels.items(), strict=True):
        ends = [amount for amounts, _ in curves.values() for amount in amounts]
        x = np.geomspace(min(ends), max(ends), 200)
        least = {
            name: np.array([evidence.least_loss(float(games), seen) for games in x])
            for evidence in ([bounds[game]] if bounds is not None else [])
            for seen, name in BOUNDS.items()
        }
        medians = [float(np.median(of_amount)) for _, values in curves.values() for of_amount in values]
        lowest = decade_below([*medians, *(float(y.min()) for y in least.values())])
        lines = {name: _curve(axes, points, n, lowest) for n, (name, points) in enumerate(curves.items())}
        for (name, y), dashes in zip(least.items(), ("-", ":"), strict=False):
            (lines[name],) = axes.plot(x, np.maximum(y, lowest), color="black", ls=dashes, lw=2.5)
        axes.set(xscale="log", yscale="log", xlabel=across, ylabel=up, ylim=(BELOW * lowest, 0.6))
        decades = np.log10(0.6 / lowest)
        axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if decades < MANY else (1.0,), numticks=20))
        if max(ends) / min(ends) > WIDE:
            axes.xaxis.set_major_locator(LogLocator(base=100, numticks=20))
        set_plain(axes.xaxis, axes.yaxis)
        axes.grid(alpha=0.3, lw=0.5)
        axes.set_title(game, fontsize=LEAST, loc="left")
        label_ends(axes, lines)
    if ax is None:
        figure_of(drawn).suptitle("line: median of the seeds; bars: their range", fontsize=12)
    return drawn


def decade_below(losses: Sequence[float]) -> float:
    """The power of ten below all losses that are drawn; those below `LOWEST` lie at the edge of every panel."""
    return float(10 ** np.floor(np.log10(min((loss for loss in losses if loss > LOWEST), default=LOWEST))))


def _curve(axes: Axes, points: Points, number: int, lowest: float) -> Line2D:
    """A contestant's medians, with bars from its least to its greatest figure."""
    amounts, values = points
    shown = [np.maximum(of_amount, lowest) for of_amount in values]
    look = line(number)
    (drawn,) = axes.plot(amounts, [np.median(of_amount) for of_amount in shown], marker="o", ms=3, **look)
    axes.vlines(amounts, [v.min() for v in shown], [v.max() for v in shown], color=look["color"], lw=0.8)
    return drawn
