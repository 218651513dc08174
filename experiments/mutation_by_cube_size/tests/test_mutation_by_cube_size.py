"""The tables of the sweep of mutation by cube size, on a small one."""

import itertools

import pytest

import pigevo
from pigevo.compiled.kernel import cache_folder
from pigevo.experiments import experiments_folder
from pigevo.experiments.mutation_by_cube_size import tables
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
    assert all(f"| {mean:.4f} (" in row for mean in means)
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
