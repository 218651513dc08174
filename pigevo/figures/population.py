"""Shares of strategies in a population over time: as stacked bands and, for three strategies, in a triangle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from pigevo.core.arrays import Floats
from pigevo.errors import InputError
from pigevo.figures.axes import (
    COLORS,
    LEAST,
    SHORT,
    WIDTH,
    Given,
    Look,
    Panels,
    axes_or_new,
    line,
    panels_in,
    panels_or_new,
    plain,
    refuse_empty,
    spread,
    styled,
    whole,
)

NAMED = 8  # the largest number of strategies that are named at their bands
LEAST_SHARE = 0.02  # a strategy is named only if its largest share is at least this
APART = 0.03  # the least share at the end of a strategy that is named there: smaller ones would end in one point
ROOM_INSIDE = 0.08  # the share of the height that a name in a band takes

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])
"""The corners of the triangle, where one strategy is the whole population."""

HATCHES = ("", "///", "...", "xxx")


class SharesOverTime(Protocol):
    """Shares of n strategies over time, as `pigevo.tournaments.replicator` and `moran` return them."""

    @property
    def times(self) -> Floats:
        """The times, ascending, shape (steps,)."""

    @property
    def shares(self) -> Floats:
        """The share of each strategy, shape (steps, n); each row adds up to 1."""


@styled
def plot_shares(
    names: Sequence[str],
    course: SharesOverTime,
    ax: Axes | None = None,
    time: str = "time",
    named: Sequence[int] | None = None,
) -> Axes:
    """Draw the share of each strategy as a band; large strategies are named, at the right if they end as such.

    Args:
        names: the names of the strategies.
        course: their shares over time.
        ax: axes to draw on; by default in a new figure.
        time: the label of the horizontal axis.
        named: indices of the strategies with their own band; the others share one band. By default the strategies with
            the largest shares at any time.
    """
    refuse_empty(names, "strategy")
    ax = axes_or_new(ax, (WIDTH, 4.6))
    order = sorted(named if named is not None else _largest(course))
    rest = [n for n in range(len(names)) if n not in order]
    bands = [course.shares[:, n] for n in order] + ([course.shares[:, rest].sum(axis=1)] if rest else [])
    drawn = ax.stackplot(course.times, *bands, linewidth=0)
    for number, band in enumerate(drawn):
        is_rest = number == len(order)
        band.set(facecolor="0.8" if is_rest else COLORS[number % len(COLORS)], edgecolor="w")
        band.set_hatch("" if is_rest else HATCHES[number // len(COLORS) % len(HATCHES)])
    tops = np.cumsum([band[-1] for band in bands])
    middles = tops - np.array([band[-1] for band in bands]) / 2
    labels = [plain(names[n], SHORT) for n in order] + ([f"{len(rest)} others"] if rest else [])
    at_end = np.array([band[-1] for band in bands])
    ends = np.flatnonzero(at_end >= APART)
    heights = spread(middles[ends], np.full(len(ends), 0.07))
    for number, height in zip(ends.tolist(), heights.tolist(), strict=True):
        label, middle = labels[number], middles[number]
        color = "0.6" if number == len(order) else COLORS[number % len(COLORS)]
        arrow = {"arrowstyle": "-", "lw": 2.4, "color": color, "relpos": (0, 0.5), "shrinkA": 2, "shrinkB": 0}
        ax.annotate(label, (1.0, middle), (1.04, height), xycoords="axes fraction", va="center", arrowprops=arrow,
                    annotation_clip=False)  # fmt: skip
    _name_inside(ax, course.times, bands, {n: labels[n] for n in np.flatnonzero(at_end < APART).tolist()})
    ax.set(xlabel=time, ylabel="share of the population", ylim=(0, 1), xlim=(course.times[0], course.times[-1]))
    return ax


def _name_inside(ax: Axes, times: Floats, bands: Sequence[Floats], labels: Mapping[int, str]) -> None:
    """Write names into bands without a visible end where these are widest, the widest first, if there is room."""
    back, written = {"facecolor": "w", "edgecolor": "none", "alpha": 0.85, "pad": 1.5}, [-1.0]
    look: Look = {"va": "center", "fontsize": LEAST, "color": "k", "bbox": back}
    for number in sorted(labels, key=lambda number: -float(bands[number].max())):
        widest = int(np.argmax(bands[number]))
        height = float(sum(band[widest] for band in bands[:number]) + bands[number][widest] / 2)
        if bands[number][widest] < ROOM_INSIDE or min(abs(height - other) for other in written) < ROOM_INSIDE:
            continue
        share = (times[widest] - times[0]) / max(times[-1] - times[0], 1e-9)
        side = "left" if share < 1 / 3 else "right" if share > 2 / 3 else "center"
        ax.text(times[widest], height, f" {labels[number]} ", ha=side, **look)
        written.append(height)


def _largest(*courses: SharesOverTime) -> list[int]:
    """The strategies with the largest shares at any time in one of the courses, if these are at least `LEAST_SHARE`."""
    most = np.max([course.shares.max(axis=0) for course in courses], axis=0)
    return [n for n in np.argsort(-most, kind="stable").tolist()[:NAMED] if most[n] >= LEAST_SHARE]


@styled
def plot_simplex(
    names: Sequence[str], courses: Mapping[str, SharesOverTime], nash: Floats | None = None, ax: Axes | None = None
) -> Axes:
    """Draw courses of three strategies in a triangle, whose corners are populations of a single strategy.

    Args:
        names: the names of the three strategies, for the corners at the left, at the right and at the top.
        courses: the courses by name; each begins at a dot.
        nash: the shares of the Nash mixture, drawn as a star.
        ax: axes to draw on; by default in a new figure.

    Raises:
        InputError: There are not three strategies.
    """
    if len(names) != 3:
        raise InputError(f"a triangle is for three strategies, not {len(names)}: plot_shares draws any number.")
    ax = axes_or_new(ax, (7.2, 6.4))
    ax.plot(*CORNERS[[0, 1, 2, 0]].T, color="k", lw=1)
    lines: list[tuple[Line2D, str]] = []  # short names may be equal
    for number, (name, course) in enumerate(courses.items()):
        points = course.shares @ CORNERS
        look = line(number)
        (path,) = ax.plot(*points.T, **(look | {"lw": 1.2, "linestyle": "-"}))
        lines.append((path, plain(name, SHORT)))
        ax.plot(*points[0], "o", color=look["color"], ms=7)
    if nash is not None:
        (star,) = ax.plot(*(nash @ CORNERS), "*", color="k", mfc="w", ms=15, ls="")
        lines.append((star, "Nash mixture"))
    beside = (("top", -0.03), ("top", -0.03), ("bottom", 0.03))
    for corner, name, (upright, away) in zip(CORNERS, names, beside, strict=True):
        ax.annotate(plain(name, SHORT), (corner[0], corner[1] + away), ha="center", va=upright)
    ax.set(xlim=(-0.15, 1.15), ylim=(-0.12, 1.0), aspect="equal")
    ax.set_axis_off()
    if len(lines) > 1:
        ax.legend(*zip(*lines, strict=True), loc="center left", bbox_to_anchor=(0.85, 0.6))
    return ax


@styled
def plot_dynamics(
    names: Sequence[str], large: SharesOverTime, small: SharesOverTime, nash: Floats, ax: Given = None
) -> Panels:
    """Draw a large population above a small one and, for three strategies, below them the triangle of the large one.

    Args:
        names: the names of the strategies.
        large: the replicator dynamics.
        small: a Moran process.
        nash: the shares of the Nash mixture.
        ax: two panels, or three for three strategies; by default in a new figure.
    """
    count = 3 if len(names) == 3 else 2
    heights = (3.8, 3.8, 4.4)[:count]
    panels = panels_or_new(ax, count, panels_in((WIDTH, sum(heights)), count, 1, height_ratios=heights))
    largest = _largest(large, small)  # the same colours in both
    plot_shares(names, large, panels[0], "time", largest).set_title("Replicator dynamics")
    plot_shares(names, small, panels[1], "generation", largest).set_title("Moran process")
    panels[1].xaxis.set_major_locator(whole())
    if count == 3:
        plot_simplex(names, {"replicator dynamics": large}, nash, panels[2])
    return panels
