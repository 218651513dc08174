"""Every figure of the README of the structure study stands in its table, and what is open is called so."""

import csv

import numpy as np
import pytest

from pigevo.studies.find import experiments_folder
from tests.experiments.prose import numbers, paragraphs, unsupported

PLACE = experiments_folder() / "structure"
TABLE = (PLACE / "table.md").read_text()
TEXT = (PLACE / "README.md").read_text()
RESULT = TEXT[TEXT.index("## Result") : TEXT.index("## Limits")]
KNOWN = {"1", "2", "3", "4", ".005", ".01"}
"""Numbers of the predictions, and what they said."""
CASES = [one for one in paragraphs(RESULT) if numbers(one)]


@pytest.mark.parametrize("paragraph", CASES, ids=lambda text: text[:40])
def test_every_number_is_that_of_a_row_and_what_is_open_is_called_so(paragraph):
    assert unsupported(paragraph, TABLE.splitlines(), KNOWN) == []


def test_the_table_is_that_of_the_runs():
    runs = list(csv.DictReader((PLACE / "runs.csv").open()))
    assert len(runs) == 270
    for luck in ("one game", "ten games", "exact"):
        own = [row for row in runs if row["luck"] == luck.replace(" ", "_")]
        assert {row["games"].removesuffix(".0") for row in own} == {
            "0" if luck == "exact" else "64800" if luck == "one game" else "648000"
        }
        means = {}
        for name in ("panmixia", "cellular", "islands"):
            of = sorted((row for row in own if row["population"] == name), key=lambda row: int(row["seed"]))
            assert [int(row["seed"]) for row in of] == list(range(33_000, 33_030))
            means[name] = np.array([float(row["mean"]) for row in of])
            assert f"| {name}, {luck} | 30 |" in TABLE
            assert f"{means[name].mean():.4f} (" in TABLE
        for name in ("cellular", "islands"):
            apart = (means[name] - means["panmixia"]).mean()
            assert (
                f"| {name}, {luck}, last population | panmixia, {luck}, last population | 30 | {apart:+.4f} (" in TABLE
            )
