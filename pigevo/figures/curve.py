"""The curve of a run: the population against the optimum by generation, with the ends of the waves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from pigevo.core.arrays import Floats, Ints
from pigevo.core.checked_values import JsonObject, is_real
from pigevo.core.text import multiplied, short_repr
from pigevo.errors import InputError
from pigevo.figures.axes import (
    COLORS,
    DIVIDER,
    FAINT,
    LEAST,
    OPTIMUM,
    Look,
    add_legend,
    axes_or_new,
    figure_of,
    line,
    refuse_empty,
    styled,
)

LETTER = 0.55  # the mean width of a letter divided by its height

POINTS_AN_INCH = 72


def wave_name(cubes: str) -> str:
    """The name of a wave with a given size of cubes."""
    return f"cubes of {multiplied(cubes)}" if cubes != "1" else "single cells"


def mark_waves(axes: Axes, waves: Sequence[tuple[float, str]], y: float, panels: int = 1) -> Axes:
    """Divide a picture by its waves, which are given by their ends and cube sizes, unless there is only one wave.

    The sizes are written at the height `y` if they fit between the ends; `panels` is the number of panels side by side.
    """
    low, high = axes.get_xlim()
    letter = LETTER * LEAST / POINTS_AN_INCH / (figure_of(axes).get_figwidth() / panels * 0.85) * (high - low)
    begin = 0.0
    for end, cubes in waves if len(waves) > 1 else ():
        fitting = [text for text in (wave_name(cubes), multiplied(cubes)) if len(text) * letter <= end - begin]
        if fitting:
            axes.text((begin + end) / 2, y, fitting[0], ha="center", va="center", fontsize=LEAST)
        if begin:
            axes.axvline(begin, **DIVIDER)
        begin = end
    return axes


def draw_searches(axes: Axes, searches: Mapping[str, float]) -> Axes:
    """Draw a line for the result of each random search."""
    for index, (name, value) in enumerate(searches.items()):
        axes.axhline(value, **search_look(index), label=multiplied(name))
    return axes


SEARCH_DASHES = ("--", "-.", (0, (8, 2)), (0, (6, 1.5, 1, 1.5, 1, 1.5)))  # none as dotted as the optimum's line
SEARCH_INKS = ("k", FAINT)


def search_look(number: int) -> Look:
    """Colour and dashes of random search `number`, from 0 on; the first 8 are all different."""
    ink, dashes = divmod(number, len(SEARCH_DASHES))
    return {"color": SEARCH_INKS[ink % len(SEARCH_INKS)], "linewidth": 1.6, "linestyle": SEARCH_DASHES[dashes]}


def alone(x: Floats | Ints) -> Look:
    """The mark of a curve of a single point, of which nothing else would be seen."""
    return {"marker": "o"} if len(x) == 1 else {}


def fill_range(axes: Axes, x: Floats | Ints, low: Floats, high: Floats, **look: Any) -> None:
    """Fill the range between two curves, which at a single point is a bar."""
    axes.fill_between(x, low, high, lw=6 if len(x) == 1 else 0, **look)


ROOM = 1.1  # the top of the picture divided by the optimum's value; this leaves room for the names of waves


@dataclass(frozen=True, eq=False)
class Curve:
    """The data of a run's curve, as overall win probabilities against the optimum.

    Args:
        generations: the recorded generations, shape (n,).
        best, mean, worst: the best, mean and worst value of the population in each generation, shape (n,).
        waves: for each wave the last generation and the cube size.
        champion: the value of the run's champion; None if there is none yet.
        bands: for each baseline its name, and the 2.5 %, 50 % and 97.5 % quantiles of the
            means of random populations.
        searches: the result of random search with the run's budget, by name.
        optimum: the value of the optimum against itself, which no strategy exceeds.
    """

    generations: Ints
    best: Floats
    mean: Floats
    worst: Floats
    waves: tuple[tuple[float, str], ...]
    champion: float | None
    bands: tuple[tuple[str, float, float, float], ...]
    searches: Mapping[str, float] = field(default_factory=dict)
    optimum: float = 0.5


def curve_data(
    rows: Sequence[JsonObject], champion: float | None = None, own: Floats | None = None,
    cells: Floats | None = None, optimum: float = 0.5, searches: Mapping[str, float] | None = None,
) -> Curve:  # fmt: skip
    """The numbers of a run's curve.

    Args:
        rows: the rows of `metrics.csv`.
        champion: the champion's value, if there is a champion yet.
        own: values of random populations on the run's first grid, shape (populations, size).
        cells: values of random populations with single cells as genes, shape (populations, size).
        optimum: the value of the optimum against itself.
        searches: the result of random search with the run's budget, by name.
    """
    refuse_empty(rows, "row of `metrics.csv`")
    waves = {row["wave"]: (int(row["generation"]), str(row["cube_size"])) for row in rows}
    bands = []
    size = rows[0]["cube_size"]
    for name, sample in ((wave_name(size), own if size != "1" else None), ("single cells", cells)):
        if sample is not None:
            low, middle, high = np.quantile(sample.mean(axis=1), (0.025, 0.5, 0.975)).tolist()
            bands.append((name, low, middle, high))
    return Curve(
        generations=np.array([row["generation"] for row in rows]), best=np.array([row["best"] for row in rows]),
        mean=np.array([row["mean"] for row in rows]), worst=np.array([row["worst"] for row in rows]),
        waves=tuple(waves.values()), champion=champion, bands=tuple(bands), searches=searches or {}, optimum=optimum,
    )  # fmt: skip


def moving_average(generations: Ints | Floats, values: Floats, over: float) -> Floats:
    """The mean of all recorded values within half of `over` generations before and after each one, shape (n,).

    Near both ends the mean is over fewer values.

    Args:
        generations: the recorded generations, ascending, shape (n,).
        values: the values in these generations, shape (n,).
        over: number of generations, above 0.
    """
    if not (is_real(over) and 0 < over < float("inf")):
        raise InputError(f"average = {short_repr(over)}: a moving average is over a number of generations above 0.")
    at = np.asarray(generations, np.float64)
    begin, end = np.searchsorted(at, at - over / 2), np.searchsorted(at, at + over / 2, side="right")
    sums = np.append(0.0, np.cumsum(values))
    return np.asarray((sums[end] - sums[begin]) / (end - begin))


@styled
def plot_curve(curve: Curve, ax: Axes | None = None, label: str = "", average: float | None = None) -> Axes:
    """Draw the curve; the top line is the value of the optimum against itself.

    Args:
        curve: result of `curve_data`.
        ax: axes to draw on; by default in a new figure.
        label: the name of the run in the legend, to draw several runs into the same axes; then only the population's
            mean is drawn, in the next colour.
        average: also draw the moving average of the population's mean over this number of generations, half of them
            before and half after; with a label the average replaces the mean.
    """
    axes = axes_or_new(ax, (10, 6))
    smooth = None if average is None else moving_average(curve.generations, curve.mean, average)
    averaged = f"moving average over {average:g} generations" if average is not None else ""
    if label:
        drawn = len(axes.get_lines())
        values = curve.mean if smooth is None else smooth
        look = {**line(drawn), **alone(curve.generations)}
        axes.plot(curve.generations, values, **look, label=f"{label}, {averaged}" if averaged else label)
        last = max(curve.generations[-1], 1, axes.get_xlim()[1] if drawn else 1)
        axes.set(xlim=(0, last), ylim=(0, ROOM * curve.optimum), xlabel="generation",
                 ylabel="population mean against the optimum, exact")  # fmt: skip
        add_legend(axes, ax is None)
        return axes
    draw_population(axes, curve)
    if smooth is not None:
        axes.plot(curve.generations, smooth, color=COLORS[4], lw=3, label=averaged)
    for index, (name, low, middle, high) in enumerate(curve.bands, start=1):
        look = line(index)
        axes.axhspan(low, high, color=look["color"], alpha=0.3, lw=0)
        axes.axhline(middle, **look, label=f"random populations, {name} (95 %)")
    draw_searches(axes, curve.searches)
    last = curve.generations[-1]
    if curve.champion is not None:
        axes.plot([last], [curve.champion], "k*", ms=12, clip_on=False, label=f"champion {curve.champion:.4f}")
    axes.axhline(curve.optimum, **OPTIMUM, label="the optimum")
    axes.set_ylabel("win probability against the optimum, exact")
    mark_waves(axes, curve.waves, (1 + ROOM) / 2 * curve.optimum)
    add_legend(axes, ax is None, loc="outside lower center", ncols=2, frameon=False)
    return axes


def draw_population(axes: Axes, curve: Curve) -> None:
    """Draw the best, mean and worst member by generation, and fit the axes to them."""
    numbers = curve.generations
    fill_range(axes, numbers, curve.worst, curve.best, color=COLORS[0], alpha=0.2, label="worst to best")
    axes.plot(numbers, curve.mean, **line(0), **alone(numbers), label="population mean")
    axes.set(xlim=(0, max(numbers[-1], 1)), ylim=(0, ROOM * curve.optimum), xlabel="generation")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
