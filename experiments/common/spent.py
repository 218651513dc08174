"""Curves of results over the amount spent: loss by strategies evaluated, and losses and targets hit of a benchmark."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator

from pigevo.core.arrays import Floats, Ints
from pigevo.core.intervals import CONFIDENCE
from pigevo.figures.axes import (
    LEAST,
    WIDTH,
    Given,
    Panels,
    axes_or_new,
    figure_of,
    grid_of,
    label_ends,
    line,
    panels_or_new,
    set_plain,
    styled,
)
from pigevo.figures.bands import Band, band, draw_band

STRATEGIES = "strategies evaluated"
LOSS = "loss to the optimum"
"""A half, which the optimum wins against itself, minus what a strategy wins against the optimum."""

POINTS = 120
FEW = 4
"""The largest number of curves whose ranges can be distinguished."""

ACROSS = 4
"""The largest number of panels side by side."""

HIGH = {1: 5.8, 2: 4.2, 3: 3.2, 4: 2.5}
"""Height of a panel in inches, by the number of panels side by side."""

MANY = 1e4
"""The ratio of a scale's ends from which on only powers of ten are labelled."""

SMALLEST = 1e-7
"""The smallest loss that a logarithmic scale shows."""


@dataclass(frozen=True, eq=False)
class Spent:
    """The results of several runs by the strategies that they had evaluated.

    Args:
        x: numbers of strategies, ascending, shape (points,).
        best: win probability of the best member against the optimum at each number, shape (runs, points). It is NaN
            before the first record; a run that has ended keeps its last value.
    """

    x: Floats
    best: Floats


def spent_data(runs: Sequence[Mapping[str, np.ndarray]]) -> Spent:
    """The curves of runs with the same settings.

    Args:
        runs: the metrics of each run, columns by name (`Run.metrics`).
    """
    places = [metrics["evaluations"].astype(float) for metrics in runs]
    values = [metrics["best"].astype(float) for metrics in runs]
    least = min(min(p[p > 0], default=1.0) for p in places)
    x = np.geomspace(least, max(max(p.max() for p in places), least * 1.001), POINTS)
    best = np.full((len(runs), POINTS), np.nan)
    for n, (at, value) in enumerate(zip(places, values, strict=True)):
        last = np.searchsorted(at, x, side="right") - 1
        seen = last >= 0
        best[n, seen] = value[last[seen]]
    return Spent(x, best)


@styled
def plot_spent(curves: Mapping[str, Spent], ax: Axes | None = None) -> Axes:
    """Draw the best member's loss to the optimum, on logarithmic scales, with the name of each curve at its end.

    Lines are medians; tints are ranges, if there are few lines.

    Args:
        curves: the curves by label.
        ax: axes to draw on; by default in a new figure.
    """
    axes = axes_or_new(ax, (10, 5.8))
    bands = {f"{label} ({len(data.best)})": _loss_band(data) for label, data in curves.items()}
    draw_bands(axes, bands)
    _frame(axes, STRATEGIES, f"{LOSS}, best member")
    finish(axes, bands, "name (runs); line: median", "range")
    return axes


@styled
def plot_beside(curves: Mapping[str, Spent], ax: Given = None) -> Panels:
    """Draw each further curve in its own panel with the first curve, which is dashed; the worst curve comes first.

    Args:
        curves: the curves by label, at least two.
        ax: a panel for each curve except the first; by default in a new figure.
    """
    (first, whole), *others = curves.items()
    others.sort(key=lambda pair: -float(_loss_band(pair[1]).median[-1]))
    bands = {label: _loss_band(data) for label, data in ((first, whole), *others)}
    return draw_beside(bands, _frame, (STRATEGIES, f"{LOSS}, best member"), "line: median, tint: range", ax)


def draw_beside(
    curves: Mapping[str, Band],
    frame: Callable[[Axes, str, str], None],
    labels: tuple[str, str],
    meaning: str,
    ax: Given,
    most_columns: int = ACROSS,
) -> Panels:
    """Draw each further curve in its own panel with the first curve, which is dashed.

    Args:
        curves: the curves by label, at least two.
        frame: sets the scales of a panel, given the labels of its axes.
        labels: of the horizontal and of the vertical axis.
        meaning: of lines and tints, in words.
        ax: a panel for each curve except the first; by default in a new figure.
        most_columns: the largest number of panels side by side.
    """
    (first, whole), *others = curves.items()
    across, up = labels
    columns = -(-len(others) // -(-len(others) // most_columns))  # in as few rows, with as few gaps
    new = grid_of(len(others), columns, (WIDTH / columns, HIGH[columns]), sharex=True, sharey=True)
    panels = panels_or_new(ax, len(others), new)
    for number, (axes, (label, curve)) in enumerate(zip(panels, others, strict=True)):
        draw_band(axes, whole, line(1), 0.3)
        draw_band(axes, curve, line(0), 0.2)
        is_lowest = number + columns >= len(others)
        frame(axes, across if is_lowest else "", "")
        axes.tick_params(labelbottom=is_lowest)
        axes.set_title(label, fontsize=LEAST)
    if ax is None:
        figure = figure_of(panels)
        figure.supylabel(up, fontsize=12)
        spare = figure.axes[len(others) :]
        if len(spare) > 1:
            _explain(spare, first, meaning)
        else:
            figure.suptitle(f"dashed: {first}; solid: as named above the panel; {meaning}", fontsize=12)
    return panels


def _explain(spare: Sequence[Axes], first: str, meaning: str) -> None:
    """Put what the lines mean into the places of a grid that have no panel."""
    samples = [Line2D([], [], **line(1)), Line2D([], [], **line(0)), Line2D([], [], ls="")]
    place = spare[0]
    place.set_visible(True)
    place.set_axis_off()
    names = [first, "as named above the panel", meaning]
    legend = place.legend(samples, names, loc="center left", frameon=False, borderaxespad=0)
    legend.set_in_layout(False)  # it may reach across all the places


def _loss_band(data: Spent) -> Band:
    """The loss to the optimum, from the first record on: the median and the range over the runs."""
    recorded = ~np.isnan(data.best).all(axis=0)
    loss = np.maximum(0.5 - data.best[:, recorded], SMALLEST)
    low, median, high = np.nanmin(loss, axis=0), np.nanmedian(loss, axis=0), np.nanmax(loss, axis=0)
    return Band(data.x[recorded], median, low, high, 1.0, len(loss))


def _frame(axes: Axes, across: str, up: str) -> None:
    axes.set(xscale="log", yscale="log", xlabel=across, ylabel=up)
    set_plain(axes.xaxis, axes.yaxis)
    axes.grid(alpha=0.3, lw=0.5)
    axes.autoscale_view()
    low, high = axes.get_ylim()
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if high < MANY * low else (1.0,)))


def draw_bands(axes: Axes, curves: Mapping[str, Band]) -> None:
    """Draw curves, and tints if there are few of them."""
    for number, (name, one) in enumerate(curves.items()):
        draw_band(axes, one, line(number), 0.15 if len(curves) <= FEW else 0, name)


def finish(axes: Axes, curves: Mapping[str, Band], lines: str, tints: str) -> None:
    """Write the meaning of lines, and of tints if they are drawn, and the names of the curves at their ends."""
    axes.grid(alpha=0.3, lw=0.5)
    axes.autoscale_view()
    axes.set_title(f"{lines}; tint: {tints}" if len(curves) <= FEW else lines, fontsize=LEAST, loc="left")
    drawn = {str(curve.get_label()): curve for curve in axes.get_lines()}
    label_ends(axes, {name: drawn[name] for name in curves})


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
