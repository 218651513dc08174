"""What the report could not find out, or says in words alone, answered by our runs.

First the questions, each of which compares two settings, and their tables; then the sentences of section 4.3, judged by
fresh runs; then the number of distinct states that games come to, which is exact.

Last is whether an evolution is different from random populations. Section 4.3.1 ranked the best population mean of one
run among 300 random populations.  A run records many populations, so its peak is compared here with the peak of as
many random ones.  Their members are drawn with replacement from all members of the sample;
drawing whole populations could never exceed the largest of the 300.  The last population, which
is not chosen by its value, is compared with single random ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from scipy import stats

import pigevo
from pigevo.core.arrays import Floats
from pigevo.core.intervals import CONFIDENCE, SHARE, mean_interval, share_interval
from pigevo.core.text import with_interval
from pigevo.dice import Draw
from pigevo.exact import DistinctStates
from pigevo.figures.axes import figure_of, save_figure
from pigevo.figures.character import beside_data
from pigevo.figures.strategy_curves import plot_distinct_states
from pigevo.runs.baseline import cached_search
from pigevo.sweeps.statistics import rank_settings

from ..common.group import Group, Question, answers, as_markdown, detectable
from ..common.tables import WINS, mean_of, table
from .rows import cubes, short

Groups = Mapping[str, Group]

RATES = ("0", "0.0001", "0.001", "0.005", "0.01", "0.05")
KNOWN = "0.005"
"""The lowest rate that the report has, which every other is compared with."""
SHRINKING = (
    "figure_9_0.005", "figure_9_0.01", "figure_9_0.05", "cubes_0.005_exact", "cubes_0.01_exact", "cubes_0.05_exact",
    "cubes_kept", "cubes_exact_kept",
)  # fmt: skip
LUCK = {
    "cubes_0.005_exact": ("figure_9_0.005", 300), "cubes_0.01_exact": ("figure_9_0.01", 300),
    "cubes_0.05_exact": ("figure_9_0.05", 300), "knockout_exact": ("figure_8", 200),
    "hold_at_exact": ("figure_13", 200), "round_robin_hold_at_exact": ("figure_12", 50),
}  # fmt: skip
"""Exact pairing, the same with games, and the generation until which both go."""
WISHES = {
    "cubes_sets": "figure_9_0.005", "cubes_round_robin": "figure_9_0.005", "cubes_two_points": "figure_9_0.005",
    "cubes_one_point": "figure_9_0.005", "cubes_kept": "figure_9_0.005", "cubes_exact_kept": "cubes_0.005_exact",
    "cubes_v_optimal": "cubes_exact_kept", "cubes_exploit": "cubes_v_optimal", "hold_at_sets": "figure_13",
    "knockout_0.001": "figure_8", "knockout_0.0001": "figure_8", "knockout_0": "figure_8",
    "round_robin_hold_at_kept": "figure_12", "round_robin_score_kept": "figure_15",
}  # fmt: skip

VARIANTS = {
    "cubes_swiss": ("Swiss system, 5 rounds of 20 games", "figure_9_0.005"),
    "cubes_bracket": ("bracket, 2 rounds of 66 games", "figure_9_0.005"),
    "cubes_double_elimination": ("double elimination, 3 rounds of 37 games", "figure_9_0.005"),
    "cubes_everyone": ("round robin, 5 games a pair", "figure_9_0.005"),
    "share_0.005": ("an exact share, 0.5 %", "figure_9_0.005"),
    "share_0.01": ("an exact share, 1 %", "figure_9_0.01"),
    "share_0.05": ("an exact share, 5 %", "figure_9_0.05"),
}
"""Settings with all seeds, in words, and the paper's own from which they differ in one thing."""

PEAKS = 2000
"""The number of random peaks."""


def shrinking(groups: Groups) -> Iterator[Question]:
    """The end of each wave against the end of the one before."""
    for group in (groups[name] for name in SHRINKING):
        sizes, ends = group.wave_sizes, group.wave_ends
        for number in range(1, len(ends)):
            a, b = f"{short(group.name)}: end of cubes of {sizes[number]}", f"end of cubes of {sizes[number - 1]}"
            later, before = (group.by_seed(group.at(end)) for end in (ends[number], ends[number - 1]))
            yield Question(a, b, later, before)  # of the same runs: what they spent in between needs no word


