"""The tables of four studies are those of the runs, and the verdicts of their READMEs those of the tables."""

import csv
import re

import numpy as np

from experiments.common.tests.prose import cells_of, readme_and_tables
from pigevo.experiments import experiments_folder


class Study:
    """The README, the tables and the rows of files of a study."""

    def __init__(self, name):
        self.place = experiments_folder() / name
        readme, tables = readme_and_tables(name)
        self.prose, self.tables = " ".join(readme.split()), "\n".join(tables.values())

    def rows(self, name="runs.csv", **values):
        """The rows of a file that have these values."""
        with (self.place / name).open() as file:
            return [row for row in csv.DictReader(file) if values.items() <= row.items()]


ILLUMINATION, LINEAGE, STRUCTURE, TUNING = map(Study, ("illumination", "lineage", "structure", "tuning"))


def test_illumination_has_both_experiments_with_thirty_seeds_and_the_same_budget():
    for name in ("illuminate", "rediscover"):
        assert [int(row["seed"]) for row in ILLUMINATION.rows(experiment=name)] == list(range(6000, 6030))
        assert all(3000 <= int(row["evaluations"]) < 3300 for row in ILLUMINATION.rows(experiment=name))


def test_the_verdicts_of_illumination_are_those_of_the_tables():
    ours, theirs = (ILLUMINATION.rows(experiment=name) for name in ("illuminate", "rediscover"))
    better = sum(float(a["best"]) > float(b["best"]) for a, b in zip(ours, theirs, strict=True))
    assert f"better with illuminate in {better} of 30 seeds" in ILLUMINATION.tables
    ratio = next(row for row in ILLUMINATION.tables.splitlines() if row.startswith("| ratio |")).split("|")
    low = [float(re.search(r"\(([\d.]+) to", ratio[n])[1]) for n in (2, 4)]
    assert min(low) > 2  # predictions 1 and 2
    assert "1. Holds" in ILLUMINATION.prose
    assert "2. Holds" in ILLUMINATION.prose


def test_the_table_of_lineage_is_that_of_thirty_runs_of_each_setting():
    assert len(LINEAGE.rows()) == 2 * 30 * 3
    for setting in ("games", "exact"):
        for cubes in ("20", "10", "5"):
            own = LINEAGE.rows(setting=setting, cubes=cubes)
            assert sorted(int(row["seed"]) for row in own) == list(range(47_000, 47_030))
            (line,) = (one for one in LINEAGE.tables.splitlines() if one.startswith(f"| {setting} | {cubes} | 30 |"))
            means = [
                np.mean([float(row[name]) for row in own]) for name in ("selection", "crossover", "mutation", "change")
            ]
            assert re.findall(r"([+-]\d\.\d{5}) \(", line) == [f"{mean:+.5f}" for mean in means]


def test_the_table_of_structure_is_that_of_the_runs():
    table = STRUCTURE.tables
    assert len(STRUCTURE.rows()) == 270
    for luck in ("one game", "ten games", "exact"):
        own = STRUCTURE.rows(luck=luck.replace(" ", "_"))
        assert {row["games"].removesuffix(".0") for row in own} == {
            "0" if luck == "exact" else "64800" if luck == "one game" else "648000"
        }
        means = {}
        for name in ("panmixia", "cellular", "islands"):
            of = sorted((row for row in own if row["population"] == name), key=lambda row: int(row["seed"]))
            assert [int(row["seed"]) for row in of] == list(range(33_000, 33_030))
            means[name] = np.array([float(row["mean"]) for row in of])
            assert f"| {name}, {luck} | 30 |" in table
            assert f"{means[name].mean():.4f} (" in table
        for name in ("cellular", "islands"):
            apart = (means[name] - means["panmixia"]).mean()
            assert (
                f"| {name}, {luck}, last population | panmixia, {luck}, last population | 30 | {apart:+.4f} (" in table
            )


def test_the_table_of_tuning_is_that_of_the_proposals():
    table, proposals = TUNING.tables, TUNING.rows("proposals.csv")
    done = [row for row in proposals if row["score"]]
    best = max(done, key=lambda row: float(row["score"]))
    assert f"| proposals | {len(proposals)} |" in table
    assert f"| refused | {len(proposals) - len(done)} |" in table
    for key in ("mutation", "population.size", "fitness.games", "cubes.sizes", "replacement"):
        assert f"| {key} | {best[key]} |" in table
    assert f"| mean of the search's seeds | {float(best['score']):.4f} |" in table


def test_the_headline_of_tuning_is_that_of_thirty_fresh_seeds():
    (cells,) = cells_of(TUNING.tables, "tuned | 30")
    assert f"wins {cells[2].split()[0][1:]} against the optimum" in TUNING.prose
