"""The reconstruction study: which reading or slip of the program of Exeter 2016 gives its curves.

With it are wishes of Exeter 2016 that its study leaves open: are they worth more than a smallest effect?
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from pigevo.core.arrays import Floats
from pigevo.core.intervals import SHARE, share_interval
from pigevo.core.text import with_interval
from pigevo.figures.axes import figure_of, save_figure
from pigevo.storage.files import csv_bytes, path_in, write_bytes
from pigevo.sweeps import run_jobs
from pigevo.sweeps.statistics import Compared

from ..common.group import Group, Question, answers, groups_of
from ..common.settings import conclude, in_turn, jobs_of, read_settings
from ..common.tables import WINS, mean_of, table, write_section
from ..exeter2016.study import read_published
from . import optimum, search
from .program import read
from .scoring import SIGNIFICANCE, UNSCORED, Reading, Scored, behind, beside, hardest, luck_of, plot_readings, scored
from .search import fresh, programs, searched, tried, without_cubes

LOG = logging.getLogger(__name__)
HERE = Path(__file__).parent
FRESH, LATER, NEAR = 60_000, 62_000, 63_000
"""The first of the seeds on which nothing was chosen, of those for programs that were found on the former, and of those
for readings that came near when the others had been judged."""

SHARES = {"cubes": 4 / 15, "cells": 1 / 6, "round_robin": 1 / 6, "effects": 2 / 3}
"""The number of seeds of a reading, by group of curves, and of an open effect, as a share of the study's."""


def run(folder: Path, seeds: int, workers: int) -> None:
    """Do what is missing of the study, and write its tables.

    Args:
        folder: where everything goes.
        seeds: of which every part of the study has the share in `SHARES`, and two at least.
        workers: processes of the open effects.
    """
    counts = {group: max(2, round(SHARES[group] * seeds)) for group in SHARES}
    found = _scored(folder, "judged", lambda program, group: seeds_of(program, group, counts[group]))
    near = _scored(folder, "near", lambda _, group: range(NEAR, NEAR + counts[group]))
    together = search.scored_jointly(folder, lambda program, group: seeds_of(program, group, counts[group]))
    write_bytes(folder / "runs.csv", csv_bytes(_runs(found, near, together)))
    write_section(folder, "judged", "\n".join(_judged(group, own, len(tried(group))) for group, own in found.items()))
    write_section(folder, "near", _near(near))
    write_section(folder, "figures", "\n".join(_figures(group, own) for group, own in found.items()))
    write_section(folder, "joint", _joint(found, together))
    said = [_sentences(group, own) for group, own in found.items()]
    write_section(folder, "sentences", "\n".join([*said, unscored()]))
    draw(folder, found["cubes"])
    write_section(folder, "optimum", _optimum())
    write_section(folder, "effects", effects(folder, counts["effects"], workers))


def run_full(folder: Path, seeds: int, workers: int) -> None:
    """The search from which the readings come, every program of it on a fresh seed, and the study."""
    tables, likelihoods = searched(folder)
    write_section(folder, "search", tables)
    write_section(folder, "fresh", fresh(folder, likelihoods))
    run(folder, seeds, workers)


def seeds_of(program: str, group: str, count: int) -> range:
    """The seeds that judge a program by a group of curves."""
    first = LATER if group == "cubes" and program in read("readings.yaml")["found_later"] else FRESH
    return range(first, first + count)


def draw(folder: Path, cubes: Sequence[Scored]) -> None:
    """Draw the readings of the cubes that no figure excludes, the text, and the text with half of its record."""
    shown = [
        judgement
        for judgement in cubes
        if judgement.reading.name.startswith("the text") or not _excluded(judgement, len(cubes))[1]
    ]
    order = sorted(shown, key=lambda judgement: -judgement.cautious())
    save_figure(path_in(folder, "pictures/cubes.png"), figure_of(plot_readings(order)))


def readings(part: str) -> dict[str, list[Reading]]:
    """The readings that are judged on fresh seeds, or were near and are judged later, by group of curves."""
    return {
        group: [Reading(name, said["program"], said.get("recorded", "mean")) for name, said in own.items()]
        for group, own in read("readings.yaml")[part].items()
    }


def _scored(folder: Path, part: str, seeds: Callable[[str, str], range]) -> dict[str, list[Scored]]:
    """The readings of a part by group of curves, on seeds by program and group."""
    found: dict[str, list[Scored]] = {}
    for group, own in readings(part).items():
        LOG.info("%s, %s: %s", part, group, ", ".join(reading.name for reading in own))
        found[group] = [scored(reading, group, folder, seeds(reading.program, group)) for reading in own]
    return found


