"""Curves of results over their costs, such as games or seconds, and the anytime performance of algorithms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import XAxis, YAxis
from matplotlib.ticker import LogLocator, NullFormatter

from pigevo.core.arrays import Floats, Ints
from pigevo.errors import unknown
from pigevo.exact import DistinctStates
from pigevo.figures.axes import (
    LEAST,
    WIDTH,
    Given,
    Panels,
    add_caption,
    axes_or_new,
    figure_of,
    grid_of,
    label_ends,
    line,
    panels_or_new,
    styled,
)
from pigevo.figures.bands import Band, band, draw_band

Axis = Literal["evaluations", "games", "seconds", "generation"]
AXES = {
    "evaluations": "strategies evaluated",
    "games": "games played",
    "seconds": "seconds",
    "generation": "generations",
}
POINTS = 120
MOST_GAMES = 1e9
FEW = 4
"""The largest number of curves whose ranges can be distinguished."""

ACROSS = 4
"""The largest number of panels side by side."""

HIGH = {1: 5.8, 2: 4.2, 3: 3.2, 4: 2.5}
"""Height of a panel in inches, by the number of panels side by side."""

SMALLEST = 1e-7
"""The smallest distance that a logarithmic scale shows."""


@dataclass(frozen=True, eq=False)
class Spent:
    """The results of several runs by the amount that they had spent.

    Args:
        axis: what is spent, one of `AXES`.
        x: amounts, ascending, shape (points,).
        best: win probability of the best member against the optimum at each amount, shape (runs, points). It is NaN
            before the first record; a run that has ended keeps its last value.
    """

    axis: str
    x: Floats
    best: Floats


def spent_data(runs: Sequence[Mapping[str, np.ndarray]], axis: Axis = "evaluations") -> Spent:
    """The curves of runs with the same settings on one axis.

    Args:
        runs: the metrics of each run, columns by name (`Run.metrics`).
        axis: the horizontal axis.

    Raises:
        InputError: The axis does not exist.
    """
    if axis not in AXES:
        raise unknown("axis", str(axis), AXES)
    places = [metrics[axis].astype(float) for metrics in runs]
    values = [metrics["best"].astype(float) for metrics in runs]
    least = min(min(p[p > 0], default=1.0) for p in places)
    x = np.geomspace(least, max(max(p.max() for p in places), least * 1.001), POINTS)
    best = np.full((len(runs), POINTS), np.nan)
    for n, (at, value) in enumerate(zip(places, values, strict=True)):
        last = np.searchsorted(at, x, side="right") - 1
        seen = last >= 0
        best[n, seen] = value[last[seen]]
    return Spent(axis, x, best)


@styled
def plot_spent(curves: Mapping[str, Spent], ax: Axes | None = None) -> Axes:
    """Draw the distance from the optimum, on logarithmic scales, with the name of each curve at its end.

    Lines are medians; tints are ranges, if there are few lines.

    Args:
        curves: the curves by label.
        ax: axes to draw on; by default in a new figure.
    """
    axes = axes_or_new(ax, (10, 5.8))
    bands = {f"{label} ({len(data.best)})": _gap_band(data) for label, data in curves.items()}
    _draw_bands(axes, bands)
    _frame(axes, next(iter(curves.values())), "0.5 minus the best member's win probability")
    _finish(axes, bands, "name (runs); line: median", "range")
    return axes


@styled
def plot_beside(curves: Mapping[str, Spent], ax: Given = None) -> Panels:
    """Draw each further curve in its own panel with the first curve, which is dashed; the worst curve comes first.

    Args:
        curves: the curves by label, at least two, all with the same axis.
        ax: a panel for each curve except the first; by default in a new figure.
    """
    (first, whole), *others = curves.items()
    others.sort(key=lambda pair: -float(_gap_band(pair[1]).median[-1]))
    columns = min(ACROSS, len(others))
    new = grid_of(len(others), ACROSS, (WIDTH / columns, HIGH[columns]), sharex=True, sharey=True)
    panels = panels_or_new(ax, len(others), new)
    for number, (axes, (label, data)) in enumerate(zip(panels, others, strict=True)):
        draw_band(axes, _gap_band(whole), line(1), 0.3)
        draw_band(axes, _gap_band(data), line(0), 0.2)
        _frame(axes, data, "")
        axes.set_xlabel(AXES[data.axis] if number + ACROSS >= len(others) else "")
        axes.tick_params(labelbottom=number + ACROSS >= len(others))
        axes.set_title(label, fontsize=LEAST)
    if ax is None:
        figure = figure_of(panels)
        figure.supylabel("0.5 minus the best\nmember's win probability", fontsize=12, multialignment="center")
        figure.suptitle(f"dashed: {first}; solid: as named above the panel; line: median, tint: range", fontsize=12)
    return panels


def _gap_band(data: Spent) -> Band:
    """The distance from the optimum, from the first record on: the median and the range over the runs."""
    recorded = ~np.isnan(data.best).all(axis=0)
    gap = np.maximum(0.5 - data.best[:, recorded], SMALLEST)
    low, median, high = np.nanmin(gap, axis=0), np.nanmedian(gap, axis=0), np.nanmax(gap, axis=0)
    return Band(data.x[recorded], median, low, high, 1.0, len(gap))


def _frame(axes: Axes, data: Spent, up: str) -> None:
    axes.set(xscale="log", yscale="log", xlabel=AXES[data.axis], ylabel=up)
    for axis in (
        axes.xaxis,
        axes.yaxis,
    ):  # the default labels are formulas, which are off since names may look like them
        axis.set_major_formatter("{x:,g}")
        axis.set_minor_formatter(NullFormatter())
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axes.grid(alpha=0.3, lw=0.5)
    axes.autoscale_view()


TIMES = 160
EARLIEST = 1e-4
"""The share of a budget at which curves of targets hit begin."""

SMALLEST_LOSS = 1e-6
"""The smallest loss that a logarithmic scale shows; smaller losses are drawn at this value."""


def anytime_data(spent: Sequence[Ints], values: Sequence[Floats], level: float = 0.5) -> Band:
    """The median of many trials and a band that contains the middle half of them, over the amount spent.

    Args:
        spent: for each trial the amounts at its records, ascending; 0 counts as 1.
        values: for each trial a figure at each record.
        level: the share of the trials that lies inside the band.
    """
    places = [np.maximum(np.asarray(one, dtype=float), 1.0) for one in spent]
    x = np.geomspace(min(p[0] for p in places), max(p[-1] for p in places), TIMES)
    trials = [np.asarray(v)[np.searchsorted(p, x * (1 + 1e-12), side="right") - 1]
             for p, v in zip(places, values, strict=True)]  # fmt: skip
    return band(np.stack(trials), level, x)


def ecdf_data(shares: Floats, samples: Ints, level: float = 0.95) -> Band:
    """The share of targets that were hit over the share of the budget that was spent, with an interval.

    Args:
        shares: for each seed the shares of the budgets at which it hit its targets, infinite for a target that it did
            not hit; shape (seeds, targets of all instances).
        samples: the seeds in each bootstrap sample, shape (samples, seeds).
        level: the share of the samples that lies inside the band.
    """
    x = np.geomspace(EARLIEST, 1, TIMES)
    reached = (shares[:, :, None] <= x * (1 + 1e-12)).mean(axis=1)
    drawn = np.stack([reached[chosen].mean(axis=0) for chosen in samples])
    low, high = np.quantile(drawn, ((1 - level) / 2, (1 + level) / 2), axis=0)
    return Band(x, reached.mean(axis=0), low, high, level, len(shares))


@styled
def plot_ecdf(curves: Mapping[str, Band], ax: Axes | None = None) -> Axes:
    """Draw shares of targets hit, with the name of each curve at its end; few curves also have their interval as tint.

    Args:
        curves: results of `ecdf_data`, by name.
        ax: axes to draw on; by default in a new figure.
    """
    axes = axes_or_new(ax, (10, 5.8))
    _draw_bands(axes, curves)
    axes.set(xscale="log", ylim=(0, 1), xlabel="share of the budget spent", ylabel="share of (target, instance) hit")
    axes.margins(x=0)
    _set_plain(axes.xaxis)
    _finish(axes, curves, "line: mean of all seeds", "95 % interval over seeds")
    return axes


@styled
def plot_anytime(curves: Mapping[str, Band], unit: str, what: str = "loss", ax: Axes | None = None) -> Axes:
    """Draw the loss of champions over the amount spent; few curves also have the middle half of the seeds as tint.

    Args:
        curves: results of `anytime_data`, by name.
        unit: the unit of the amount spent.
        what: the name of the figure.
        ax: axes to draw on; by default in a new figure.
    """
    axes = axes_or_new(ax, (10, 5.8))
    seen = {name: replace(one, median=np.maximum(one.median, SMALLEST_LOSS), low=np.maximum(one.low, SMALLEST_LOSS),
                          high=np.maximum(one.high, SMALLEST_LOSS)) for name, one in curves.items()}  # fmt: skip
    _draw_bands(axes, seen)
    axes.set(xscale="log", yscale="log", xlabel=f"{unit} spent", ylabel=f"the champion's {what}, exactly")
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    _set_plain(axes.xaxis, axes.yaxis)
    axes.margins(x=0)
    _finish(axes, curves, "line: median of all seeds", "the middle half of the seeds")
    return axes


@styled
def plot_distinct_states(states: Mapping[str, DistinctStates], share: float = 0.05, ax: Axes | None = None) -> Axes:
    """Draw the number of distinct states that games reach, as shares of all states, with the limit for many games.

    Args:
        states: results of `pigevo.distinct_states`, by name; all for the same game.
        share: the share at which a line is drawn.
        ax: axes to draw on; by default in a new figure.
    """
    axes = axes_or_new(ax, (10, 5.8))
    games = np.geomspace(1, MOST_GAMES, POINTS)
    for number, (name, one) in enumerate(states.items()):
        look = line(number)
        axes.plot(games, [100 * one.share(n) for n in games], **look, label=name)
        axes.plot([MOST_GAMES / 4, MOST_GAMES], [100 * one.most / one.states] * 2, color=look["color"], lw=0.8)
    axes.axhline(100 * share, color="0.6", lw=0.8)
    axes.annotate(f"{100 * share:g} %", (1.2, 100 * share), (0, 3), textcoords="offset points", fontsize=LEAST)
    axes.set(xscale="log", xlabel="games", ylabel="share of all states, %", xlim=(1, MOST_GAMES), ylim=(0, None))
    _set_plain(axes.xaxis)
    axes.grid(alpha=0.3, lw=0.5)
    axes.set_title("distinct states in a number of games, on average", fontsize=LEAST, loc="left")
    label_ends(axes, dict(zip(states, axes.get_lines()[::2], strict=False)))
    add_caption(axes, "A thin line at the right is the share of states that play can reach at all.")
    return axes


def _set_plain(*axes: XAxis | YAxis) -> None:
    """Write the numbers along logarithmic axes without powers of ten, which would be formulas."""
    for axis in axes:
        axis.set_major_formatter(_plain)
        axis.set_minor_formatter(NullFormatter())


def _plain(amount: float, place: float | None = None) -> str:
    """The label of a tick without a power of ten, from 0.000001 to a billion."""
    return f"{amount:,.0f}" if amount >= 1 else f"{amount:.6f}".rstrip("0")


def _draw_bands(axes: Axes, curves: Mapping[str, Band]) -> None:
    for number, (name, one) in enumerate(curves.items()):
        draw_band(axes, one, line(number), 0.15 if len(curves) <= FEW else 0, name)


def _finish(axes: Axes, curves: Mapping[str, Band], lines: str, tints: str) -> None:
    """Write the meaning of lines, and of tints if they are drawn, and the names of the curves at their ends."""
    axes.grid(alpha=0.3, lw=0.5)
    axes.autoscale_view()
    axes.set_title(f"{lines}; tint: {tints}" if len(curves) <= FEW else lines, fontsize=LEAST, loc="left")
    label_ends(axes, dict(zip(curves, axes.get_lines(), strict=True)))
