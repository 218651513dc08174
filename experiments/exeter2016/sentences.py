"""What section 4.3 says in words of mutation rates, first generations and a resemblance, judged by fresh runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

import pigevo
from pigevo.core.arrays import Floats
from pigevo.core.intervals import mean_interval, share_interval
from pigevo.core.text import with_interval
from pigevo.figures.character import beside_data
from pigevo.runs.baseline import cached_search

from ..common.group import Group, Question, answers, as_markdown
from ..common.tables import table
from .questions import Groups

FIRST_SEED = 100
"""The first of the fresh seeds: nothing was chosen on these."""

TOURNAMENTS = {"knockout": "knockout", "round_robin": "round robin"}
LOW, SHOWN, HIGH = "0.005", "0.01", "0.05"
"""The rates of figure 9; without cubes the report shows the middle one alone."""

LEVEL_FROM, FLUCTUATES_FROM = 500, 25
"""The generations from which a tournament's level and fluctuation are measured, and the fluctuation of cubes."""

FIRST_GENERATIONS = 10
"""In these all rates are said to peak."""


def as_text(groups: Groups) -> str:
    """All tables; `groups` need not have more than the settings of the part `rates`."""
    return "\n".join([
        "Runs of fresh seeds; win probabilities are exact. The level of a tournament is the mean of its generations "
        f"from {LEVEL_FROM} on. A fluctuation is the standard deviation of the change from one record to the next, "
        f"from generation {LEVEL_FROM} on or with cubes from {FLUCTUATES_FROM} on.\n",
        "### Do other rates matter without cubes?\n", as_markdown(answers([*levels(groups)])),
        "### Does a lower rate fluctuate less?\n", as_markdown(answers([*fluctuations(groups)]), "larger"),
        "### Is evolution without cubes better than random search?\n", as_markdown(answers([*searches(groups)])),
        "### Is there a peak in the first ten generations?\n", peaks(groups),
        "### How clear is the resemblance to the optimum?\n", resemblance(groups["rates_cubes_0.005"]),
    ])  # fmt: skip


def level(group: Group) -> Floats:
    """The mean of each run's records in the second half, shape (seeds,)."""
    return np.asarray(_later(group, LEVEL_FROM).mean(axis=1))


def fluctuation(group: Group, start: float) -> Floats:
    """The standard deviation of the change from one record to the next, shape (seeds,)."""
    return np.asarray(np.diff(_later(group, start)).std(axis=1))


def _later(group: Group, start: float) -> Floats:
    """Each run's records from a generation on, of a short run the last two."""
    return group.mean[:, group.generation >= min(start, group.generation[-2])]


def levels(groups: Groups) -> Iterator[Question]:
    """The levels of both tournaments at other rates against that at the rate which the report shows."""
    for name, words in TOURNAMENTS.items():
        shown = groups[f"rates_{name}_{SHOWN}"]
        for rate in (LOW, HIGH):
            other = groups[f"rates_{name}_{rate}"]
            figures = other.by_seed(level(other)), shown.by_seed(level(shown))
            yield Question(f"{words}: mutation {rate}", f"mutation {SHOWN}", *figures)


def fluctuations(groups: Groups) -> Iterator[Question]:
    """The lowest rate of the report against the highest, with cubes and without."""
    for name, words in {**TOURNAMENTS, "cubes": "cubes"}.items():
        start = FLUCTUATES_FROM if name == "cubes" else LEVEL_FROM
        low, high = (groups[f"rates_{name}_{rate}"] for rate in (LOW, HIGH))
        figures = low.by_seed(fluctuation(low, start)), high.by_seed(fluctuation(high, start))
        yield Question(f"{words}: mutation {LOW}", f"mutation {HIGH}", *figures)


def searches(groups: Groups) -> Iterator[Question]:
    """The champions of both tournaments against those of random search, chosen by the same matches.

    Random search has limits (`pigevo.evolution.random_search`), and so fewer strategies and games.
    """
    for name, words in TOURNAMENTS.items():
        group = groups[f"rates_{name}_{SHOWN}"]
        found, budget = {}, group.budget()
        for seed, run in zip(group.seeds, group.runs, strict=True):
            assert run.settings is not None
            spent = int(run.metrics["evaluations"][-1])
            search, _ = cached_search(run.settings, run.settings.plan.waves[0].grid, spent)
            found[seed] = search.by_matches
        spent_there = replace(budget, strategies=search.strategies, games=search.games)
        yield Question(
            f"{words}: champion, {budget.games:,.0f} games", f"random search, {search.games:,} games",
            group.by_seed(group.champion), found, budget, spent_there,
        )  # fmt: skip


def peaks(groups: Groups) -> str:
    """When the cubes are best in the first wave, and how much of the way there they make in the first generations."""
    head = ["mutation", "seeds", "highest record of the first wave in generation (median, lowest, highest)",
            f"share of runs in which that is by generation {FIRST_GENERATIONS} (95 % interval)",
            f"share of the rise to it made by generation {FIRST_GENERATIONS} (95 % interval)"]  # fmt: skip
    rows = []
    for rate in (LOW, SHOWN, HIGH):
        group = groups[f"rates_cubes_{rate}"]
        wave = group.mean[:, group.generation <= group.wave_ends[0]]
        generation = group.generation[wave.argmax(axis=1)]
        early = int((generation <= FIRST_GENERATIONS).sum())
        place = with_interval(float(np.median(generation)), generation.min(), generation.max(), ".0f")
        best_early = wave[:, group.generation[: wave.shape[1]] <= FIRST_GENERATIONS].max(axis=1)
        risen = (best_early - wave[:, 0]) / (wave.max(axis=1) - wave[:, 0])
        share = with_interval(early / len(generation), *share_interval(early, len(generation)), ".2f")
        rows.append((rate, len(group.seeds), place, share, _mean(risen, ".2f")))
    return table(head, rows)


def resemblance(cubes: Group) -> str:
    """How often champions decide otherwise than the optimum, beside random strategies and hold at 20."""
    game = cubes.runs[0].champion.game
    best = pigevo.optimal(game).strategy
    kinds = {
        "champions of the cubes at 0.5 %": [run.champion for run in cubes.runs],
        "random strategies": [pigevo.random_strategy(game, seed) for seed in cubes.seeds],
        "hold at 20": [pigevo.hold_at(game, 20)],
    }
    rows = []
    for name, strategies in kinds.items():
        beside = [beside_data(strategy, best) for strategy in strategies]
        shares = (_mean(np.array([getattr(one, part) for one in beside]), ".3f") for part in ("decisions", "cells"))
        rows.append((name, len(beside), *shares))
    return table(["strategy", "number", "decisions in play that differ (95 % interval)", "all that differ"], rows)


def _mean(figures: Floats, form: str) -> str:
    """Their mean and its interval."""
    return with_interval(float(figures.mean()), *mean_interval(figures), form)
