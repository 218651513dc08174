"""Claims about co-evolution, decided where the truth is exact, with their tables and pictures."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

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
    save_figure,
    styled,
)
from pigevo.storage.files import write_bytes

from ..benchmark.algorithms import By
from ..common.spent import LOSS
from ..common.tables import table, write_section
from . import authors, disengagement, generalised, interaction, memories, noise, sizes, transitivity
from .kept import FIRST, Rows, Verdict, by_setting

LOG = logging.getLogger(__name__)

DIFFERENCES = "mean difference, its 95 % interval, and what it says beside the smallest effect of interest"

MOST_SEEDS = 40
"""Seeds of each part at most."""


def run(folder: Path, seeds: int, workers: int) -> None:
    """Do what is missing of the study, and write its tables and pictures.

    Args:
        folder: where everything goes; figures of a seed that are there are not computed again.
        seeds: of every part that is drawn, `MOST_SEEDS` at most.
        workers: processes.
    """
    seeds = min(seeds, MOST_SEEDS)
    said: list[tuple[str, ...]] = []

    def tell(part: str, name: str, text: str, verdicts: list[Verdict]) -> None:
        write_section(folder, name, text)
        said.extend((part, *verdict) for verdict in verdicts)
        LOG.info("%s: done", part)

    strings, games = interaction.measured(folder, seeds, workers)
    both = interaction.verdicts(strings, games)
    tell("worst or mean", "interaction", interaction.as_markdown(strings, games), both)
    rows = transitivity.measured(folder, seeds, workers)
    tell("fitnessless", "fitnessless", transitivity.as_markdown(rows), [])
    rows = memories.measured(folder, seeds, workers)
    tell("memories", "memories", memories.as_markdown(rows), memories.verdicts(rows))
    missed, exact = generalised.measured(folder, seeds, workers)
    tell("generalisation", "generalised", generalised.as_markdown(missed, exact), [])
    cycles = transitivity.measured_by_level(folder, seeds, workers)
    tell("spinning tops", "tops", transitivity.levels_as_markdown(cycles), transitivity.verdicts_on_levels(cycles))
    left = disengagement.measured(folder, seeds, workers)
    tell("disengagement", "disengagement", disengagement.as_markdown(left), disengagement.verdicts(left))
    of_sizes = sizes.measured(folder, seeds, workers)
    tell("larger populations", "sizes", sizes.as_markdown(of_sizes), sizes.verdicts(of_sizes))
    rows = memories.measured_on_matrix(folder, seeds, workers)
    tell("rock, paper, scissors", "matrices", memories.matrix_as_markdown(rows), memories.verdicts_on_matrix(rows))
    three = authors.measured(folder, seeds, workers)
    tell("authors' settings", "authors", authors.as_markdown(*three), authors.verdicts(*three))
    write_section(folder, "claims", table(["part", "claim or question", "whose", "verdict", DIFFERENCES], said))
    draw(folder, missed, cycles, left, of_sizes)
    _noise(folder, seeds, workers)


def _noise(folder: Path, seeds: int, workers: int) -> None:
    """How often games select wrongly, for each way to spend them."""
    cells = noise.table(seeds, workers)
    write_bytes(folder / "noise.csv", noise.as_csv(cells).encode())
    write_section(folder, "noise", noise.as_markdown(cells))


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
    _draw_means(axes, curves, {label: line(number) for number, label in enumerate(curves)}, logarithmic)
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
        _draw_means(axes, curves, looks, logarithmic)
        axes.set(xlabel=across, ylabel=up if axes is panels[0] else "")
        axes.set_title(title, fontsize=LEAST)
    if ax is None:
        lines = {label: one for axes in panels for one, label in zip(*axes.get_legend_handles_labels(), strict=True)}
        figure_of(panels).legend(
            [*lines.values()], [*lines], loc="outside upper center", ncols=len(lines), frameon=False
        )  # fmt: skip
    return panels


def _draw_means(axes: Axes, curves: Mapping[str, Curve], looks: Mapping[str, Look], logarithmic: bool) -> None:
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


def draw(folder: Path, missed: Rows, cycles: Rows, left: Rows, of_sizes: Rows) -> None:
    """Draw all.

    Args:
        folder: takes the pictures.
        missed, cycles, left, of_sizes: the rows of generalisation, spinning tops, disengagement and sizes of
            populations.
    """
    alpha, beta = interaction.CENTRES[0]
    paths = {
        by: interaction.parents_on_bilinear(alpha, beta, by, FIRST, interaction.STEPS)
        for by in interaction.RULES
    }  # fmt: skip
    centre = beta * interaction.BITS, alpha * interaction.BITS
    save_figure(folder / "bilinear.png", figure_of(plot_paths(paths, centre)))
    _save(folder / "tops.png", _levels(cycles), "level of strength, from the weakest tenth",
          "cyclic triples, as a share of the most")  # fmt: skip
    _save(folder / "generalised.png", _missed(missed), "test strategies",
          f"share of estimates that miss by {generalised.ERRORS[1]}", logarithmic=True)  # fmt: skip
    _save(folder / "disengagement.png", _gains(left), "opponents' share of the optimum's genes", "strength gained")
    panels = plot_groups_by_seeds(_sizes(of_sizes), "members of the population", f"mean {LOSS}, last population",
                                  logarithmic=True)  # fmt: skip
    save_figure(folder / "sizes.png", figure_of(panels))


def _save(place: Path, curves: Mapping[str, Curve], across: str, up: str, logarithmic: bool = False) -> None:
    save_figure(place, figure_of(plot_by_seeds(curves, across, up, logarithmic=logarithmic)))


def _levels(cycles: Rows) -> dict[str, Curve]:
    curves: dict[str, Curve] = {}
    for (name,), found in by_setting(cycles, 1).items():
        through = [found[f"through {n}"] for n in range(transitivity.LEVELS)]
        most = max(float(np.mean(one)) for one in through) or 1.0
        curves[name] = [n + 1 for n in range(transitivity.LEVELS)], [one / most for one in through]
    return curves


def _missed(missed: Rows) -> dict[str, Curve]:
    error, settings, tests = generalised.ERRORS[1], by_setting(missed, 2), generalised.TESTS
    curves: dict[str, Curve] = {
        name: (tests, [settings[name, str(n)][f"most {error}"] for n in tests]) for name in generalised.WORLDS
    }
    bound = [np.array([generalised.chebyshev(generalised.LARGEST, n, error)]) for n in tests]
    return curves | {"Chebyshev's bound": (tests, bound)}


def _gains(left: Rows) -> dict[str, Curve]:
    settings = by_setting(left, 2)
    shares = [float(share) for share, _ in settings]
    return {
        said: (shares, [found[f"gain {what}"] for found in settings.values()])
        for said, what in (("exact fitness", "exact"), (f"{disengagement.GAMES} games", "games"))
    }


def _sizes(of_sizes: Rows) -> dict[str, dict[str, Curve]]:
    """The losses by what a generation may spend, and by the game and what the next population is."""
    settings, groups = by_setting(of_sizes, 4), dict[str, dict[str, Curve]]()
    for game, kind, spent in (*sizes.NOISY, *sizes.EXACT):
        losses = [settings[game, kind, str(spent), str(n)]["population"] for n in sizes.SIZES]
        groups.setdefault(sizes.named(spent), {})[f"{game.split(',')[0]}, {kind}"] = sizes.SIZES, losses
    return groups