def _runs(
    found: Mapping[str, Sequence[Scored]], near: Mapping[str, Sequence[Scored]], together: Sequence[search.Joint]
) -> list[list[object]]:
    """The figures and sentences of all runs; those judged later and the joint question stand in groups of their own."""
    jointly = {f"near {group}": own for group, own in near.items()}
    for group in found:
        own = [program.groups[group] for program in together]
        jointly[f"joint {group}"] = list({judgement.reading.name: judgement for judgement in own}.values())
    rows: list[list[object]] = [["group", "reading", "curve", "figure", "seed", "value"]]
    for group, judgements in {**found, **jointly}.items():
        for judgement in judgements:
            start = [group, judgement.reading.name]
            for (curve, figure), values in judgement.figures.items():
                rows += [
                    [*start, curve, figure, seed, round(value, 5)]
                    for seed, value in zip(judgement.seeds, values.tolist(), strict=True)
                ]
            for sentence, true in judgement.sentences.items():
                rows += [
                    [*start, "sentence", sentence, seed, int(said)]
                    for seed, said in zip(judgement.seeds, true.tolist(), strict=True)
                ]
    return rows


def _judged(group: str, own: Sequence[Scored], number: int) -> str:
    """The readings of a group by their likelihood, and the verdicts; so many were tried."""
    order = sorted(own, key=lambda one: -one.cautious())
    worst, luck = hardest(own), luck_of(number)
    rows = [
        (*_verdicts(one, order[0], luck, len(own)), f"{one.cautious(without=worst):.1f}",
         f"{one.cautious(every_sentence=True):.1f}") for one in order
    ]  # fmt: skip
    head = ["reading", "seeds", "log likelihood", "cautious", "behind the best (95 % interval)", "beside the best",
            "farthest figure", "its p, corrected", "verdict", "cautious without the hardest",
            "with all sentences"]  # fmt: skip
    note = (
        f"The hardest figure, found after the comparison, is {', '.join(worst)}: all readings together give it the "
        "least density. "
        f"{number:,} readings were tried. Of as many wrong ones with known laws, for independent curves, "
        f"one is ahead of the true one by more than {luck:.1f} with a probability of at most {SIGNIFICANCE:g}."
    )
    return f"### {group.replace('_', ' ')}\n\n{table(head, rows)}\n{note}\n"


def _near(near: Mapping[str, Sequence[Scored]]) -> str:
    """Readings that came near on the seed of the search beside the best of their group, and their figures."""
    number = len({*map(without_cubes, programs()), *read("readings.yaml")["without_cubes"]})
    return "\n".join(f"{_judged(group, own, number)}\n{_figures(group, own)}" for group, own in near.items())


def _verdicts(one: Scored, best: Scored, luck: float, readings: int) -> tuple[object, ...]:
    """A line of the table: the likelihood beside that of the best, and the figure that fits worst."""
    key, _ = one.farthest()
    p, is_excluded = _excluded(one, readings)
    figures = (
        one.reading.name, len(one.seeds), f"{one.likelihood():.1f}", f"{one.cautious():.1f}",
    )  # fmt: skip
    excluded = (", ".join(key), f"{p:.2g}", "excluded" if is_excluded else "not excluded")
    if one is best:
        return *figures, "", "best", *excluded
    apart, low, high = behind(best, one)
    return *figures, with_interval(apart, low, high, ".1f"), beside(low, luck), *excluded


def _excluded(judgement: Scored, readings: int) -> tuple[float, bool]:
    """The p-value of the figure that fits worst, for all figures and readings at once, and whether it excludes."""
    p = min(1.0, judgement.farthest()[1] * readings)
    return p, p < SIGNIFICANCE


def _joint(found: Mapping[str, Sequence[Scored]], together: Sequence[search.Joint]) -> str:
    """The programs that may be behind all curves, beside the best reading of each group."""
    best = search.Joint(
        "the best of each group",
        {group: max(own, key=lambda judgement: judgement.cautious()) for group, own in found.items()},
    )
    without = [program.apart_from("round_robin") for program in together]
    beside = _beside(without, best.apart_from("round_robin"))
    return f"{_beside(together, best)}\n### Without the round robin\n\n{beside}"


def _beside(programs: Sequence[search.Joint], best: search.Joint) -> str:
    """Programs beside the best reading of each group of curves, and how much may be luck of the search."""
    numbers = [len(tried(group)) for group in best.groups]
    luck, of_groups = luck_of(sum(numbers)), luck_of(int(np.prod(numbers)))
    return (
        f"{search.joint_table(programs, best, luck, of_groups, SIGNIFICANCE)}\n"
        f"Of as many wrong readings as were tried, one may be ahead of the true one by {luck:.1f} by luck, and the "
        f"best readings of all groups, each chosen for itself, by {of_groups:.1f}.\n"
    )


