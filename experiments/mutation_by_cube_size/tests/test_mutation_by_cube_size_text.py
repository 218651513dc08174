"""The table of mutation_by_cube_size is of the runs that are ranked, and the claims of its README follow from it."""

import csv
import math

from omegaconf import OmegaConf

from experiments.common.tests.prose import Rows, cells_of, numbers, readme_and_tables
from pigevo.experiments import experiments_folder
from pigevo.settings.schema import conf_folder

README, TABLES = readme_and_tables("mutation_by_cube_size")
TABLE = TABLES["compared"]
RATES = ("0", "0.0001", "0.001", "0.005", "0.01", "0.05")


def test_the_grid_of_the_readme_and_the_table_and_the_ranking_are_of_the_same_runs():
    ranking = csv.DictReader((experiments_folder() / "mutation_by_cube_size/ranking.csv").open())
    ranked = {row["setting"]: row for row in ranking}
    swept = OmegaConf.load(conf_folder() / "sweep" / "mutation_by_cube_size.yaml").hydra.sweeper.params
    assert len(ranked) == math.prod(len(str(swept[key]).split(",")) for key in ("cubes", "mutation"))
    for cubes in ("20", "10", "5", "20, 10, 5"):
        (row,), (printed,) = cells_of(TABLE, f"{cubes} | 0."), cells_of(README, f"{cubes} |")
        for rate, cell, shorter in zip(RATES, row[1:], printed[1:], strict=True):
            run = ranked[f"cubes.sizes=[{cubes.replace(' ', '')}],mutation={rate}"]
            assert [number.value for number in numbers(cell)] == [
                round(float(run[key]), 4) for key in ("mean", "low", "high")
            ]
            assert Rows(cell).have_interval(*numbers(shorter))


def test_rates_that_are_called_open_are_open_and_rates_that_are_called_better_are_better():
    """The sentence on smaller cubes, which has no figures."""
    verdicts = {(line.split("|")[1].strip(), line.split("|")[2].strip()): line.split("|")[7].split()[0]
                for line in TABLES["compared"].splitlines() if line.count("|") == 8}  # fmt: skip
    for cubes, good in (("20", ("0.005", "0.01")), ("10", ("0.005",)), ("5", ("0.001",))):
        name = f"cubes {cubes}, mutation"
        for a, b in (("0.001", "0.005"), ("0.001", "0.01"), ("0.005", "0.01")):
            assert verdicts[f"{name} {a}", f"mutation {b}"] == "open"
        for rate in good:
            assert verdicts[f"{name} 0", f"mutation {rate}"] == "B"
            assert verdicts[f"{name} {rate}", "mutation 0.05"] == "A"
