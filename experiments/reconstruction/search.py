"""The search for readings that give the published curves."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pigevo.storage.files import csv_bytes, write_bytes

from ..common.tables import table
from .courses import read
from .joint import without_cubes
from .likelihood import PRIOR_RUNS, RECORDED
from .scoring import Reading, scored

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


def search(folder: Path) -> tuple[str, dict[str, float]]:
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
