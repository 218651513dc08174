"""Curves in a report, along generations, evaluations or seconds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, product
from textwrap import fill
from typing import Any, TypeVar

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator, StrMethodFormatter

from pigevo.core.arrays import Ints
from pigevo.core.text import level, sentence
from pigevo.figures.axes import figure_of, new_figure, ticks
from pigevo.figures.bands import Band, Panel, plot_panels
from pigevo.figures.curve import Curve, plot_curve
from pigevo.runs.load import Run
from pigevo.runs.pictures import recorded_curve
from pigevo.runs.progress import tracked
from pigevo.settings.settings import Settings
from pigevo.sweeps import AXES, CURVES
from pigevo.sweeps.curves import APART, BAND_SHARE, are_apart, is_ordered, notes_on_ends, panels_of
from pigevo.sweeps.load import Sweep
from pigevo.web.drawing import drawn, svg
from pigevo.web.html import Html, Part, details, switch, tag

C = TypeVar("C", Curve, Band)

BUTTONS = {"generation": "generations", "evaluations": "evaluations", "seconds": "seconds"}
"""The axes of curves, and the labels of their buttons."""

POINTS = 3000  # the approximate number of points of all bands of a picture, which is then at most about 200 kB
MOST_POINTS = 150  # the largest and the smallest number of points of one band
LEAST_POINTS = 12

MOST_DRAWN = 60  # the number of best settings that are drawn; `report/figures` has all
PICTURE_WIDTH = 4.4  # in inches: shown at 26rem, with text as large as that of notes, and still readable on a phone
MOST_LETTERS = 30  # the number of letters that fit beside the vertical axis
MOST_IN_LINE = 40  # letters of a setting
NAME_HEIGHT = 0.22  # the height in inches of a name in the legend below the curves

SHOWN, OTHERS = ("mean", "best"), ("worst", "diversity")
"""The curves of a sweep that are shown, and those shown on request."""


def run_curves(run: Run, settings: Settings | None, name: str) -> Html:
    """The curve of a finished run, beside random populations if it was compared with them."""
    curve = recorded_curve(run, settings)
    panes = {}
    for axis, button in BUTTONS.items():
        if run.metrics[axis][-1] > 0:
            panes[button] = _run_pane(along(curve, run.metrics, axis), axis, f"{name}-{axis}")
    return switch(name, "Along", panes, BUTTONS["generation"] if "generations" in panes else next(iter(panes), ""))


def along(curve: Curve, metrics: Mapping[str, np.ndarray], axis: str) -> Curve:
    """The same curve along another column of the metrics."""
    x = metrics[axis].astype(float)
    ends = tuple((float(np.interp(end, curve.generations, x)), cubes) for end, cubes in curve.waves)
    return replace(curve, generations=x, waves=ends)


def thinned_curve(curve: Curve) -> Curve:
    """The curve, thinned to the points that a picture can show: its ends, and the peaks and dips of each part."""
    columns, count = (curve.best, curve.mean, curve.worst), len(curve.generations)
    parts = np.linspace(0, count, 2 * MOST_POINTS // (2 * len(columns)) + 1).round().astype(np.int64).tolist()
    kept = {0, count - 1}
    for (begin, end), column in product(pairwise(parts), columns):
        if begin < end:
            kept |= {begin + int(column[begin:end].argmin()), begin + int(column[begin:end].argmax())}
    indices = np.arange(count) if count <= 2 * MOST_POINTS else np.array(sorted(kept))
    return _taken(curve, ("generations", "best", "mean", "worst"), indices)


def thinned(panels: Sequence[Panel]) -> list[Panel]:
    """The bands, thinned to the points that pictures can show: evenly spread, including the first and the last."""
    most = min(MOST_POINTS, max(LEAST_POINTS, POINTS // max(1, sum(len(panel.bands) for panel in panels))))
    columns = ("x", "median", "low", "high")
    thinner = [
        {name: _taken(band, columns, _spread(len(band.x), most)) for name, band in panel.bands.items()}
        for panel in panels
    ]
    return [replace(panel, bands=bands) for panel, bands in zip(panels, thinner, strict=True)]


def best_part(sweep: Sweep, ranked: Sequence[str]) -> Sweep:
    """The sweep with only the first settings of a ranking, as many as can be drawn."""
    first = set(ranked[:MOST_DRAWN])
    return sweep.renamed({member: member.setting for member in sweep.members if member.setting in first})


def sweep_curves(sweep: Sweep, axis: str, name: str) -> Html:
    """The curves of a sweep, with every setting's runs as a band; `axis` is shown first."""
    axes = [
        key
        for key in BUTTONS
        if all(run.metrics[key][-1] > 0 for run in sweep.runs.values())
        and not all(are_apart(runs, key) for runs in sweep.by_setting.values())
    ]
    wanted = [(key, metric) for key in axes for metric in (*SHOWN, *OTHERS)]
    bar = tracked("drawing", len(wanted), " pictures")
    drawings = {(key, metric): _sweep_pane(sweep, metric, key, name) for key, metric in bar(wanted)}
    panes: dict[str, Part] = {}
    for key in axes:
        shown, others = (
            tag("div", [drawings[key, metric] for metric in metrics], class_="charts") for metrics in (SHOWN, OTHERS)
        )
        panes[BUTTONS[key]] = [shown, details("the worst of the population, and its diversity", others)]
    chosen = BUTTONS.get(axis, BUTTONS["generation"])
    return switch(name, "Along", panes, chosen if chosen in panes else next(iter(panes), ""))


