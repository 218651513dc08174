"""The pictures of the study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from pigevo.core.arrays import Floats
from pigevo.core.intervals import mean_interval
from pigevo.figures.axes import (
    LEAST,
    WIDTH,
    Given,
    Look,
    Panels,
    add_legend,
    axes_or_new,
    figure_of,
    grid_of,
    line,
    panels_or_new,
    styled,
)

from ..benchmark.algorithms import By

Curve = tuple[Sequence[float], Sequence[Floats]]
"""Places along the axis, and the values of all seeds at each."""


@styled
def plot_by_seeds(
    curves: Mapping[str, Curve], across: str, up: str, ax: Axes | None = None, logarithmic: bool = False
) -> Axes:
    """Means over seeds with their 95 % intervals.

    Args:
        curves: by the label of each.
        across, up: the labels of both axes.
        ax: where; by default in a figure of its own.
        logarithmic: whether the axis across is; its ticks are the places of the first curve.
    """
    axes = axes_or_new(ax, (WIDTH, 5.0))
    _draw(axes, curves, {label: line(number) for number, label in enumerate(curves)}, logarithmic)
    axes.set(xlabel=across, ylabel=up)
    add_legend(axes, ax is None, loc="outside upper center", ncols=2, frameon=False)
    return axes


@styled
def plot_groups_by_seeds(
    groups: Mapping[str, Mapping[str, Curve]], across: str, up: str, ax: Given = None, logarithmic: bool = False
) -> Panels:
    """Means over seeds with their 95 % intervals, a panel for each group; a label has one colour in all panels.

    Args:
        groups: curves by the title of their panel and the label of each.
        across, up: the labels of both axes.
        ax: a panel for each group; by default in a figure of its own.
        logarithmic: as of `plot_by_seeds`.
    """
    count = len(groups)
    panels = panels_or_new(ax, count, grid_of(count, count, (WIDTH / count, 4.6), sharex=True, sharey=True))
    labels = dict.fromkeys(label for curves in groups.values() for label in curves)
    looks = {label: line(number) for number, label in enumerate(labels)}
    for axes, (title, curves) in zip(panels, groups.items(), strict=True):
        _draw(axes, curves, looks, logarithmic)
        axes.set(xlabel=across, ylabel=up if axes is panels[0] else "")
        axes.set_title(title, fontsize=LEAST)
    if ax is None:
        lines = {label: one for axes in panels for one, label in zip(*axes.get_legend_handles_labels(), strict=True)}
        figure_of(panels).legend(
            [*lines.values()], [*lines], loc="outside upper center", ncols=len(lines), frameon=False
        )  # fmt: skip
    return panels


def _draw(axes: Axes, curves: Mapping[str, Curve], looks: Mapping[str, Look], logarithmic: bool) -> None:
    for label, (places, values) in curves.items():
        middle = np.array([float(np.mean(one)) for one in values])
        ends = np.array([_interval(one) for one in values])
        look = looks[label]
        axes.plot(places, middle, label=label, marker="o", ms=4, **look)
        axes.fill_between(places, ends[:, 0], ends[:, 1], color=look["color"], alpha=0.15, lw=0)
    if logarithmic:
        places = next(iter(curves.values()))[0]
        axes.set_xscale("log")
        axes.set_xticks(places, [f"{one:,}" for one in places], minor=False)
        axes.minorticks_off()
    axes.grid(alpha=0.3, lw=0.5)


@styled
def plot_paths(paths: Mapping[By, Floats], centre: tuple[float, float], ax: object = None) -> Panels:
    """The ones of both parents on Bilinear, step by step, a panel for each rule.

    Args:
        paths: shape (steps, 2) each, by the rule.
        centre: the equilibrium.
        ax: a panel for each; by default in a figure of its own.
    """
    new = grid_of(len(paths), len(paths), (WIDTH / len(paths), 4.4), sharex=True, sharey=True)
    panels = panels_or_new(ax, len(paths), new)  # type: ignore[arg-type]
    for axes, (rule, path) in zip(panels, paths.items(), strict=True):
        axes.plot(*path.T, color=line(0)["color"], lw=0.6, label="both parents, step by step")
        axes.plot(*centre, "o", color=line(2)["color"], ms=7, label="the equilibrium")
        axes.set(title=f"by the {rule}", xlabel="ones in x", ylabel="ones in y" if axes is panels[0] else "")
        axes.grid(alpha=0.3, lw=0.5)
    panels[0].legend(loc="upper left", frameon=False)
    return panels


def _interval(values: Floats) -> tuple[float, float]:
    low, high = mean_interval(values)
    middle = float(np.mean(values))
    return (middle if low is None else low), (middle if high is None else high)
