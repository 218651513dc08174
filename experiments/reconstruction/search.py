"""The search for readings that give the published curves of the cubes, each with all that may be recorded."""

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
"""The number of readings in the table."""


def tried() -> list[Reading]:
    """Every reading of the search, once with each kind of record."""
    found = read("readings.yaml")
    programs = found["singles"] | {words: words for words in found["several"]}
    return [Reading(name, words, recorded) for name, words in programs.items() for recorded in RECORDED]


def search(folder: Path) -> str:
    """Write the likelihood of every reading to `searched.csv`; the table has the first ones."""
    found = [(scored(one, "cubes", folder, CHOSEN_ON).likelihood(prior_runs=PRIOR_RUNS), one) for one in tried()]
    found.sort(key=lambda pair: -pair[0])
    rows = [[one.name, one.program, one.recorded, round(value, 2)] for value, one in found]
    write_bytes(folder / "searched.csv", csv_bytes([["reading", "program", "recorded", "log_likelihood"], *rows]))
    places = {one.recorded: n for n, (_, one) in enumerate(found, 1) if not one.program}
    shown = [(n, *row) for n, row in enumerate(rows, 1) if n <= SHOWN or n == places["mean"]]
    return table(["place", "reading", "program", "recorded", "log likelihood"], shown)
