"""The spread of figures over many runs: bands along an axis, alone or in panels, and boxes."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cbook import boxplot_stats
from matplotlib.lines import Line2D

from pigevo.core.arrays import Floats
from pigevo.core.text import simultaneous
from pigevo.errors import InputError
from pigevo.figures.axes import (
    COLORS,
    DASHES,
    DIVIDER,
    LEAST,
    OPTIMUM,
    PALE,
    SKY,
    WIDTH,
    Given,
    Look,
    Panels,
    axes_or_new,
    figure_of,
    grid_of,
    label_ends,
    line,
    panels_in,
    panels_or_new,
    refuse_empty,
    styled,
    whole,
)
from pigevo.figures.curve import ROOM, alone, draw_searches, fill_range, mark_waves

FEW = 3  # the largest number of bands whose tints can overlap and still be distinguished


@dataclass(frozen=True, eq=False)
class Band:
    """The median and the spread of many runs.

    Args:
        x: positions along the axis, shape (points,).
        median: the median of the runs at each position, shape (points,).
        low, high: quantiles between which the share `level` of the runs lies, shape (points,).
        level: the share of the runs inside the band.
        runs: number of runs.
    """

    x: Floats
    median: Floats
    low: Floats
    high: Floats
    level: float
    runs: int


def band(values: Floats, level: float = 0.9, x: Floats | None = None) -> Band:
    """The band of many runs.

    Args:
        values: a figure of each run at each position, shape (runs, points).
        level: the share of the runs inside the band, point by point.
        x: the positions, shape (points,); 0, 1, 2, ... by default.

    Raises:
        InputError: There are no runs, the level is not between 0 and 1, or `x` has another length.
    """
    values = np.asarray(values, dtype=float)
    if values.ndim != 2 or not values.size:
        raise InputError(f"a band needs values of shape (runs, points), not {values.shape}.")
    if not 0 < level < 1:
        raise InputError(f"level = {level} is out of range: it must be above 0 and below 1.")
    positions = np.arange(values.shape[1], dtype=float) if x is None else np.asarray(x, dtype=float)
    if positions.shape != values.shape[1:]:
        raise InputError(f"a band of {values.shape[1]} points needs x of that length, not of shape {positions.shape}.")
    low, median, high = np.quantile(values, ((1 - level) / 2, 0.5, (1 + level) / 2), axis=0)
    return Band(positions, median, low, high, level, len(values))


@styled
def plot_bands(bands: Mapping[str, Band], numbers: Mapping[str, int] | None = None, ax: Axes | None = None) -> Axes:
    """Draw bands: a line for each median and a tint for each spread, which is paler if there are many bands.

    Args:
        bands: the bands by label.
        numbers: the number of the colour and dashes for some or all labels; by default in order.
        ax: axes to draw on; the caller sets their labels and limits.
    """
    axes = axes_or_new(ax, (10, 5.6))
    draw_bands(axes, bands, [line((numbers or {}).get(label, number)) for number, label in enumerate(bands)])
    return axes


def draw_bands(axes: Axes, bands: Mapping[str, Band], looks: Sequence[Look]) -> dict[str, Line2D]:
    """Draw bands, each in a style with a colour, and return their lines; tints are paler if there are many."""
    tint = 0.22 if len(bands) <= FEW else 0.07
    return {
        label: draw_band(axes, band, look, tint, label)
        for (label, band), look in zip(bands.items(), looks, strict=True)
    }


def draw_band(axes: Axes, band: Band, look: Look, tint: float, label: str | None = None) -> Line2D:
    """Draw a band and return its line: the line in a style with a colour, the spread as a tint (0 for none)."""
    if tint:
        fill_range(axes, band.x, band.low, band.high, color=look["color"], alpha=tint)
    (drawn,) = axes.plot(band.x, band.median, **look, **alone(band.x), label=label)
    return drawn


ACROSS = 2  # the largest number of panels side by side

NAMED = 12  # the largest number of lines in a single panel that have names at their ends
LONGEST = 44  # the largest number of letters in these names, in a figure of `WIDTH`
LETTERS = 110  # the number of letters that fit side by side into the width of a figure


@dataclass(frozen=True, eq=False)
class Panel:
    """One of several panels with the same axes.

    Args:
        title: the settings that all bands of the panel share; empty if there is only one panel.
        bands: the bands by the settings in which they differ.
        random: the 2.5 %, 50 % and 97.5 % quantiles of random populations, by name.
        waves: the end of each wave along the axis and its cube size, if the runs have the same waves.
        optima: the win probability of the optimum against itself in each of the games; no strategy exceeds it.
        searches: the mean result of random search, by name.
    """

    title: str
    bands: Mapping[str, Band]
    random: Mapping[str, tuple[float, float, float]]
    waves: tuple[tuple[float, str], ...] = ()
    optima: tuple[float, ...] = (0.5,)
    searches: Mapping[str, float] = field(default_factory=dict)


@styled
def plot_panels(
    panels: Sequence[Panel], across: str, up: str, optimum: bool, ax: Given = None, ordered: bool = False
) -> Panels:
    """Draw panels: a single panel has names at the ends of its lines, several panels share a legend.

    Args:
        panels: the panels to draw.
        across: the label of the horizontal axis.
        up: the label of the vertical axis.
        optimum: whether the values are win probabilities, so that a line for the optimum is drawn.
        ax: a panel for each; by default in a new figure.
        ordered: whether the settings are numbers in order, so that their colours are ordered too.
    """
    refuse_empty(panels, "`Panel`")
    columns = min(ACROSS, len(panels))
    size = (WIDTH / columns, 4.0 if columns > 1 else 5.6)
    grid = panels_or_new(ax, len(panels), grid_of(len(panels), ACROSS, size, True, sharex=True, sharey=True))
    if ax is not None and (cell := grid[0].get_subplotspec()) is not None:
        columns = cell.get_gridspec().ncols
    labels = list(dict.fromkeys(label for panel in panels for label in panel.bands))
    looks = {label: line(number, len(labels) if ordered else 0) for number, label in enumerate(labels)}
    bands: dict[str, Line2D] = {}
    for number, (axes, panel) in enumerate(zip(grid, panels, strict=True)):
        bands |= _draw(axes, panel, looks, optimum)
        if number % columns == 0:
            axes.set_ylabel(up)
        axes.xaxis.set_major_locator(whole())
        if number + columns >= len(panels):
            axes.set_xlabel(across)
            axes.tick_params(labelbottom=True)
    highest = max(best for panel in panels for best in panel.optima)
    top = ROOM * (highest if optimum else max(axes.get_ylim()[1] for axes in grid))
    for axes, panel in zip(grid, panels, strict=True):
        axes.set_ylim(0, top)
        mark_waves(axes, panel.waves, top * 0.955, panels=columns)
    lines = {label: drawn for axes in grid for drawn, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    lines |= {label: drawn for label, drawn in bands.items() if label}  # matplotlib leaves out names such as `_ann`
    wide, longest = figure_of(grid).get_figwidth() / WIDTH, max(map(len, lines), default=0)
    if len(panels) == 1 and len(lines) <= NAMED and longest <= LONGEST * wide:
        label_ends(grid[0], {name: drawn for name, drawn in lines.items() if isinstance(drawn, Line2D)})
    else:
        columns = max(1, min(4, int(LETTERS * wide / (longest + 6))))
        figure_of(grid).legend(
            [*lines.values()], [*lines], loc="outside lower center", ncols=columns, frameon=False
        )  # fmt: skip
    return grid


def _draw(axes: Axes, panel: Panel, looks: Mapping[str, Look], optimum: bool) -> dict[str, Line2D]:
    for number, (name, (low, middle, high)) in enumerate(panel.random.items()):
        axes.axhspan(low, high, color=PALE, lw=0)
        axes.axhline(middle, color="0.35", lw=1, ls=DASHES[number % len(DASHES)], label=name)
    draw_searches(axes, panel.searches)
    lines = draw_bands(axes, panel.bands, [looks[label] for label in panel.bands])
    for best in panel.optima if optimum else ():
        axes.axhline(best, **OPTIMUM, label="the optimum")
    axes.set_title(panel.title, parse_math="$" not in panel.title)  # on one line: callers look for paths in it
    axes.margins(x=0)
    return lines


@dataclass(frozen=True, eq=False)
class Boxes:
    """Samples side by side.

    Args:
        stats: a box for each sample, as returned by matplotlib's `boxplot_stats`.
    """

    stats: tuple[dict[str, float], ...]

    @property
    def quartiles(self) -> Floats:
        """The 25 %, 50 % and 75 % quantiles of each sample, shape (samples, 3)."""
        return np.array([[box["q1"], box["med"], box["q3"]] for box in self.stats])

    @property
    def whiskers(self) -> Floats:
        """The smallest and largest figure within 1.5 interquartile ranges of the box, shape (samples, 2)."""
        return np.array([[box["whislo"], box["whishi"]] for box in self.stats])


def boxes_data(labels: Sequence[object], samples: Floats) -> Boxes:
    """The boxes and whiskers of samples of shape (labels, repeats)."""
    refuse_empty(labels, "sample")
    return Boxes(tuple(boxplot_stats(np.asarray(samples).T, labels=list(map(str, labels)))))


@styled
def plot_boxes(boxes: Boxes, ax: Axes | None = None) -> Axes:
    """Draw the boxes; figures beyond the whiskers are dots.

    Args:
        boxes: result of `boxes_data`.
        ax: axes to draw on; the caller sets their labels.
    """
    axes = axes_or_new(ax, (10, 5.6))
    axes.bxp(
        list(boxes.stats), widths=0.55, patch_artist=True, boxprops={"facecolor": SKY, "linewidth": 1.4},
        whiskerprops={"linewidth": 1.4}, capprops={"linewidth": 1.4},
        medianprops={"color": COLORS[2], "linewidth": 2.6},
        flierprops={"marker": "o", "markersize": 4, "markerfacecolor": "0.4", "markeredgewidth": 0},
    )  # fmt: skip
    return axes


@dataclass(frozen=True, eq=False)
class SettingOutcome:
    """The results of the runs of a setting, or of the random searches beside them.

    Args:
        values: the figure of each seed, shape (seeds,).
        mean: the mean of the values.
        low, high: the interval of the mean; None if it is undetermined.
        band: the curve of the runs; None for a random search, or if there are too many curves to draw.
        search: whether these are random searches, which have no curve: their mean is a line.
    """

    values: Floats
    mean: float
    low: float | None
    high: float | None
    band: Band | None = None
    search: bool = False


ABOVE = 0.13  # room above the curves for the notes on the size of cubes, as a share of the curves' height
SHORT_NAME = 24  # the number of letters in a name up to which the figure to hand in has its usual width
LETTERS_ACROSS = 55  # the number of letters that fit side by side into the panel of curves


@styled
def plot_outcomes(
    outcomes: Mapping[str, SettingOutcome], across: str, up: str, along: str, waves: Sequence[tuple[float, str]] = (),
    ordered: bool = False, ax: Given = None, optimum: float | None = None, looks: Mapping[str, Look] | None = None,
    at_once: int = 1,
) -> Panels:  # fmt: skip
    """Draw the figure to hand in: above the curves of the settings, below the result of each seed, by setting.

    The axes are fitted to the data. Notes above the curves mark where the cubes become smaller. The means of random
    searches are lines above.

    Args:
        outcomes: the results by name, from top to bottom.
        across: the label of the horizontal axis of the curves.
        up: the label of the vertical axis of the curves.
        along: the label of the axis of the seeds' values.
        waves: the end of each wave along the axis, and its cube size.
        ordered: whether the settings are numbers in order, so that their colours are ordered too.
        ax: two panels; by default in a new figure.
        optimum: the win probability of the optimum against itself, for a line in the upper panel.
        looks: colour and dashes by name; by default those without a band are grey.
        at_once: the number of outcomes whose intervals are simultaneous; 1 if each interval is by itself.
    """
    refuse_empty(outcomes, "setting")
    rows = 0.34 * len(outcomes)
    names = 0.16 * max(0, max(map(len, outcomes)) - SHORT_NAME)  # names stand on both sides
    stacked = panels_in((WIDTH * 0.9 + names, rows + 5.4), 2, 1, height_ratios=(3.6, rows + 0.2))
    above, below = panels_or_new(ax, 2, stacked)
    drawn = [name for name, outcome in outcomes.items() if outcome.band is not None]
    looks = looks or {name: line(number, len(drawn) if ordered else 0) for number, name in enumerate(drawn)}
    ends = _draw_curves(above, outcomes, looks)
    if optimum is not None:
        ends["the optimum"] = above.axhline(optimum, **OPTIMUM)
    above.margins(x=0, y=0.06)
    above.xaxis.set_major_locator(whole())
    low, high = above.get_ylim()
    room = ABOVE * (high - low) if len(waves) > 1 else 0.0
    above.set(xlabel=across, ylabel=up, ylim=(low, high + room))
    for (end, _), (later, cubes) in itertools.pairwise(waves):
        above.axvline(end, **DIVIDER)
        text = _shrinking(cubes, (later - end) / float(np.ptp(above.get_xlim())))
        look: Look = {"textcoords": "offset points", "va": "top", "fontsize": LEAST, "color": "0.35"}
        above.annotate(text, (end, 1), (4, -3), xycoords=above.get_xaxis_transform(), **look)
    label_ends(above, ends)
    _draw_seeds(below, outcomes, looks)
    undetermined = any(outcome.low is None for outcome in outcomes.values())
    notes = [simultaneous(at_once), "none where the seeds do not determine it" if undetermined else ""]
    bar = ",\n".join(filter(None, ["its 95 % interval", "; ".join(filter(None, notes))]))
    below.set(xlabel=f"{along}\n(dots: seeds; line: their mean; bar: {bar})")
    return above, below


def _draw_curves(axes: Axes, outcomes: Mapping[str, SettingOutcome], looks: Mapping[str, Look]) -> dict[str, Line2D]:
    """Draw the band of each outcome, and the mean of each random search; returns the lines by name."""
    ends = {}
    for name, outcome in outcomes.items():
        if outcome.band is not None:
            ends[name] = draw_band(axes, outcome.band, looks[name], 0.15)
    for name, outcome in outcomes.items():
        if outcome.search:
            grey = {"color": "0.45", "linestyle": DASHES[(1 + len(ends)) % len(DASHES)]}
            ends[name] = axes.axhline(outcome.mean, **{"linewidth": 1.4, **looks.get(name, grey)})
    return ends


def _draw_seeds(axes: Axes, outcomes: Mapping[str, SettingOutcome], looks: Mapping[str, Look]) -> None:
    """Draw a row for each outcome: the values of its seeds, their mean and its interval."""
    for row, (name, outcome) in enumerate(outcomes.items()):
        color = looks[name]["color"] if name in looks else "0.45"
        if outcome.low is not None and outcome.high is not None:
            axes.plot([outcome.low, outcome.high], [row, row], color=color, lw=6, alpha=0.3, solid_capstyle="butt")
        axes.plot([outcome.mean], [row], "|", color=color, ms=18, mew=3)
        axes.plot(outcome.values, np.full(len(outcome.values), row), "o", color=color, ms=5, mec="w", mew=0.6)
    axes.set_yticks(range(len(outcomes)), [*outcomes], parse_math=False)
    axes.set(ylim=(len(outcomes) - 0.4, -0.6))
    axes.grid(axis="x", color=PALE)
    axes.set_axisbelow(True)


def _shrinking(cubes: str, share: float) -> str:
    """The note at the beginning of a wave: as long as fits into the wave's share of the axis."""
    texts = [f"here the cubes\nshrink to {cubes}", f"to {cubes}"]
    if cubes == "1":
        texts = ["here cubes become\nsingle cells", "single\ncells"]
    fitting = [text for text in texts if max(map(len, text.split("\n"))) <= LETTERS_ACROSS * share]
    return fitting[0] if fitting else ""