def falls(groups: Groups) -> Iterator[Question]:
    """What population means lose from the end of the largest cubes to that of the smallest: differences of differences.

    Exact pairing takes a part of the loss away; whether that part is the smaller one is a question of its own.
    """
    for name, (noisy, _) in LUCK.items():
        if len(groups[noisy].wave_ends) > 1:
            games, without = lost(groups[noisy]), lost(groups[name])
            taken = {seed: games[seed] - without[seed] for seed in games.keys() & without.keys()}
            yield Question(f"{short(noisy)}: lost with games", "lost with exact pairing", games, without)
            yield Question(f"{short(noisy)}: lost with exact pairing", "what exact pairing takes away", without, taken)
    games, exact, kept, both = (
        lost(groups[name]) for name in ("figure_9_0.005", "cubes_0.005_exact", "cubes_kept", "cubes_exact_kept")
    )
    yield Question("figure 9, mutation 0.005: lost with games", "lost if survivors stay", games, kept)
    yield Question("cubes, mutation 0.005 exact: lost", "lost if survivors stay as well", exact, both)


def lost(group: Group) -> dict[int, float]:
    """How much lower the mean is at the end of the last wave than at that of the first, by seed."""
    first, *_, last = group.wave_ends
    return group.by_seed(group.at(first) - group.at(last))


def at_rate(groups: Groups, rate: str) -> Group:
    """The cubes at a mutation rate, in 100-game matches."""
    return groups.get(f"cubes_{rate}") or groups[f"figure_9_{rate}"]


def rates(groups: Groups) -> Iterator[Question]:
    """At the end of each wave, every rate against the lowest that the report has."""
    for wave, size in enumerate(at_rate(groups, KNOWN).wave_sizes):
        ends = {rate: (at_rate(groups, rate), at_rate(groups, rate).wave_ends[wave]) for rate in RATES}
        for rate in (rate for rate in RATES if rate != KNOWN):
            yield _question(f"end of cubes of {size}: mutation {rate}", f"mutation {KNOWN}", ends[rate], ends[KNOWN])


def luck(groups: Groups) -> Iterator[Question]:
    """Exact pairing against games, at the end and before."""
    for exact, (noisy, end) in LUCK.items():
        for generation in sorted({min(100, end), end}):
            what = f"{short(noisy)}, generation {generation}: exact pairing"
            yield _question(what, "games", (groups[exact], generation), (groups[noisy], generation))


def wishes(groups: Groups) -> Iterator[Question]:
    """Each further setting against the one from which it differs in one thing."""
    for name, other in WISHES.items():
        a, b = groups[name], groups[other]
        end = min(a.generation[-1], b.generation[-1])
        yield _question(f"{short(name)}, generation {end:.0f}", short(other), (a, end), (b, end))


def variants(groups: Groups, beginning: str) -> Iterator[Question]:
    """Each variant whose name begins so against the paper's own setting, at the end of each wave."""
    for name, (what, other) in VARIANTS.items():
        if name.startswith(beginning):
            a, b = groups[name], groups[other]
            for size, end in zip(a.wave_sizes, a.wave_ends, strict=True):
                yield _question(f"end of cubes of {size}: {what}", short(other), (a, end), (b, end))


def _question(a: str, b: str, of_a: tuple[Group, float], of_b: tuple[Group, float]) -> Question:
    """Population means of two groups, each at a generation."""
    (first, start), (second, end) = of_a, of_b
    figures = first.by_seed(first.at(start)), second.by_seed(second.at(end))
    return Question(a, b, *figures, first.budget(start), second.budget(end))


BESIDE_RANDOM = {"figure_7": "1", "figure_8": "1", "figure_9_0.005": "20", "figure_9_0.01": "20"}
"""Settings that are compared with random populations, and the cubes with which they begin."""


def questions_as_text(groups: Groups, random: Mapping[str, Floats]) -> str:
    """All tables of what the report could not find out.

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
        "### Does the cube system get worse when cubes shrink?\n", as_markdown(answers([*shrinking(groups)], WINS)),
        "### Is it the noise of selection, mutation, or the loss of parents?\n",
        "What the mean of the population loses from the end of the largest cubes to that of the smallest.\n",
        as_markdown(answers([*falls(groups)]), "larger"),
        "### Which mutation rates are better than 0.5 % where?\n",
        "Medians of the population mean, and the lowest and the highest.\n", _rates(groups),
        as_markdown(answers([*rates(groups)], WINS)),
        "### How much is luck of the 100 games?\n", as_markdown(answers([*luck(groups)], WINS)),
        "### What the further wishes are worth\n", as_markdown(answers([*wishes(groups)], WINS)),
        "### Where every setting ends\n", _ends(groups),
    ]  # fmt: skip
    return "\n".join(parts)


def variants_as_text(groups: Groups) -> str:
    """What other tournaments, and mutation of an exact share, change; `groups` need not have more than these."""
    heads = {
        "cubes": "Other tournaments with as many games in a generation, at 0.5 % mutation",
        "share": "Mutation of an exact share of the genes against independent flips",
    }
    tables = {head: as_markdown(answers([*variants(groups, beginning)], WINS)) for beginning, head in heads.items()}
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
        (cubes(size), len(m), f"{m.min():.4f}", mean_of(m, within=WINS), f"{m.max():.4f}") for size, m in means.items()
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
    for one in rank_settings({name: group.mean[:, -1].tolist() for name, group in groups.items()}, WINS):
        group = groups[one.setting]
        mean, spread = with_interval(one.mean, one.low, one.high), _spread(group.mean[:, -1])
        rows.append((short(one.setting), f"{group.generation[-1]:.0f}", one.runs, mean, spread))
    return table(head, rows)


def _spread(figures: Floats) -> str:
    """The median, the lowest and the highest."""
    return with_interval(float(np.median(figures)), figures.min(), figures.max())


FIRST_SEED = 100
"""The first of the fresh seeds: nothing was chosen on these."""

TOURNAMENTS = {"knockout": "knockout", "round_robin": "round robin"}
LOW, SHOWN, HIGH = "0.005", "0.01", "0.05"
"""The rates of figure 9; without cubes the report shows the middle one alone."""

LEVEL_FROM, FLUCTUATES_FROM = 500, 25
"""The generations from which a tournament's level and fluctuation are measured, and the fluctuation of cubes."""

