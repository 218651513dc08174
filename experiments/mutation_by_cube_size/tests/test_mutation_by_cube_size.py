"""The tables of the sweep of mutation by cube size are of the ranked runs, on a small one too, and its README's claims follow."""

import csv
import itertools
import math

import pytest
from omegaconf import OmegaConf

import pigevo
from experiments.common.tests.prose import Rows, cells_of, numbers, readme_and_tables
from pigevo.compiled.kernel import cache_folder
from pigevo.experiments import experiments_folder
from pigevo.experiments.mutation_by_cube_size import tables
from pigevo.settings.schema import conf_folder
from pigevo.settings.settings import Settings
from pigevo.sweeps import Job
from pigevo.sweeps.run_sweep import drive
from tests.small import done_here, small_words

PLACE = experiments_folder() / "mutation_by_cube_size"


@pytest.fixture(scope="module")
def sweep(tmp_path_factory):
    """Cubes of 6 alone, and waves of 6 and 3; no mutation, and much."""
    words = [word for word in small_words("cubes=waves", "cubes.generations=2") if "mutation" not in word]
    words += ["baseline=random_search", "baseline.populations=8"]
    home = tmp_path_factory.mktemp("sweep")
    cases = itertools.product(("[6]", "[6,3]"), ("0", "0.3"), range(2))
    cache_folder()  # of compiled kernels: found before that of samples is another one
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(home / "cache"))
        jobs = [
            Job(Settings.of(*words, f"cubes.sizes={sizes}", f"mutation={rate}", f"seed={seed}"), home / "runs" / str(n))
            for n, (sizes, rate, seed) in enumerate(cases)
        ]
        return pigevo.load_sweep(drive(jobs, words, home / "sweeps", done_here))


def test_every_table_holds_what_the_runs_say(sweep):
    text = tables.as_text(sweep)
    groups = tables.groups_of_sweep(sweep)
    assert {key: len(group.seeds) for key, group in groups.items()} == dict.fromkeys(
        [("6", "0"), ("6", "0.3"), ("6, 3", "0"), ("6, 3", "0.3")], 2
    )
    parts = dict(part.split("\n", 1) for part in text.split("\n### ")[1:])
    champions = parts["Champions"].splitlines()
    row = next(line for line in champions if line.startswith("| 6, 3 |"))
    means = [groups["6, 3", rate].champion.mean() for rate in ("0", "0.3")]
    # two seeds give no interval within 0 to 1; these settings have a random search each, none for a whole row
    assert row == f"| 6, 3 | {means[0]:.4f} | {means[1]:.4f} |  |"
    assert "| cubes 6, 3, mutation 0 | mutation 0.3 | 2 |" in parts["Rates compared: champions, cubes alike"]
    assert parts["Rates compared: champions, cubes alike"].count("| 2 |") == 2
    cubes = parts["Cubes compared: champions, rates alike"]
    apart = groups["6", "0.3"].champion.mean() - groups["6, 3", "0.3"].champion.mean()
    assert f"| cubes 6, mutation 0.3 | cubes 6, 3 | 2 | {apart:+.4f} (" in cubes
    waves = parts["Waves: the mean of the population at the end of each"]
    group = groups["6, 3", "0.3"]
    assert f"| cubes 6, 3, mutation 0.3 | {group.at(2).mean():.4f} (" in waves
    assert "| cubes 6, 3, mutation 0.3: end of cubes of 3 | end of cubes of 6 | 2 |" in waves
    (random,) = [line for line in parts["Random populations"].splitlines() if line.startswith("| 6 |")]
    assert random.startswith("| 6 | 8 | ")


def test_what_differs_in_budget_says_so(sweep):
    """Cubes alone and waves have other generations on each size."""
    (one, _) = tables.answers([*tables._cubes(tables.groups_of_sweep(sweep))])
    assert "cubes of 6 to generation" in one.budgets
    assert all(not one.budgets for one in tables.answers([*tables._rates(tables.groups_of_sweep(sweep))]))


README, TABLES = readme_and_tables("mutation_by_cube_size")
TABLE = TABLES["compared"]
RATES = ("0", "0.0001", "0.001", "0.005", "0.01", "0.05")


def test_the_grid_of_the_readme_and_the_table_and_the_ranking_are_of_the_same_runs():
    ranking = csv.DictReader((experiments_folder() / "mutation_by_cube_size/ranking.csv").open())
    ranked = {row["setting"]: row for row in ranking}
    swept = OmegaConf.load(conf_folder() / "sweep" / "mutation_by_cube_size.yaml").hydra.sweeper.params
    searched = {name for name in ranked if name.startswith("random_search")}
    assert searched == {f"random_search,cubes={size}" for size in ("20", "10", "5")}
    assert len(ranked.keys() - searched) == math.prod(len(str(swept[key]).split(",")) for key in ("cubes", "mutation"))
    assert f"hold for all {len(ranked)} at once" in README
    for cubes in ("20", "10", "5", "20, 10, 5"):
        (row,), (printed,) = cells_of(TABLE, f"{cubes} | 0."), cells_of(README, f"{cubes} |")
        names = [f"cubes.sizes=[{cubes.replace(' ', '')}],mutation={rate}" for rate in RATES]
        names += [f"random_search,cubes={cubes}"] if "," not in cubes else []
        for name, cell, shorter in zip(names, row[1 : len(names) + 1], printed[1 : len(names) + 1], strict=True):
            run = ranked[name]
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
            shown = (cubes, a, b) == ("10", "0.005", "0.01")
            assert verdicts[f"{name} {a}", f"mutation {b}"] == ("A" if shown else "open")
        for rate in good:
            assert verdicts[f"{name} 0", f"mutation {rate}"] == "B"
            assert verdicts[f"{name} {rate}", "mutation 0.05"] == "A"
