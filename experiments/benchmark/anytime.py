"""The anytime performance of algorithms: losses, and targets hit, over the amount spent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator

from pigevo.core.arrays import Floats, Ints
from pigevo.core.intervals import CONFIDENCE
from pigevo.figures.axes import Given, Panels, axes_or_new, set_plain, styled
from pigevo.figures.bands import Band, band

from ..common.spent import draw_bands, draw_beside, finish

TIMES = 160
EARLIEST = 1e-4
"""The share of a budget at which curves of targets hit begin."""

BUDGET, TARGETS_HIT = "share of the budget spent", "share of all targets of all instances hit"

SMALLEST_LOSS = 1e-6
"""The smallest loss that a logarithmic scale shows; smaller losses are drawn at this value."""


def anytime_data(spent: Sequence[Ints], values: Sequence[Floats]) -> Band:
    """The median of many trials and a band that contains the middle half of them, over the amount spent.

    Args:
        spent: for each trial the amounts at its records, ascending; 0 counts as 1.
        values: for each trial a figure at each record.
    """
    places = [np.maximum(np.asarray(one, dtype=float), 1.0) for one in spent]
    x = np.geomspace(min(p[0] for p in places), max(p[-1] for p in places), TIMES)
    trials = [np.asarray(v)[np.searchsorted(p, x * (1 + 1e-12), side="right") - 1]
             for p, v in zip(places, values, strict=True)]  # fmt: skip
    return band(np.stack(trials), 0.5, x)


def ecdf_data(shares: Floats, samples: Ints) -> Band:
    """The share of targets that were hit over the share of the budget that was spent, with a 95 % interval.

    Args:
        shares: for each seed the shares of the budgets at which it hit its targets, infinite for a target that it did
            not hit; shape (seeds, targets of all instances).
        samples: the seeds in each bootstrap sample, shape (samples, seeds).
    """
    x = np.geomspace(EARLIEST, 1, TIMES)
    reached = (shares[:, :, None] <= x * (1 + 1e-12)).mean(axis=1)
    drawn = np.stack([reached[chosen].mean(axis=0) for chosen in samples])
    low, high = np.quantile(drawn, ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2), axis=0)
    return Band(x, reached.mean(axis=0), low, high, CONFIDENCE, len(shares))


@styled
def plot_ecdf(curves: Mapping[str, Band], ax: Axes | None = None) -> Axes:
    """Draw shares of targets hit, with the name of each curve at its end; few curves also have their interval as tint.

    Args:
        curves: results of `ecdf_data`, by name.
        ax: axes to draw on; by default in a new figure.
    """
    axes, curves = axes_or_new(ax, (10, 5.8)), _labelled(curves)
    draw_bands(axes, curves)
    axes.set(
        xscale="log",
        ylim=(0, 1),
        xlabel=BUDGET,
        ylabel=TARGETS_HIT,
    )
    axes.margins(x=0)
    set_plain(axes.xaxis)
    finish(axes, curves, "line: mean of all seeds", "95 % interval over seeds")
    return axes


@styled
def plot_ecdf_beside(curves: Mapping[str, Band], ax: Given = None) -> Panels:
    """Draw shares of targets hit of each further algorithm in its own panel with the first one, which is dashed.

    Args:
        curves: results of `ecdf_data`, by name, at least two.
        ax: a panel for each curve except the first; by default in a new figure.
    """
    meaning = "line: mean, tint: 95 % interval over seeds"
    return draw_beside(_labelled(curves), _frame_of_hits, (BUDGET, TARGETS_HIT), meaning, ax, most_columns=3)


def _frame_of_hits(axes: Axes, across: str, up: str) -> None:
    axes.set(xscale="log", xlim=(EARLIEST, 1), xlabel=across, ylabel=up)
    axes.set_xticks([0.001, 0.1])
    set_plain(axes.xaxis)
    axes.grid(alpha=0.3, lw=0.5)


@styled
def plot_anytime(curves: Mapping[str, Band], unit: str, what: str = "loss", ax: Axes | None = None) -> Axes:
    """Draw the loss of champions over the amount spent; few curves also have the middle half of the seeds as tint.

    Args:
        curves: results of `anytime_data`, by name.
        unit: the unit of the amount spent.
        what: the name of the figure.
        ax: axes to draw on; by default in a new figure.
    """
    axes, curves = axes_or_new(ax, (10, 5.8)), _labelled(curves)
    seen = {name: replace(one, median=np.maximum(one.median, SMALLEST_LOSS), low=np.maximum(one.low, SMALLEST_LOSS),
                          high=np.maximum(one.high, SMALLEST_LOSS)) for name, one in curves.items()}  # fmt: skip
    draw_bands(axes, seen)
    axes.set(xscale="log", yscale="log", xlabel=f"{unit} spent", ylabel=f"the champion's {what}, exactly")
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    set_plain(axes.xaxis, axes.yaxis)
    axes.margins(x=0)
    finish(axes, curves, "line: median of all seeds", "the middle half of the seeds")
    return axes


def _labelled(curves: Mapping[str, Band]) -> dict[str, Band]:
    """The curves under their names as words."""
    return {name.replace("_", " "): curve for name, curve in curves.items()}
