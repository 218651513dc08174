"""Tables that answer what the report could not find out."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.core.intervals import mean_interval
from pigevo.core.text import with_interval
from pigevo.sweeps.statistics import rank_settings

from ..common.group import answers, as_markdown, detectable
from ..common.randomness import against_random
from ..common.randomness import as_markdown as random_table
from ..common.tables import table
from .questions import RATES, Groups, at_rate, falls, lost, luck, rates, shrinking, variants, wishes
from .rows import cubes, short

BESIDE_RANDOM = {"figure_7": "1", "figure_8": "1", "figure_9_0.005": "20", "figure_9_0.01": "20"}
"""Settings that are compared with random populations, and the cubes with which they begin."""


def as_text(groups: Groups, random: Mapping[str, Floats]) -> str:
    """All tables.

    Args:
        groups: the runs of each setting.
        random: win probabilities of random populations by the size of their cubes, shape (populations, size) each.
    """
    seeds, few = len(groups["figure_8"].seeds), len(groups["cubes_sets"].seeds)
    parts = [
        f"A single comparison at 5 % finds a paired difference of {detectable(seeds):.2f} standard deviations in four "
        f"of five cases with {seeds} seeds, and one of {detectable(few):.2f} with {few}. Where several are compared in "
        "one table, p-values and intervals are corrected for that (`core.intervals`, `sweeps.statistics`); "
        "*open* means undecided between A and B.\n",
        "### Are round robin and knockout different from random populations?\n", _random(groups, random),
        "### Does the cube system get worse when cubes shrink?\n", as_markdown(answers([*shrinking(groups)])),
        "### Is it the noise of selection, mutation, or the loss of parents?\n",
        "What the mean of the population loses from the end of the largest cubes to that of the smallest.\n",
        as_markdown(answers([*falls(groups)]), "larger"),
        "### Which mutation rates are better than 0.5 % where?\n",
        "Medians of the population mean, and the lowest and the highest.\n", _rates(groups),
        as_markdown(answers([*rates(groups)])),
        "### How much is luck of the 100 games?\n", as_markdown(answers([*luck(groups)])),
        "### What the further wishes are worth\n", as_markdown(answers([*wishes(groups)])),
        "### Where every setting ends\n", _ends(groups),
    ]  # fmt: skip
    return "\n".join(parts)


def variants_as_text(groups: Groups) -> str:
    """What other tournaments, and mutation of an exact share, change; `groups` need not have more than these."""
    heads = {
        "cubes": "Other tournaments with as many games in a generation, at 0.5 % mutation",
        "share": "Mutation of an exact share of the genes against independent flips",
    }
    tables = {head: as_markdown(answers([*variants(groups, beginning)])) for beginning, head in heads.items()}
    return "\n".join(f"### {head}\n\n{text}" for head, text in tables.items())


def _random(groups: Groups, random: Mapping[str, Floats]) -> str:
    """Each setting beside random populations of the cubes with which it begins, and with which it ends."""
    pairs = [
        (name, size) for name, first in BESIDE_RANDOM.items()
        for size in dict.fromkeys((first, groups[name].wave_sizes[-1]))
    ]  # fmt: skip
    found = {
        f"{short(name)}, random {cubes(size)}": against_random(groups[name], random[size], len(pairs))
        for name, size in pairs
    }
    head = ["random populations", "number", "lowest mean", "mean (95 % interval)", "highest mean"]
    means = {size: sample.mean(axis=1) for size, sample in random.items()}
    rows = (
        (cubes(size), len(m), f"{m.min():.4f}", with_interval(float(m.mean()), *mean_interval(m)), f"{m.max():.4f}")
        for size, m in means.items()
    )
    return "\n".join([random_table(found), table(head, rows)])


def _rates(groups: Groups) -> str:
    head = ["mutation", "seeds", "end of cubes of 20", "of 10", "of 5", "champion", "runs that lose from 20 to 5"]
    rows = []
    for rate in RATES:
        group = at_rate(groups, rate)
        spreads = [_spread(figures) for figures in [*(group.at(end) for end in group.wave_ends), group.champion]]
        rows.append((rate, len(group.seeds), *spreads, sum(loss > 0 for loss in lost(group).values())))
    return table(head, rows)


def _ends(groups: Groups) -> str:
    head = ["setting", "generation", "seeds", "last population (95 % intervals, all at once)", "median (all runs)"]
    rows = []
    for one in rank_settings({name: group.mean[:, -1].tolist() for name, group in groups.items()}):
        group = groups[one.setting]
        mean, spread = with_interval(one.mean, one.low, one.high), _spread(group.mean[:, -1])
        rows.append((short(one.setting), f"{group.generation[-1]:.0f}", one.runs, mean, spread))
    return table(head, rows)


def _spread(figures: Floats) -> str:
    """The median, the lowest and the highest."""
    return with_interval(float(np.median(figures)), figures.min(), figures.max())
