"""The tables and the picture of `sweep=mutation_by_cube_size`.

python -m experiments.mutation_by_cube_size.tables SWEEP
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pigevo.core.text import with_interval
from pigevo.figures.axes import (
    DIVIDER,
    WIDTH,
    Given,
    Panels,
    figure_of,
    grid_of,
    label_ends,
    line,
    panels_or_new,
    save_figure,
    styled,
)
from pigevo.sweeps.load import RANDOM_SEARCH, Member, Sweep, load_sweep
from pigevo.sweeps.report import ranking_of
from pigevo.sweeps.statistics import rank_settings

from ..common.group import Group, Question, answers, as_markdown, group_of
from ..common.tables import TABLES, WINS, table, write_section

METRIC = "champion"

Groups = Mapping[tuple[str, str], Group]
"""The runs of each setting by its cubes and its mutation rate, in words."""


def as_text(sweep: Sweep) -> str:
    """All tables.

    Args:
        sweep: the sweep, finished.
    """
    groups = groups_of_sweep(sweep)
    parts = [
        "*Open* means undecided between A and B; p-values and intervals are corrected for all of a table.\n",
        "### Champions\n", "Means against the optimum, exact, with 95 % intervals that hold all at once.\n",
        _champions(sweep),
        "### Rates compared: champions, cubes alike\n", as_markdown(answers([*_rates(groups)], WINS)),
        "### Cubes compared: champions, rates alike\n", as_markdown(answers([*_cubes(groups)], WINS)),
        "### Waves: the mean of the population at the end of each\n", _ends(groups),
        as_markdown(answers([*_kept(groups)], WINS)),
        "### Random populations\n", _random(groups),
    ]  # fmt: skip
    return "\n".join(parts)


def groups_of_sweep(sweep: Sweep) -> dict[tuple[str, str], Group]:
    """The finished runs of each setting."""
    found: dict[tuple[str, str], dict[int, Any]] = {}
    for member, run in sweep.runs.items():
        found.setdefault(_cubes_and_rate(member), {})[member.seed] = run
    return {key: group_of(f"cubes {key[0]}, mutation {key[1]}", runs) for key, runs in found.items()}


def _cubes_and_rate(member: Member) -> tuple[str, str]:
    return ", ".join(map(str, member.values["cubes"]["sizes"])), f"{member.values['mutation']:g}"


def _champions(sweep: Sweep) -> str:
    """The settings and random search with as many strategies, with the means and intervals of `ranking.csv`."""
    ranking = ranking_of(sweep, METRIC)
    means = {ranked.setting: with_interval(ranked.mean, ranked.low, ranked.high) for ranked in ranking}
    rows: dict[str, dict[str, str]] = {}
    for member in sweep.runs:
        cubes, rate = _cubes_and_rate(member)
        rows.setdefault(cubes, {})[f"mutation {rate}"] = means[member.setting]
    for cubes, row in rows.items():
        row["random search"] = means.get(f"{RANDOM_SEARCH},cubes={cubes}", "")
    return table(["cubes", *next(iter(rows.values()))], ((cubes, *row.values()) for cubes, row in rows.items()))


def _rates(groups: Groups) -> Iterator[Question]:
    for (a, first), (b, second) in itertools.combinations(groups.items(), 2):
        if a[0] == b[0]:
            yield _champions_of(first, f"mutation {b[1]}", second)


def _cubes(groups: Groups) -> Iterator[Question]:
    """The first way to cut the array against every other."""
    cubes = next(iter(groups))[0]
    for (other, rate), group in groups.items():
        if other != cubes:
            yield _champions_of(groups[cubes, rate], f"cubes {other}", group)


def _champions_of(a: Group, other: str, b: Group) -> Question:
    return Question(a.name, other, a.by_seed(a.champion), b.by_seed(b.champion), a.budget(), b.budget())


def _ends(groups: Groups) -> str:
    waves = _waves(groups)
    ends = {(g.name, str(end)): g.at(end).tolist() for g in waves for end in g.wave_ends}
    ranked = {one.setting: one for one in rank_settings({" ".join(key): found for key, found in ends.items()}, WINS)}
    rows = (
        (
            g.name,
            *(with_interval(one.mean, one.low, one.high) for one in (ranked[f"{g.name} {end}"] for end in g.wave_ends)),
        )
        for g in waves
    )
    return table(["setting", *(f"of {size}" for size in waves[0].wave_sizes)], rows)


def _kept(groups: Groups) -> Iterator[Question]:
    """What is left at the end of the last wave of what there was at the end of the first."""
    for group in _waves(groups):
        first, *_, last = group.wave_ends
        a, b = (f"end of cubes of {size}" for size in (group.wave_sizes[-1], group.wave_sizes[0]))
        later, before = (group.by_seed(group.at(end)) for end in (last, first))
        yield Question(f"{group.name}: {a}", b, later, before)


def _waves(groups: Groups) -> list[Group]:
    return [group for group in groups.values() if len(group.wave_ends) > 1]


def _random(groups: Groups) -> str:
    rows: dict[str, tuple[object, ...]] = {}
    for group in groups.values():
        result = group.runs[0].result
        if result and (base := result["baseline"]):
            rows[group.wave_sizes[0]] = base["populations"], with_interval(base["own_mean"], *base["own_interval"])
    return table(["cubes", "populations", "mean (95 % interval)"], ((size, *row) for size, row in rows.items()))


@styled
def plot_means(groups: Groups, ax: Given = None) -> Panels:
    """Draw the median of the population means, generation by generation: a panel for each cubes, a line for each rate.

    Args:
        groups: of `groups_of_sweep`.
        ax: a panel for each way to cut the array; by default in a figure of its own.
    """
    ways = list(dict.fromkeys(cubes for cubes, _ in groups))
    panels = panels_or_new(ax, len(ways), grid_of(len(ways), 2, (WIDTH / 2, 4.0), True, sharex=True, sharey=True))
    for axes, cubes in zip(panels, ways, strict=True):
        own = {rate: group for (way, rate), group in groups.items() if way == cubes}
        lines = {}
        for number, (rate, group) in enumerate(own.items()):
            (lines[rate],) = axes.plot(group.generation, np.median(group.mean, axis=0), **line(number, len(own)))
        for end in next(iter(own.values())).wave_ends[:-1]:
            axes.axvline(end, **DIVIDER)
        axes.axhline(0.5, color="k", lw=1, ls=":")
        axes.set(title=f"cubes of {cubes.replace(', ', ', then ')}", ylim=(0, 0.55))
        axes.margins(x=0.01)
        axes.grid(alpha=0.3)
        label_ends(axes, lines)
    if ax is None:
        figure = figure_of(panels)
        figure.suptitle(
            f"lines: mutation rates, medians of {len(next(iter(groups.values())).seeds)} seeds", fontsize=12
        )
        figure.supylabel("population mean against the optimum, exact", fontsize=12)
        figure.supxlabel("generation (dotted: the optimum; grey: end of a wave)", fontsize=12)
    return panels


if __name__ == "__main__":
    place = Path(sys.argv[1])
    sweep = load_sweep(place)
    write_section(place / "report", "compared", as_text(sweep))
    print(place / "report" / TABLES)
    save_figure(place / "report" / "mean.png", figure_of(plot_means(groups_of_sweep(sweep))))
    print(place / "report" / "mean.png")
