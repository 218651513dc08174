"""The pictures: our bands with the published points on them, and figures 1 to 4, 10, 11 and 17."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

import pigevo
from pigevo.core.arrays import Floats
from pigevo.figures.axes import COLORS, LEAST, figure_of, new_figure, save_figure, styled, ticks
from pigevo.figures.bands import boxes_data, plot_boxes
from pigevo.figures.curve import moving_average
from pigevo.figures.decisions import decisions_data, plot_surfaces
from pigevo.games import Pig
from pigevo.strategies import CubeGrid, Strategy

from ..common.group import Group
from .answers import RATES
from .drawing import (
    Reproduction,
    cubes_data,
    density_data,
    operators_data,
    plot_cubes,
    plot_density,
    plot_operators,
    plot_reproduction,
)
from .rows import MEASURED, REPEATS, cubes, match_variation, median_peaks, short, with_luck

PAPER = "Exeter 2016"
GAMES = (25, 50, 100, 250, 500, 1000)
RATE_LABELS = {"0": "none", "0.0001": "0.01 %", "0.001": "0.1 %", "0.005": "0.5 %", "0.01": "1 %", "0.05": "5 %"}
CURVES = {
    "figure_05": {"figure_5": "ours"}, "figure_06": {"figure_6": "ours"}, "figure_07": {"figure_7": "ours"},
    "figure_08": {"figure_8": "ours"}, "figure_09": {f"figure_9_{r}": RATE_LABELS[r] for r in RATES[3:]},
    "figure_12": {"figure_12": "ours", "round_robin_hold_at_kept": "survivors stay"},
    "figure_13": {"figure_13": "ours", "hold_at_exact": "exact pairing"}, "figure_14": {"figure_14": "ours"},
    "figure_15": {"figure_15": "ours", "round_robin_score_kept": "survivors stay"}, "figure_16": {"figure_16": "ours"},
    "cubes_exact": {"figure_9_0.005": "100 games", "cubes_0.005_exact": "exact pairing",
                    "cubes_kept": "100 games, survivors stay", "cubes_exact_kept": "exact pairing, survivors stay"},
}  # fmt: skip
TITLES = {
    "figure_09": "Cubes from random strategies, by mutation rate",
    "cubes_exact": "Cubes from random strategies, 0.5 % mutation",
}


AVERAGED = ("figure_7", "figure_8", "figure_12", "figure_15")
"""Those whose pictures show a single run and the moving average of it."""

OVER = 100
"""Generations of the moving average; the paper does not say how many its own has."""

SIZES = (20, 10, 5)
SEED = 24
"""Of figure 1, whose game to 30 has fewer genes and whose mutation flips more of them than any run."""


def draw(folder: Path, groups: Mapping[str, Group], published: Mapping[str, Any], random: Mapping[str, Floats]) -> None:
    """Draw them all.

    Args:
        folder: where they go.
        groups: the runs of each setting.
        published: the content of `published.yaml`.
        random: win probabilities of random populations by the size of their cubes, shape (populations, size) each.
    """
    for name in CURVES:
        save_figure(folder / f"{name}.png", curves(name, groups, published, random))
    save_figure(folder / "figure_01.png", operators())
    save_figure(folder / "figure_02.png", grids())
    save_figure(folder / "averages.png", averages(groups, published))
    save_figure(folder / "figure_11.png", surfaces(groups["figure_9_0.005"].strategy()))
    save_figure(folder / "figure_10.png", density(median_peaks(groups, published, random["1"]), published, random["1"]))
    save_figure(folder / "figure_17.png", boxes())


def curves(
    name: str, groups: Mapping[str, Group], published: Mapping[str, Any], random: Mapping[str, Floats]
) -> Figure:
    """One of `CURVES`: our bands, the published points, and random populations; the arguments are those of `draw`."""
    settings = CURVES[name]
    points = {s: published[s]["points"] for s in settings if name.startswith("figure") and s in published}
    first = groups[next(iter(settings))]
    size = first.wave_sizes[0]
    data = Reproduction(
        title=TITLES.get(name) or published[next(iter(settings))]["title"],
        bands={label: groups[setting].band() for setting, label in settings.items()},
        published={settings[s]: [tuple(point) for point in found] for s, found in points.items()},
        random=tuple(np.quantile(random[size].mean(axis=1), (0.025, 0.5, 0.975)).tolist()),
        random_name=f"random {cubes(size)}",
        ends=first.wave_ends[:-1],
        ordered=name == "figure_09",
    )
    return figure_of(plot_reproduction(data, PAPER))


def operators() -> Figure:
    """Figure 1: selection, crossover and mutation of random genomes."""
    return figure_of(plot_operators(operators_data(CubeGrid(Pig(target=30), 10), rate=0.1, seed=SEED)))


def grids() -> Figure:
    """Figure 2: the optimum on the grids of the waves."""
    optimum = pigevo.optimal(Pig()).strategy
    return figure_of(plot_cubes([cubes_data(optimum, size) for size in SIZES]))


def surfaces(*strategies: Strategy) -> Figure:
    """Strategies and the optimum from two sides: figure 11 with a champion, figures 3 and 4 without."""
    shown = [*strategies, pigevo.optimal(Pig()).strategy]
    return figure_of(plot_surfaces([decisions_data(strategy) for strategy in shown]))


@styled
def density(medians: Mapping[str, float], published: Mapping[str, Any], cells: Floats) -> Figure:
    """Random populations and peaks, all with the luck of as many games, which the published ones contain.

    Args:
        medians: result of `median_peaks`, or of no runs.
        published: the content of `published.yaml`.
        cells: win probabilities of random populations of single cells, shape (populations, size).
    """
    names = ("figure_7", "figure_8")
    marks = {f"median peak of {short(s)}": medians[short(s)] for s in names if short(s) in medians}
    marks |= {f"{short(s)}, published": published[s]["peak"] for s in names}
    axes = plot_density(density_data(with_luck(cells.mean(axis=1)), marks))
    title = f"{len(cells)} random populations"
    axes.set(xlabel=f"population mean against the optimum, from {MEASURED:,} games", ylabel="density", title=title)
    figure = figure_of(axes)
    figure.legend(loc="outside lower center", ncols=3, frameon=False)
    return figure


@styled
def averages(groups: Mapping[str, Group], published: Mapping[str, Any]) -> Figure:
    """The run of the first seed of each setting, as the paper has one run: its records, and their moving average."""
    figure = new_figure((10, 7))
    panels = list(map(ticks, figure.subplots(2, 2, sharex=True).ravel()))
    for axes, name in zip(panels, AVERAGED, strict=True):
        group = groups[name]
        axes.plot(group.generation, group.mean[0], "o", ms=3.5, color=COLORS[0], label="population mean, exact")
        smooth = moving_average(group.generation, group.mean[0], OVER)
        axes.plot(group.generation, smooth, color=COLORS[2], lw=2.4, label=f"moving average over {OVER} generations")
        axes.set_title(f"Figure {name.removeprefix('figure_')}: {published[name]['title']}")
        axes.set_ylim(0, 1.15 * group.mean[0].max())
    for axes in panels[2:]:
        axes.set_xlabel("generation")
    figure.supylabel("win probability against the optimum", fontsize=12)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False)
    return figure


@styled
def boxes() -> Figure:
    """Figure 17: matches of hold at 20 against itself."""
    hold = pigevo.hold_at(Pig(), 20)
    axes = plot_boxes(boxes_data([f"{games:,}" for games in GAMES], match_variation(hold, GAMES, REPEATS)))
    axes.axhline(0.5, color="k", lw=1, ls=":")
    axes.text(1.01, 0.5, "0.5", transform=axes.get_yaxis_transform(), va="center", fontsize=LEAST)
    axes.set(
        title=f"Hold at 20 against itself: {REPEATS} matches of each length",
        xlabel="games of a match\n(box: the middle half of the matches; line: median; dots: beyond 1.5 boxes)",
        ylabel="share of games won in a match",
        ylim=(0.1, 0.9),
    )
    return figure_of(axes)
