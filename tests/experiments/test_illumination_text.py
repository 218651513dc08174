"""Every figure of the README of illumination stands in a table beside it, and its verdicts are what the tables say."""

import csv
import re

import pytest

from pigevo.studies.find import experiments_folder
from tests.experiments.prose import numbers, paragraphs, unfounded

PLACE = experiments_folder() / "illumination"
TABLES = "\n".join(path.read_text() for path in sorted(PLACE.glob("*.md")) if path.name != "README.md")
ROWS = TABLES.splitlines()
TEXT = (PLACE / "README.md").read_text()
RESULTS = TEXT[TEXT.index("## Results") :]
KNOWN = {"1", "2", "3", "4", "5", "6", "7", "0", "0.01", "0.4", "12", "60", "30", "10", "3,000", "95 %", "100", "420"}
CASES = [one for one in paragraphs(RESULTS) if numbers(one)]


@pytest.mark.parametrize("paragraph", CASES, ids=lambda text: text[:40])
def test_every_number_is_that_of_a_table(paragraph):
    assert unfounded(paragraph, ROWS, KNOWN) == []


def runs(name):
    return [row for row in csv.DictReader((PLACE / "runs.csv").open()) if row["experiment"] == name]


def test_both_experiments_have_thirty_seeds_and_the_same_budget():
    for name in ("illuminate", "rediscover"):
        assert [int(row["seed"]) for row in runs(name)] == list(range(6000, 6030))
        assert all(3000 <= int(row["evaluations"]) < 3300 for row in runs(name))


def test_the_verdicts_are_those_of_the_tables():
    ours, theirs = runs("illuminate"), runs("rediscover")
    better = sum(float(a["best"]) > float(b["best"]) for a, b in zip(ours, theirs, strict=True))
    assert f"better with illuminate in {better} of 30 seeds" in TABLES
    ratio = next(row for row in ROWS if row.startswith("| ratio |")).split("|")
    low = [float(re.search(r"\(([\d.]+) to", ratio[n])[1]) for n in (2, 4)]
    assert min(low) > 2  # predictions 1 and 2
    assert "1. Holds" in RESULTS
    assert "2. Holds" in RESULTS