def _figures(group: str, own: Sequence[Scored]) -> str:
    """Every published figure of a group beside those of the readings."""
    rows = [
        (*key, value, *(_mean(one.figures[key]) for one in own)) for key, value in own[0].published.items()
    ]  # fmt: skip
    head = ["curve", "figure", "published", *(one.reading.name for one in own)]
    return f"### Figures of {group.replace('_', ' ')}\n\n{table(head, rows)}"


def _mean(values: Floats) -> str:
    """The mean with its 95 % interval, and the spread of one run."""
    return f"{mean_of(values, '.3f', SHARE)}, sd {values.std(ddof=1):.3f}"


def _sentences(group: str, own: Sequence[Scored]) -> str:
    """The share of seeds of which each sentence is true."""
    said = {one.reading.name: one.every_sentence() for one in own}
    rows = [
        (sentence, *(_share(int(true[sentence].sum()), len(true[sentence])) for true in said.values()))
        for sentence in own[0].every_sentence()
    ]
    return f"### Sentences of {group.replace('_', ' ')}\n\n{table(['sentence', *said], rows)}"


def unscored() -> str:
    """The sentences that are not scored, and why."""
    return f"### Sentences that are not scored\n\n{table(['sentence', 'why not'], UNSCORED.items())}"


def _share(true: int, of: int) -> str:
    return with_interval(true / of, *share_interval(true, of), ".2f")


def _optimum() -> str:
    """The candidates for the report's optimum that come nearest to its entries of table 1."""
    rows = read_published()["table_1"]["rows"]
    published = np.array([rows[0][0], *rows[0][1:], *(row[0] for row in rows[1:])])
    found = {name: optimum.entries(strategy) for name, strategy in optimum.candidates()}
    agree = optimum.agreeing(found, published)
    apart = {name: float(np.abs(own - published).max()) for name, own in found.items()}
    names = ["the optimum", *sorted(found, key=lambda name: (-agree[name], apart[name]))[:5],
             *sorted(found, key=lambda name: apart[name])[:5]]  # fmt: skip
    lines: Iterator[tuple[object, ...]] = (
        (name, agree[name], f"{apart[name]:.4f}", *(f"{value:.4f}" for value in found[name]))
        for name in dict.fromkeys(names)
    )
    what = ["itself", *(f"{name} first" for name in optimum.OPPONENTS), *(f"v {name}" for name in optimum.OPPONENTS)]
    said = ("published", len(published), "", *(f"{value:.4f}" for value in published))
    head = ["strategy", "entries that agree", "largest difference", *what]
    return "\n".join([f"{len(found):,} strategies were tried.\n", table(head, [said, *lines])])


FRESH_FOR_EFFECTS = 61_000
"""The first of the seeds, with which nothing was tried before."""

LEAST_EFFECT = 0.02
"""The smallest difference of population means in the last generation that matters."""

EFFECTS = {
    "sets": ("matches as 20 sets of 5 games", "plain"), "one_point": ("one-point crossover", "plain"),
    "two_points": ("two-point crossover", "plain"),
    "against_optimum": ("judged against the optimum", "against_each_other"),
    "against_optimum_replaced": ("judged against the optimum, all replaced", "against_each_other_replaced"),
    "round_robin_hold_at": ("round robin from hold-at strategies", "knockout_hold_at"),
}  # fmt: skip
"""Each wish in words, and the setting from which it differs in one thing."""


def effects(folder: Path, seeds: int, workers: int) -> str:
    """The table of the effects, after the runs that are missing."""
    jobs = jobs_of(read_settings(HERE / "settings.yaml")["effects"], seeds, folder, FRESH_FOR_EFFECTS)
    conclude(run_jobs(in_turn(jobs), workers, "runs of open effects"))
    return effects_table(groups_of(jobs))


def effects_table(groups: Mapping[str, Group]) -> str:
    """Each effect with its interval, corrected for their number, and what it says of the smallest one that matters."""
    last = {name: group.by_seed(group.at(group.wave_ends[-1])) for name, group in groups.items()}
    questions = [Question(what, other, last[name], last[other]) for name, (what, other) in EFFECTS.items()]
    rows = [
        (one.a, one.b, one.seeds, with_interval(one.difference, one.low, one.high, "+.4f"), f"{one.corrected:.2g}",
         verdict_of_effect(one)) for one in answers(questions, WINS)
    ]  # fmt: skip
    return table(["A", "B", "seeds", "A - B (95 % interval)", "p", "verdict"], rows)


def verdict_of_effect(one: Compared) -> str:
    """What the interval of a difference says."""
    if one.low is None or one.high is None:
        return "open"
    if one.low > -LEAST_EFFECT and one.high < LEAST_EFFECT:
        return f"smaller than {LEAST_EFFECT}"
    return "A" if one.low > 0 else "B" if one.high < 0 else "open"
