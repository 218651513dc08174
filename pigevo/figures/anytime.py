"""How good algorithms are at any time: their loss, and the targets that they have hit, over what they have spent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, NullFormatter

from pigevo.core.arrays import Floats, Ints
from pigevo.figures.axes import axes_or_new
from pigevo.figures.bands import Band, band
from pigevo.figures.labels import label_ends
from pigevo.figures.style import LEAST, line, styled

POINTS = 160
FEW = 4
"""Curves whose tints can be told apart."""

EARLIEST = 1e-4
"""The share of a budget at which curves of hits begin."""

SMALLEST = 1e-6
"""The smallest loss that a logarithmic scale shows; all below it are drawn there."""


def anytime_data(spent: Sequence[Ints], values: Sequence[Floats], level: float = 0.5) -> Band:
    """The median of many trials, and between which of them the middle half lies, over what was spent.

    Args:
        spent: of each trial its records' amounts, ascending; those of 0 count as 1.
        values: of each trial a figure at each record.
        level: the share of the trials that lies inside the band.
    """
    places = [np.maximum(np.asarray(one, dtype=float), 1.0) for one in spent]
    x = np.geomspace(min(p[0] for p in places), max(p[-1] for p in places), POINTS)
    found = [np.asarray(v)[np.searchsorted(p, x * (1 + 1e-12), side="right") - 1]
             for p, v in zip(places, values, strict=True)]  # fmt: skip
    return band(np.stack(found), level, x)


def ecdf_data(shares: Floats, samples: Ints, level: float = 0.95) -> Band:
    """The share of targets that were hit, over the share of the budget that was spent, with an interval.

    Args:
        shares: of each seed the shares of the budgets at which it hit its targets, infinite where it did not;
            shape (seeds, targets of all instances).
        samples: seeds that each sample of a bootstrap takes, shape (samples, seeds).
        level: the share of the samples that lies inside the band.
    """
    x = np.geomspace(EARLIEST, 1, POINTS)
    reached = (shares[:, :, None] <= x * (1 + 1e-12)).mean(axis=1)
    drawn = np.stack([reached[chosen].mean(axis=0) for chosen in samples])
    low, high = np.quantile(drawn, ((1 - level) / 2, (1 + level) / 2), axis=0)
    return Band(x, reached.mean(axis=0), low, high, level, len(shares))


@styled
def plot_ecdf(curves: Mapping[str, Band], ax: Axes | None = None) -> Axes:
    """Draw shares of targets hit, with the name of each curve at its end; tints are intervals, if there are few curves.

    Args:
        curves: from `ecdf_data`, by name.
        ax: where; by default in a figure of its own.
    """
    axes = axes_or_new(ax, (10, 5.8))
    _draw(axes, curves)
    axes.set(xscale="log", ylim=(0, 1), xlabel="share of the budget spent", ylabel="share of (target, instance) hit")
    tint = "" if len(curves) > FEW else "; tint: 95 % interval over seeds"
    axes.xaxis.set_major_formatter(_plain)
    _finish(axes, curves, f"line: mean of all seeds{tint}")
    return axes


@styled
def plot_anytime(curves: Mapping[str, Band], unit: str, what: str = "loss", ax: Axes | None = None) -> Axes:
    """Draw what champions lose over what was spent; tints are the middle half of the seeds, if there are few curves.

    Args:
        curves: from `anytime_data`, by name.
        unit: what is spent.
        what: the figure.
        ax: where; by default in a figure of its own.
    """
    axes = axes_or_new(ax, (10, 5.8))
    seen = {name: replace(one, median=np.maximum(one.median, SMALLEST), low=np.maximum(one.low, SMALLEST),
                          high=np.maximum(one.high, SMALLEST)) for name, one in curves.items()}  # fmt: skip
    _draw(axes, seen)
    axes.set(xscale="log", yscale="log", xlabel=f"{unit} spent", ylabel=f"the champion's {what}, exactly")
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axes.yaxis.set_minor_formatter(NullFormatter())
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(_plain)
    tint = "" if len(curves) > FEW else "; tint: the middle half of the seeds"
    _finish(axes, curves, f"line: median of all seeds{tint}")
    return axes


def _plain(amount: float, place: float | None = None) -> str:
    """A number at a tick without a power of ten, from 0.000001 to a billion."""
    return f"{amount:,.0f}" if amount >= 1 else f"{amount:.6f}".rstrip("0")


def _draw(axes: Axes, curves: Mapping[str, Band]) -> None:
    for number, (name, one) in enumerate(curves.items()):
        look = line(number)
        axes.plot(one.x, one.median, **look, label=name)
        if len(curves) <= FEW:
            axes.fill_between(one.x, one.low, one.high, color=look["color"], alpha=0.15, lw=0)


def _finish(axes: Axes, curves: Mapping[str, Band], title: str) -> None:
    axes.grid(alpha=0.3, lw=0.5)
    axes.margins(x=0)
    axes.autoscale_view()
    axes.set_title(title, fontsize=LEAST, loc="left")
    label_ends(axes, dict(zip(curves, axes.get_lines(), strict=True)))
