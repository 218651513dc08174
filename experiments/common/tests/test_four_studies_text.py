"""The tables of four studies are those of the runs, and the verdicts of their READMEs those of the tables."""

import csv
import re

import numpy as np

import pigevo
from experiments.common.tests.prose import cells_of, readme_and_tables
from pigevo.exact import turn_starts
from pigevo.experiments import experiments_folder
from pigevo.experiments.common.tables import read_sections


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


def found(part, what):
    """What a table of the maps has of something."""
    section = read_sections(ILLUMINATION.place)[part]
    return next(line.strip("| ").split(" | ")[1] for line in section.splitlines() if line.startswith(f"| {what} |"))


def test_the_verdicts_of_illumination_on_its_maps_are_those_of_the_tables():
    ours, theirs = (ILLUMINATION.rows(experiment=name) for name in ("illuminate", "rediscover"))
    assert not any(float(a["best"]) > float(b["best"]) for a, b in zip(ours, theirs, strict=True))  # prediction 3
    assert np.mean([float(row["best"]) for row in ours]) > 0.49
    reached = int(found("landscape", "cells that were reached").split()[0])  # predictions 4 and 5
    near, regions = map(int, re.findall(r"\d+", found("landscape", "cells within 0.01 of the optimum")))
    assert (regions, near - int(found("landscape", "of them in the optimum's region"))) == (2, 1)
    assert 0.3 < near / reached < 1 / 3
    assert "in nearly a third of the cells that were reached" in ILLUMINATION.prose
    column, row = (
        float(found("landscape", f"of them in the optimum's {line}").split()[-2]) for line in ("column", "row")
    )
    assert column >= 0.4
    assert row >= 12
    level = "best with a change of 0 (within half a cell)"
    assert (
        min(float(found("landscape", what)) for what in (level, "best with a change below that")) > 0.49
    )  # prediction 6
    assert int(found("visited", "cells within 0.01 of the optimum").split()[0]) < 42  # prediction 7
    assert float(found("visited", level)) > 0.49
    short = sum(float(row["best"]) < 0.49 for row in ILLUMINATION.rows("visited.csv"))
    assert f"in {short} of 30 runs on the second map even the best loses more than .01" in ILLUMINATION.prose


def test_in_pig_to_100_play_comes_to_a_quarter_of_all_pairs_of_scores():
    shares = []
    for target in (60, 100):
        best = pigevo.optimal(pigevo.Pig(target)).strategy
        shares.append(float((turn_starts(best, best) >= 0.0001).mean()))
    assert (round(shares[0], 3), round(shares[1], 2)) == (0.030, 0.25)
    assert "comes as often to a quarter of all pairs of scores" in ILLUMINATION.prose


def test_the_verdicts_of_lineage_are_those_of_the_table():
    cells = {(row[0], row[1]): row[3:] for row in cells_of(read_sections(LINEAGE.place)["table"]) if len(row) == 7}
    gains = {  # of selection, crossover, mutation, and all: the mean and both ends
        key: [[float(number) for number in re.findall(r"[+-][\d.]+", cell)] for cell in row]
        for key, row in cells.items()
        if key[1].isdigit()
    }
    assert all(gains[luck, "20"][0][1] > -gains[luck, "20"][2][1] for luck in ("games", "exact"))  # prediction 1
    for luck in ("games", "exact"):
        assert -gains[luck, "5"][2][0] - gains[luck, "5"][0][0] > 0.0005
        for size in ("10", "5"):
            assert gains[luck, size][1][1] > -0.0005  # prediction 2
    assert gains["exact", "20"][1][2] < -0.0005 < gains["games", "20"][1][2]
    assert gains["exact", "5"][0][1] > 1.5 * gains["games", "5"][0][2]  # prediction 3
    first, second, third = (gains["games", size][3][0] for size in ("20", "10", "5"))
    assert -(second + third) > first / 2
    earlier = [line for line in LINEAGE.tables.splitlines() if re.match(r"\| (games|exact) \| 30 \| 20 ", line)]
    assert all(float(re.search(r"\(([\d.]+) to", line)[1]) > 0.5 for line in earlier)  # prediction 4
    assert len(earlier) == 2


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
