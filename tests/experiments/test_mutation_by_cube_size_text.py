"""Every figure of the README of mutation_by_cube_size is one of the tables beside it."""

import csv
import math

import pytest
from omegaconf import OmegaConf

from pigevo.core.intervals import CONFIDENCE
from pigevo.settings.schema import conf_folder
from pigevo.settings.settings import Settings
from pigevo.studies.find import experiments_folder
from tests.experiments.prose import not_called_open, numbers, open_claims, paragraphs, told_rows, unfounded

PLACE = experiments_folder() / "mutation_by_cube_size"
TABLES = {"tables.md": (PLACE / "tables.md").read_text()}
PARAGRAPHS = [one for one in paragraphs((PLACE / "README.md").read_text()) if numbers(one)]
RATES = ("0", "0.0001", "0.001", "0.005", "0.01", "0.05")


def rows(*beginnings):
    return [("tables.md", one) for one in beginnings]


def of_rates(cubes):
    return rows(*(f"cubes {cubes}, mutation {rate} | mutation" for rate in RATES[:-1]))


SOURCES = {
    "The 2016 report": [],
    "Mean of the champions": [],
    "| cubes |": rows("cubes | mutation"),
    "| 20 |": rows("20 | 0."),
    "| 10 |": rows("10 | 0."),
    "| 5 |": rows("5 | 0."),
    "| 20, 10, 5 |": rows("20, 10, 5 |"),
    "Of random populations": rows("20 | 300 |", "10 | 300 |", "5 | 300 |"),
    "Settings are compared": [],
    "- **With cuboids of 20**": of_rates("20"),
    "- **With cuboids of 10**": of_rates("10"),
    "- **With cuboids of 5**": of_rates("5"),
    "- **Whether": of_rates("20"),
    "- **With waves**": [*of_rates("20, 10, 5"), *rows("cubes 20, 10, 5, mutation 0 | 0."),
                         *rows(*(f"cubes 20, 10, 5, mutation {rate}: end" for rate in RATES))],
    "- **To stay": rows(*(f"cubes 20, mutation {rate} | cubes" for rate in RATES)),
}  # fmt: skip
"""How each paragraph begins, and the rows that it tells of."""


@pytest.fixture(scope="module")
def known():
    """The settings of the sweep."""
    swept = OmegaConf.load(conf_folder() / "sweep" / "mutation_by_cube_size.yaml").hydra.sweeper.params
    run = Settings.of("experiment=cube_random", "cubes=waves")
    settings = math.prod(len(str(swept[key]).split(",")) for key in ("cubes", "mutation"))
    plan, games = run.plan, run.values["fitness"]["games"]
    settings_of_sweep = {settings, plan.size, games, plan.generations, plan.generations // 3, 20, 10, 5}
    return (
        {f"{number:,}" for number in settings_of_sweep}
        | set(swept.mutation.split(","))
        | {f"{100 * CONFIDENCE:g} %", "2016"}
    )


@pytest.mark.parametrize("paragraph", PARAGRAPHS, ids=lambda text: text[:40])
def test_every_number_is_that_of_a_row(paragraph, known):
    assert unfounded(paragraph, told_rows(paragraph, SOURCES, TABLES), known) == []


@pytest.mark.parametrize("paragraph", PARAGRAPHS, ids=lambda text: text[:40])
def test_what_is_open_is_called_so_and_nothing_is_claimed_of_it(paragraph):
    assert not_called_open(paragraph, told_rows(paragraph, SOURCES, TABLES)) == []
    assert open_claims(paragraph) == []


def test_the_ranking_and_the_table_are_of_the_same_runs():
    ranked = {row["setting"]: row for row in csv.DictReader((PLACE / "ranking.csv").open())}
    assert len(ranked) == 24
    for cubes in ("20", "10", "5", "20, 10, 5"):
        (row,) = told_rows(f"| {cubes} |", {f"| {cubes} |": SOURCES[f"| {cubes} |"]}, TABLES)
        for rate, cell in zip(RATES, row.split("|")[2:], strict=False):
            one = ranked[f"cubes.sizes=[{cubes.replace(' ', '')}],mutation={rate}"]
            values = [number.value for number in numbers(cell)]
            assert values == [round(float(one[key]), 4) for key in ("mean", "low", "high")]


def test_rates_that_are_called_open_are_open_and_rates_that_are_called_better_are_better():
    """The sentence on smaller cuboids, which has no figures."""
    verdicts = {(line.split("|")[1].strip(), line.split("|")[2].strip()): line.split("|")[7].split()[0]
                for line in TABLES["tables.md"].splitlines() if line.count("|") == 8}  # fmt: skip
    for cubes, good in (("20", ("0.005", "0.01")), ("10", ("0.005",)), ("5", ("0.001",))):
        name = f"cubes {cubes}, mutation"
        for a, b in (("0.001", "0.005"), ("0.001", "0.01"), ("0.005", "0.01")):
            assert verdicts[f"{name} {a}", f"mutation {b}"] == "open"
        for rate in good:
            assert verdicts[f"{name} 0", f"mutation {rate}"] == "B"
            assert verdicts[f"{name} {rate}", "mutation 0.05"] == "A"
