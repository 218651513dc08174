"""Every figure of the README of the tuning study stands in its table, and what is open is called so."""

import csv

import pytest

from pigevo.studies.find import experiments_folder
from tests.experiments.prose import numbers, paragraphs, rows_of, unsupported

PLACE = experiments_folder() / "tuning"
TABLE = (PLACE / "table.md").read_text()
TEXT = (PLACE / "README.md").read_text()
RESULT = TEXT[TEXT.index("## Result") : TEXT.index("## Limits")]
PROPOSALS = list(csv.DictReader((PLACE / "proposals.csv").open()))
KNOWN = {"1", "2", "3", "4", "5", ".42", ".10", ".01", "20", "10", "0.5 %", "1 %", "5 %", "319,000"}
"""Numbers of the predictions and the method."""
CASES = [one for one in paragraphs(RESULT) if numbers(one)]


@pytest.mark.parametrize("paragraph", CASES, ids=lambda text: text[:40])
def test_every_number_is_that_of_a_row_and_what_is_open_is_called_so(paragraph):
    assert unsupported(paragraph, TABLE.splitlines(), KNOWN) == []


def test_the_table_is_that_of_the_proposals():
    done = [row for row in PROPOSALS if row["score"]]
    best = max(done, key=lambda row: float(row["score"]))
    assert f"| proposals | {len(PROPOSALS)} |" in TABLE
    assert f"| refused | {len(PROPOSALS) - len(done)} |" in TABLE
    for key in ("mutation", "population.size", "fitness.games", "cubes.sizes", "replacement"):
        assert f"| {key} | {best[key]} |" in TABLE
    assert f"| mean of the search's seeds | {float(best['score']):.4f} |" in TABLE


def test_the_headline_is_that_of_thirty_fresh_seeds():
    (row,) = rows_of({"table.md": TABLE}, [("table.md", "tuned | 30")])
    figure = row.split("|")[3].split()[0]
    assert f"wins {figure[1:]} against the optimum" in " ".join(RESULT.split())
