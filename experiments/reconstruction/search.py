"""The search for readings that give the published curves."""

from __future__ import annotations

from pathlib import Path

from pigevo.storage.files import csv_bytes, write_bytes

from ..common.tables import table
from .courses import read
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


def search(folder: Path) -> str:
    """Write the likelihood of every reading to `searched.csv`; the tables have the first ones and the text."""
    rows: list[list[object]] = [["group", "place", "reading", "program", "recorded", "log_likelihood"]]
    tables = []
    for group in ("cubes", "cells"):
        found = [(scored(one, group, folder, CHOSEN_ON).likelihood(prior_runs=PRIOR_RUNS), one) for one in tried(group)]
        found.sort(key=lambda pair: -pair[0])
        own = [[n, one.name, one.program, one.recorded, round(value, 2)] for n, (value, one) in enumerate(found, 1)]
        rows += [[group, *row] for row in own]
        shown = [row for n, row in enumerate(own, 1) if n <= SHOWN or (row[2], row[3]) == ("", "mean")]
        text = table(["place", "reading", "program", "recorded", "log likelihood"], shown)
        tables.append(f"### Tried for {group}: {len(own):,}\n\n{text}")
    write_bytes(folder / "searched.csv", csv_bytes(rows))
    return "\n".join(tables)