FIRST_GENERATIONS = (10, 50)
"""In the first 10 all rates are said to peak.  Of cubes section 4.3.1 counts records: they shrink "at generation 21",
after 100 generations, recorded every five.  If section 4.3 counts so, too, the first 10 are these 50."""


def sentences_as_text(groups: Groups) -> str:
    """All tables of sentences; `groups` need not have more than the settings of the part `rates`."""
    return "\n".join([
        "Runs of fresh seeds; win probabilities are exact. The level of a tournament is the mean of its generations "
        f"from {LEVEL_FROM} on. A fluctuation is the standard deviation of the change from one record to the next, "
        f"from generation {LEVEL_FROM} on or with cubes from {FLUCTUATES_FROM} on.\n",
        "### Do other rates matter without cubes?\n", as_markdown(answers([*levels(groups)], WINS)),
        "### Does a lower rate fluctuate less?\n", as_markdown(answers([*fluctuations(groups)], WINS), "larger"),
        "### Is evolution without cubes better than random search?\n", as_markdown(answers([*searches(groups)], WINS)),
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
            "first generations", "share of runs in which it is among these (95 % interval)",
            "share of the rise to it made in these (95 % interval)"]  # fmt: skip
    rows = []
    for rate in (LOW, SHOWN, HIGH):
        group = groups[f"rates_cubes_{rate}"]
        wave = group.mean[:, group.generation <= group.wave_ends[0]]
        generation = group.generation[wave.argmax(axis=1)]
        place = with_interval(float(np.median(generation)), generation.min(), generation.max(), ".0f")
        for last in FIRST_GENERATIONS:
            early = int((generation <= last).sum())
            best_early = wave[:, group.generation[: wave.shape[1]] <= last].max(axis=1)
            risen = (best_early - wave[:, 0]) / (wave.max(axis=1) - wave[:, 0])
            share = with_interval(early / len(generation), *share_interval(early, len(generation)), ".2f")
            rows.append((rate, len(group.seeds), place, last, share, mean_of(risen, ".2f", SHARE)))
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
        shares = (
            mean_of(np.array([getattr(one, part) for one in beside]), ".3f", SHARE) for part in ("decisions", "cells")
        )
        rows.append((name, len(beside), *shares))
    return table(["strategy", "number", "decisions in play that differ (95 % interval)", "all that differ"], rows)


GUESSED_GAMES, GUESSED_STATES, GUESSED_SHARE = 1000, 50_000, 0.05
"""The report's guess: so many games come to so many states, which it calls this share of a million.  A million
counts states with a turn total that ends the game; the others are 505,000."""

RANDOM_PAIRS = 20
"""Pairs of random strategies, of which the means are told: their dice are seeds that nothing was chosen on."""


def distinct_states(pairs: int) -> dict[str, list[DistinctStates]]:
    """What each kind of strategy comes to against its like; pairs of random ones, one pair of the others."""
    game = pigevo.Pig()
    random = [pigevo.random_strategy(game, seed=seed) for seed in range(pairs + 1)]
    same = {"hold at 20": pigevo.hold_at(game, 20), "the optimum": pigevo.optimal(game).strategy}
    return {
        "random": [pigevo.distinct_states(a, b) for a, b in pairwise(random)],
        **{name: [pigevo.distinct_states(one, one)] for name, one in same.items()},
    }


def distinct_states_table(kinds: dict[str, list[DistinctStates]]) -> str:
    """The table of distinct states, which the report could not calculate; intervals are of means of random pairs."""
    rows = []
    for name, ones in kinds.items():
        figures = (
            ([one.expected(1) for one in ones], ".1f"),
            ([one.expected(GUESSED_GAMES) for one in ones], ",.0f"),
            ([one.share(GUESSED_GAMES) for one in ones], ".2%"),
            ([one.games_for(GUESSED_SHARE) for one in ones], ",.0f"),
            ([one.games_for(GUESSED_STATES / one.states) for one in ones], ",.0f"),
            ([one.most / one.states for one in ones], ".1%"),
        )
        rows.append((name, *(_mean_of_pairs(np.array(values, dtype=float), form) for values, form in figures)))
    states = next(iter(kinds.values()))[0].states
    return "\n".join([
        f"One strategy's states, of {states:,}, in games against its like, half of which it begins: means of "
        f"{len(kinds['random'])} pairs of random strategies (95 % intervals), the others exactly.\n",
        table(["play", "distinct states in a game", f"in {GUESSED_GAMES:,} games", f"share in {GUESSED_GAMES:,} games",
               f"games to {100 * GUESSED_SHARE:g} %", f"games to {GUESSED_STATES:,}", "share in any number of games"],
              rows),
    ])  # fmt: skip


def draw_distinct_states(file: Path, kinds: dict[str, list[DistinctStates]]) -> None:
    """The states by the number of games: the first random pair and the others."""
    save_figure(file, figure_of(plot_distinct_states({name: ones[0] for name, ones in kinds.items()}, GUESSED_SHARE)))


def _mean_of_pairs(figures: np.ndarray, form: str) -> str:
    low, high = mean_interval(figures) if len(figures) > 1 else (None, None)
    return with_interval(float(figures.mean()), low, high, form).replace("%", " %")


@dataclass(frozen=True)
class AgainstRandom:
    """The runs of a setting beside random populations of the same size and genome.

    Args:
        name: the name of the setting.
        runs, populations, peaks: the number of each.
        difference: mean of the runs' last population means minus that of the random ones.
        low, high: its 95 % interval (Welch), corrected for the number of settings.
        superiority: the chance that a run's last population is better than a random one; ties count half.
        p: the p-value of Mann & Whitney's test that both have the same distribution.
        peak: the median of the runs' peaks.
        random_peak: the median of the peaks of as many random populations as a run records.
        reached: the number of random peaks that reach that of the median run.
    """

    name: str
    runs: int
    populations: int
    peaks: int
    difference: float
    low: float
    high: float
    superiority: float
    p: float
    peak: float
    random_peak: float
    reached: int


def against_random(group: Group, sample: Floats, together: int = 1) -> AgainstRandom:
    """Compare at least two runs of a setting with random populations, of shape (populations, size).

    Intervals are corrected for the number of settings.
    """
    last, means = group.mean[:, -1], sample.mean(axis=1)
    test = stats.mannwhitneyu(last, means)
    interval = stats.ttest_ind(last, means, equal_var=False).confidence_interval(1 - (1 - CONFIDENCE) / together)
    peaks = random_peaks(sample, group.mean.shape[1], PEAKS)
    peak = float(np.median(group.peak))
    return AgainstRandom(
        name=group.name,
        runs=len(last),
        populations=len(means),
        peaks=len(peaks),
        difference=float(last.mean() - means.mean()),
        low=float(interval.low),
        high=float(interval.high),
        superiority=float(test.statistic / (len(last) * len(means))),
        p=float(test.pvalue),
        peak=peak,
        random_peak=float(np.median(peaks)),
        reached=int((peaks >= peak).sum()),
    )


def random_peaks(sample: Floats, recorded: int, peaks: int) -> Floats:
    """Largest means of `recorded` random populations each, with members drawn from a sample, shape (peaks,)."""
    members, size = sample.ravel(), sample.shape[1]
    largest = np.empty(peaks)
    for number in range(peaks):
        places = Draw(0, "validation", number).at(part=2).uniforms(recorded * size) * len(members)
        largest[number] = members[places.astype(int)].reshape(recorded, size).mean(axis=1).max()
    return largest


def random_table(rows: Mapping[str, AgainstRandom]) -> str:
    """A table with a line for each setting by its name."""
    head = ["runs", "last population minus random (95 % interval)", "chance to be better", "p", "median peak",
            "random peak of as many", "of so many random peaks reach it"]  # fmt: skip
    cells = (
        (f"{title}, {row.runs}", with_interval(row.difference, row.low, row.high, "+.4f"), f"{row.superiority:.2f}",
         f"{row.p:.2g}", f"{row.peak:.4f}", f"{row.random_peak:.4f}", f"{row.reached:,} of {row.peaks:,}")
        for title, row in rows.items()
    )  # fmt: skip
    return table(head, cells)
