"""The search for readings that give the published curves, of each group and of all.

One program behind all curves has the likelihoods by the cubes, without cubes and by the round robin, added.  Every
single reading, and pairs of the best, are also judged by all curves and sentences on a seed on which nothing was
chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import stats

from pigevo.core.text import with_interval
from pigevo.storage.files import csv_bytes, write_bytes

from ..common.tables import table
from .program import read
from .scoring import PRIOR_RUNS, RECORDED, Reading, Scored, beside, luck_of, resampled, scored

CUBES_ALONE = ("begin", "between", "sizes", "wave")
CUBES_ALONE_FLIPS = ("mutation=first_wave", "mutation=large", "mutation=previous", "mutation=cells")
"""Options, and kinds of mutation, that without cubes are as in the text."""


@dataclass(frozen=True)
class Joint:
    """A program beside the curves of all groups.

    Args:
        name: of the program, and what it recorded with cubes.
        groups: its score by group of curves.
    """

    name: str
    groups: Mapping[str, Scored]

    def cautious(self, every_sentence: bool = False) -> float:
        """The cautious likelihood of all curves."""
        return sum(own.cautious(every_sentence=every_sentence) for own in self.groups.values())

    def apart_from(self, group: str) -> Joint:
        """The same program beside the curves of the other groups."""
        return Joint(self.name, {name: own for name, own in self.groups.items() if name != group})

    def excluding(self, programs: int, level: float) -> list[str]:
        """The least probable figure of each group, if it excludes one of so many programs at a level."""
        farthest = {group: own.farthest() for group, own in self.groups.items()}
        return [", ".join(key) for key, p in farthest.values() if p * programs < level]


def without_cubes(program: str) -> str:
    """The words of a program that say something where there are no cubes."""
    return " ".join(word for word in program.split()
                    if word.partition("=")[0] not in CUBES_ALONE and word not in CUBES_ALONE_FLIPS)  # fmt: skip


def scored_jointly(folder: Path, seeds_of: Callable[[str, str], Sequence[int]]) -> list[Joint]:
    """Score every program of the joint question in each group of curves.

    With cubes it recorded the mean of a population, or half of it, or what fits best of all that may have been
    recorded, where that fits better than these two.

    Args:
        folder: of the runs, which are made where they are missing.
        seeds_of: the seeds by program and group of curves.
    """
    found = []
    for name, program in read("readings.yaml")["joint"].items():
        bare = without_cubes(program)
        others = {
            group: scored(Reading(name, bare), group, folder, seeds_of(bare, group))
            for group in ("cells", "round_robin")
        }
        seeds = seeds_of(program, "cubes")
        cubes = {
            recorded: scored(Reading(named(name, recorded), program, recorded), "cubes", folder, seeds)
            for recorded in RECORDED
        }
        best = max(RECORDED, key=lambda recorded: cubes[recorded].cautious())
        found += [Joint(cubes[recorded].reading.name, {"cubes": cubes[recorded], **others})
                  for recorded in dict.fromkeys(("mean", "half", best))]  # fmt: skip
    return found


def named(program: str, recorded: str) -> str:
    """The name of a program with what it recorded."""
    return {"mean": program, "half": f"{program}, halved"}.get(recorded, f"{program}, {recorded}")


def joint_table(found: Sequence[Joint], separate: Joint, luck: float, luck_of_groups: float, level: float) -> str:
    """The programs by their likelihood, each beside the best one and beside a program of its own for each group.

    Args:
        found: the programs.
        separate: the best reading of each group, whichever program it has.
        luck: the log likelihood ratio that the best of all wrong readings exceeds with a small chance.
        luck_of_groups: the same of the best readings of the groups, each chosen for itself.
        level: at which one improbable figure excludes a program.
    """
    order = sorted(found, key=lambda joint: -joint.cautious())
    samples = {joint.name: _samples(joint) for joint in (separate, *order)}
    names = [group.replace("_", " ") for group in separate.groups]
    rows: list[list[object]] = []
    for joint in (separate, *order):
        own = [f"{judgement.cautious():.1f}" for judgement in joint.groups.values()]
        rows.append([joint.name, *own, f"{joint.cautious():.1f}"])
        rows[-1] += [
            _behind(before, joint, samples, luck_of_groups if before is separate else luck)
            for before in ([separate, order[0]] if joint is not separate else [])
            if before is not joint
        ]
        rows[-1] += [""] * (len(names) + 4 - len(rows[-1]))
        rows[-1].append("; ".join(joint.excluding(len(found), level)) if joint is not separate else "")
        rows[-1].append(f"{joint.cautious(every_sentence=True):.1f}")
    head = ["program", *names, "together", "behind the best of each group (95 % interval)", "behind the best program",
            "excluded by", "with all sentences"]  # fmt: skip
    return table(head, rows)


def _samples(joint: Joint) -> list[float]:
    """The cautious likelihood of all curves in samples of the seeds of each group."""
    of_groups = (resampled(own, part).tolist() for part, own in enumerate(joint.groups.values()))
    return [sum(values) for values in zip(*of_groups, strict=False)]


def _behind(best: Joint, joint: Joint, samples: Mapping[str, list[float]], luck: float) -> str:
    """How far a program is behind another, with a 95 % interval over resampled seeds, and what that says."""
    gaps = np.subtract(samples[best.name], samples[joint.name])
    low, high = np.quantile(gaps, (0.025, 0.975)).tolist()
    return f"{with_interval(best.cautious() - joint.cautious(), low, high, '.1f')}, {beside(low, luck)}"


CHOSEN_ON = (0,)
"""The seeds of the search."""

SHOWN = 20
"""The number of readings in a table."""


def tried(group: str) -> list[Reading]:
    """Every reading that was tried for a group of curves; with cubes, each with everything that may be recorded."""
    found = read("readings.yaml")
    if group == "cubes":
        programs = found["singles"] | {words: words for words in found["several"]}
        return [Reading(name, words, recorded) for name, words in programs.items() for recorded in RECORDED]
    if group == "cells":
        names = {words: name for name, words in found["singles"].items()}
        return [Reading(names.get(words, words), words) for words in found["without_cubes"]]
    return [Reading(name, said["program"]) for name, said in found["judged"][group].items()]


def programs() -> dict[str, str]:
    """The names of all programs that were tried for all curves, by their words."""
    told = read("readings.yaml")
    return {words: name for name, words in (told["joint"] | told["singles"]).items()}


def best_recorded(name: str, program: str, folder: Path) -> Reading:
    """A program with what fits best of all that it may have recorded with cubes, on the seed of the search."""
    readings = [Reading(name, program, recorded) for recorded in RECORDED]
    return max(readings, key=lambda one: _likelihood(one, "cubes", folder))


def searched(folder: Path) -> tuple[str, dict[str, float]]:
    """Write the likelihood of every reading to `searched.csv`; the tables have the first ones and the text.

    Returns:
        The tables, and the log likelihood by all curves of each program that was tried for all of them.
    """
    rows: list[list[object]] = [["group", "place", "reading", "program", "recorded", "log_likelihood"]]
    tables = []
    for group in ("cubes", "cells"):
        found = [(_likelihood(one, group, folder), one) for one in tried(group)]
        rows += [[group, *row] for row in _in_order(found)]
        tables.append(f"### Tried for {group}: {len(found):,}\n\n{_first_ones(found)}")
    rows_together, table_together = together(folder)
    write_bytes(folder / "searched.csv", csv_bytes([*rows, *rows_together]))
    return "\n".join([*tables, table_together]), {str(row[3]): float(str(row[5])) for row in rows_together}


def together(folder: Path) -> tuple[list[list[object]], str]:
    """The rows of `searched.csv` and the table of all curves at once; with cubes a program recorded what fits best.

    Tried are the single readings and the programs of the joint question.
    """
    found = []
    for program, name in programs().items():
        bare = Reading(name, without_cubes(program))
        parts = [_likelihood(bare, group, folder) for group in ("cells", "round_robin")]
        best = best_recorded(name, program, folder)
        found.append((best, [_likelihood(best, "cubes", folder), *parts]))
    found.sort(key=lambda pair: -sum(pair[1]))
    rows: list[list[object]] = []
    lines: list[list[object]] = []
    for n, (one, likelihoods) in enumerate(found, 1):
        rows.append(["together", n, one.name, one.program, one.recorded, round(sum(likelihoods), 2)])
        lines.append([*rows[-1][1:-1], *(f"{value:.2f}" for value in (*likelihoods, sum(likelihoods)))])
    head = ["place", "reading", "program", "recorded with cubes", "cubes", "cells", "round robin", "log likelihood"]
    return rows, f"### Tried for all curves at once: {len(found):,}\n\n{table(head, lines)}"


def _likelihood(reading: Reading, group: str, folder: Path) -> float:
    return scored(reading, group, folder, CHOSEN_ON).likelihood(prior_runs=PRIOR_RUNS)


def _in_order(found: Iterable[tuple[float, Reading]]) -> list[list[object]]:
    """Place, name, program, what was recorded, and likelihood of each reading, the likeliest first."""
    order = sorted(found, key=lambda pair: -pair[0])
    return [[n, one.name, one.program, one.recorded, round(value, 2)] for n, (value, one) in enumerate(order, 1)]


def _first_ones(found: Iterable[tuple[float, Reading]]) -> str:
    """The table of the first readings and the text."""
    shown = [row for n, row in enumerate(_in_order(found), 1) if n <= SHOWN or (row[2], row[3]) == ("", "mean")]
    return table(["place", "reading", "program", "recorded", "log likelihood"], shown)


FRESH_SEED = 63_000


def fresh(folder: Path, on_search: Mapping[str, float]) -> str:
    """Run every program for all curves, write the figures to `fresh.csv`, and give the table.

    Args:
        folder: of the runs, which are made where they are missing.
        on_search: the log likelihoods on the seed of the search, by program.
    """
    named = programs() | {program: program for program in read("readings.yaml")["pairs"]}
    found = [_of_all_curves(best_recorded(name, program, folder), folder) for program, name in named.items()]
    write_bytes(folder / "fresh.csv", csv_bytes(as_rows(found)))
    return fresh_table(found, on_search)


def _of_all_curves(reading: Reading, folder: Path) -> Joint:
    """A program by all groups of curves; with cubes it recorded what fitted best on the seed of the search."""
    bare = Reading(reading.name, without_cubes(reading.program))
    others = {group: scored(bare, group, folder, [FRESH_SEED]) for group in ("cells", "round_robin")}
    return Joint(reading.name, {"cubes": scored(reading, "cubes", folder, [FRESH_SEED]), **others})


def as_rows(found: Sequence[Joint]) -> list[list[object]]:
    """The figures of each program and the truth of the sentences on figure 9, by curve, one column each."""
    rows: list[list[object]] = []
    for joint in found:
        reading = joint.groups["cubes"].reading
        figures = {", ".join(key): round(float(values[0]), 7) for own in joint.groups.values()
                   for key, values in own.figures.items()}  # fmt: skip
        true = {words: int(said[0]) for words, said in joint.groups["cubes"].sentences.items()}
        rows = rows or [["reading", "program", "recorded", *figures, *true]]
        rows.append([reading.name, reading.program, reading.recorded, *figures.values(), *true.values()])
    return rows


def fresh_table(found: Sequence[Joint], on_search: Mapping[str, float]) -> str:
    """The programs by their log likelihood, with their places on the seed of the search, and the sentences.

    Args:
        found: the programs.
        on_search: their log likelihoods on the seed of the search; not of pairs.
    """
    here = {joint.groups["cubes"].reading.program: _likelihood_of_all(joint) for joint in found}
    order = sorted(found, key=lambda joint: -here[joint.groups["cubes"].reading.program])
    before = sorted(on_search, key=lambda program: -on_search[program])
    rows = []
    for place, joint in enumerate(order, 1):
        reading = joint.groups["cubes"].reading
        was = before.index(reading.program) + 1 if reading.program in on_search else ""
        own = [f"{_likelihood_of_all(Joint('', {group: judgement})):.2f}" for group, judgement in joint.groups.items()]
        said = [bool(true[0]) for judgement in joint.groups.values() for true in judgement.every_sentence().values()]
        together = (
            f"{here[reading.program]:.2f}",
            f"{sum(said)} of {len(said)}",
            f"{_likelihood_of_all(joint, True):.2f}",
        )
        rows.append((place, was, reading.name, reading.program, reading.recorded, *own, *together))
    both = [(here[program], on_search[program]) for program in before]
    head = ["place", "on the seed of the search", "reading", "program", "recorded with cubes", "cubes", "cells",
            "round robin", "log likelihood", "true sentences", "with all sentences"]  # fmt: skip
    note = (
        f"{len(found)} programs on seed {FRESH_SEED}. The log likelihoods of {len(before)} have a rank correlation of "
        f"{stats.spearmanr(both).statistic:.3f} with those on the seed of the search. Of as many wrong ones as there "
        f"are programs, one may be ahead of the true one by {luck_of(len(found)):.1f} by luck."
    )
    return f"{table(head, rows)}\n{note}\n"


def _likelihood_of_all(joint: Joint, every_sentence: bool = False) -> float:
    return sum(own.likelihood(prior_runs=PRIOR_RUNS, every_sentence=every_sentence) for own in joint.groups.values())