def _run_pane(curve: Curve, axis: str, name: str) -> Html:
    with drawn():
        axes = plot_curve(thinned_curve(curve), ticks(new_figure((PICTURE_WIDTH, 4.9)).add_subplot()))
        if (inside := axes.get_legend()) is not None:
            inside.remove()
        figure_of(axes).legend(loc="outside lower center", ncols=1, frameon=False)
        axes.set(xlim=(0, float(curve.generations[-1])), xlabel=AXES[axis])
        _format_labels(axes)
        label = (
            f"The population's win probability against the optimum along {AXES[axis]}: its mean begins at "
            f"{curve.mean[0]:.4f} and ends at {curve.mean[-1]:.4f}; the largest is {curve.mean.max():.4f}."
        )
        return tag("figure", svg(figure_of(axes), name, label))


def _sweep_pane(sweep: Sweep, metric: str, axis: str, name: str) -> Html:
    panels = thinned(panels_of(sweep, metric, axis))
    with drawn():
        grid = new_figure((PICTURE_WIDTH, 3.7 * len(panels))).subplots(len(panels), 1, squeeze=False, sharex=True)
        for axes in np.ravel(grid):
            ticks(axes)
        figure = figure_of(
            plot_panels(panels, AXES[axis], CURVES[metric], metric != "diversity", grid, is_ordered(sweep))
        )
        for axes in figure.axes:
            _format_labels(axes)
            axes.set_title(_wrapped(axes.get_title()))
        for text in (text for legend in figure.legends for text in legend.get_texts()):
            text.set_text(_wrapped(text.get_text()))
        names = sum(len(legend.get_texts()) for legend in figure.legends)
        figure.set_figheight(figure.get_figheight() + NAME_HEIGHT * names)
        drawing = svg(figure, f"{name}-{metric}-{axis}", _alt_text(panels, metric, axis))
    caption = (
        f"{CURVES[metric].partition(',')[0]}. Line: the median; tint: the central {level(BAND_SHARE)} of the seeds."
    )
    caption = " ".join([caption, *(f"{sentence(text)}." for text in notes_on_ends([*sweep.by_setting.values()], axis))])
    return tag("figure", drawing, tag("figcaption", sentence(caption)))


def _wrapped(setting: str) -> str:
    """A setting on several lines, broken after commas, so that it fits into a picture."""
    return fill(setting.replace(",", ", "), MOST_IN_LINE).replace(", ", ",")


def _alt_text(panels: Sequence[Panel], metric: str, axis: str) -> str:
    """A description of the picture for people who cannot see it."""
    ends = [
        f"{' '.join(part for part in (panel.title, name) if part)} "
        + (f"ends at {band.median[-1]:.4f}" if len(band.x) else f"has {APART}")
        for panel in panels
        for name, band in panel.bands.items()
    ]
    return f"Curves along {AXES[axis]}: {CURVES[metric]}. Medians: {'; '.join(ends)}."


def _format_labels(axes: Axes) -> None:
    """Large numbers with commas, and few of them; a label of the vertical axis that fits beside it."""
    axes.set_ylabel(fill(axes.get_ylabel(), MOST_LETTERS))
    if axes.get_xlim()[1] >= 10_000:
        axes.xaxis.set_major_locator(MaxNLocator(6))
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))


def _spread(count: int, most: int) -> Ints:
    """At most so many evenly spread indices, including the ends."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(np.int64))


def _taken(record: C, columns: Sequence[str], indices: Ints) -> C:
    """The record with some of the points of its columns."""
    taken: Any = {name: getattr(record, name)[indices] for name in columns}
    return replace(record, **taken)
