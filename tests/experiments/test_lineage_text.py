"""Every figure of the README of the lineage study stands in its table, and the table is that of the runs."""

import csv
import re

import numpy as np
import pytest

from pigevo.studies.find import experiments_folder
from tests.experiments.prose import numbers, paragraphs, unfounded

PLACE = experiments_folder() / "lineage"
TABLE = (PLACE / "table.md").read_text()
TEXT = (PLACE / "README.md").read_text()
RESULT = TEXT[TEXT.index("## Result") : TEXT.index("## Limits")]
KNOWN = {"1", "2", "3", "4", "5", "10", "20", "100", ".0005", "19,000"}
"""Numbers of the predictions, sizes of cuboids, games of a match, and those that name a champion."""
RUNS = list(csv.DictReader((PLACE / "runs.csv").open()))


@pytest.mark.parametrize("paragraph", [one for one in paragraphs(RESULT) if numbers(one)], ids=lambda text: text[:40])
def test_every_number_is_that_of_a_row(paragraph):
    assert unfounded(paragraph, TABLE.splitlines(), KNOWN) == []


def test_the_table_is_that_of_thirty_runs_of_each_setting():
    assert len(RUNS) == 2 * 30 * 3
    for setting in ("games", "exact"):
        for cubes in ("20", "10", "5"):
            own = [row for row in RUNS if (row["setting"], row["cubes"]) == (setting, cubes)]
            assert sorted(int(row["seed"]) for row in own) == list(range(47_000, 47_030))
            (line,) = (one for one in TABLE.splitlines() if one.startswith(f"| {setting} | {cubes} | 30 |"))
            means = [
                np.mean([float(row[name]) for row in own]) for name in ("selection", "crossover", "mutation", "change")
            ]
            assert re.findall(r"([+-]\d\.\d{5}) \(", line) == [f"{mean:+.5f}" for mean in means]
