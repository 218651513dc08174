"""Every single reading, and pairs of the best, by all curves and sentences on a seed on which nothing was chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from scipy import stats

from pigevo.storage.files import csv_bytes, write_bytes

from ..common.tables import table
from .courses import read
from .joint import Joint, without_cubes
from .likelihood import PRIOR_RUNS
from .scoring import Reading, luck_of, scored
from .search import best_recorded, programs

SEED = 63_000


def fresh(folder: Path, on_search: Mapping[str, float]) -> str:
    """Run every program for all curves, write the figures to `fresh.csv`, and give the table.

    Args:
        folder: of the runs, which are made where they are missing.
        on_search: the log likelihoods on the seed of the search, by program.
    """
    named = programs() | {program: program for program in read("readings.yaml")["pairs"]}
    found = [_of_all_curves(best_recorded(name, program, folder), folder) for program, name in named.items()]
    write_bytes(folder / "fresh.csv", csv_bytes(as_rows(found)))
    return as_markdown(found, on_search)


def _of_all_curves(reading: Reading, folder: Path) -> Joint:
    """A program by all groups of curves; with cubes it recorded what fitted best on the seed of the search."""
    bare = Reading(reading.name, without_cubes(reading.program))
    others = {group: scored(bare, group, folder, [SEED]) for group in ("cells", "round_robin")}
    return Joint(reading.name, {"cubes": scored(reading, "cubes", folder, [SEED]), **others})


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


def as_markdown(found: Sequence[Joint], on_search: Mapping[str, float]) -> str:
    """The programs by their log likelihood, with their places on the seed of the search, and the sentences.

    Args:
        found: the programs.
        on_search: their log likelihoods on the seed of the search; not of pairs.
    """
    here = {joint.groups["cubes"].reading.program: _likelihood(joint) for joint in found}
    order = sorted(found, key=lambda joint: -here[joint.groups["cubes"].reading.program])
    before = sorted(on_search, key=lambda program: -on_search[program])
    rows = []
    for place, joint in enumerate(order, 1):
        reading = joint.groups["cubes"].reading
        was = before.index(reading.program) + 1 if reading.program in on_search else ""
        own = [f"{_likelihood(Joint('', {group: judgement})):.2f}" for group, judgement in joint.groups.items()]
        said = [bool(true[0]) for judgement in joint.groups.values() for true in judgement.every_sentence().values()]
        together = f"{here[reading.program]:.2f}", f"{sum(said)} of {len(said)}", f"{_likelihood(joint, True):.2f}"
        rows.append((place, was, reading.name, reading.program, reading.recorded, *own, *together))
    both = [(here[program], on_search[program]) for program in before]
    head = ["place", "on the seed of the search", "reading", "program", "recorded with cubes", "cubes", "cells",
            "round robin", "log likelihood", "true sentences", "with all sentences"]  # fmt: skip
    note = (
        f"{len(found)} programs on seed {SEED}. The log likelihoods of {len(before)} have a rank correlation of "
        f"{stats.spearmanr(both).statistic:.3f} with those on the seed of the search. Of as many wrong ones as there "
        f"are programs, one may be ahead of the true one by {luck_of(len(found)):.1f} by luck."
    )
    return f"{table(head, rows)}\n{note}\n"


def _likelihood(joint: Joint, every_sentence: bool = False) -> float:
    return sum(own.likelihood(prior_runs=PRIOR_RUNS, every_sentence=every_sentence) for own in joint.groups.values())
