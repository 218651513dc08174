"""Reference results are complete, repeatable and compared with an entrant's; tables and claims of the README follow from them."""

import re
from dataclasses import replace

import numpy as np
import pytest

from experiments.common.tests.prose import cells_of, numbers, readme_and_tables
from pigevo.experiments import load_study
from pigevo.experiments.benchmark import instance, reference_beside, try_out
from pigevo.experiments.benchmark.algorithms import ALGORITHMS
from pigevo.experiments.benchmark.instances import SUITES
from pigevo.experiments.benchmark.reference import reference_standings, reference_trials
from pigevo.experiments.benchmark.results import Results
from pigevo.experiments.benchmark.statistics import FEWEST
from pigevo.experiments.common.tables import read_sections

KNOWN = reference_trials()
CHEAP = ("t10-d2-c1-exact", "t20-d3-c2-g100", "piglet-t20-c2-g10")


@pytest.fixture(scope="module")
def results():
    """A benchmark of one reference algorithm, computed here."""
    place = instance("t10-d2-c1-g10")
    trials = [try_out(ALGORITHMS["one_comma_lambda"].function, place, seed) for seed in range(FEWEST)]
    return Results({"one_comma_lambda": {place.name: trials}}, {place.name: place})


def test_every_algorithm_has_results_on_every_instance_of_every_suite():
    places = {name for names in SUITES.values() for name in names}
    runs = {(row.instance, row.algorithm, row.seed, row.budget) for row in KNOWN}
    assert len(runs) == len(KNOWN)
    assert runs == {
        (name, algorithm, seed, instance(name).usual_budget)
        for name in places for algorithm in ALGORITHMS for seed in range(FEWEST)
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("name", CHEAP)
def test_a_trial_done_again_ends_as_in_the_table(name, algorithm):
    (row,) = [known for known in KNOWN if (known.instance, known.algorithm, known.seed) == (name, algorithm, 1)]
    trial = try_out(ALGORITHMS[algorithm].function, instance(name), 1)
    assert trial.spent[-1] == row.spent
    ends = (trial.loss[-1], trial.exploitability[-1])
    assert ends == pytest.approx((row.loss, row.exploitability), abs=6e-7)


def test_standings_are_those_of_a_benchmark(results):
    (place,) = results.instances
    (again,) = results.standings
    (known,) = [standing for standing in reference_standings(KNOWN, [place]) if standing.algorithm == again.algorithm]
    figures = [(standing.area, standing.area_low, standing.area_high, standing.hit) for standing in (again, known)]
    assert figures[0] == pytest.approx(figures[1], abs=2e-6)
    areas = [
        [standing.area_loss for standing in KNOWN if standing.algorithm == "knockout" and standing.instance == place]
        for place in CHEAP
    ]
    (knockout,) = [standing for standing in reference_standings(KNOWN, CHEAP) if standing.algorithm == "knockout"]
    assert knockout.area == pytest.approx(np.mean(areas))


def test_all_others_stand_beside_an_entrant(results):
    beside = reference_beside(results)
    assert {standing.algorithm for standing in beside} == ALGORITHMS.keys() - {"one_comma_lambda"}
    assert [standing.area for standing in beside] == sorted((standing.area for standing in beside), reverse=True)


def test_nothing_stands_beside_another_budget_or_instance(results):
    (trials,) = results.trials["one_comma_lambda"].values()
    (place,) = results.instances.values()
    half = [replace(trial, budget=trial.budget // 2) for trial in trials]
    assert reference_beside(replace(results, trials={"mine": {place.name: half}})) == []
    other = instance("t11-d2-c1-g10")
    places = {place.name: place, other.name: other}
    assert reference_beside(Results({"mine": {place.name: trials, other.name: trials}}, places)) == []


study = load_study("benchmark")

README, TABLES = readme_and_tables("benchmark")


def test_tables_follow_from_the_trials():
    assert study.tables(reference_trials()) == TABLES


def test_the_table_of_the_readme_is_that_of_all_instances():
    printed = re.findall(r"^\| (\w+) \| (0\..+) \| (0\..+) \| (0\..+) \|$", README, flags=re.M)
    assert [list(cells) for cells in printed] == [cells[1:] for cells in cells_of(TABLES["suites"], "all |")]


def test_sentences_that_compare_say_what_the_tables_say():
    area = {cells[1]: [number.value for number in numbers(cells[2])] for cells in cells_of(TABLES["suites"], "all |")}
    _, _, random_search = area.pop("random_search")
    assert [name for name, (_, low, _) in area.items() if low > random_search] == ["knockout", "nash_memory"]
    (cells,) = cells_of(TABLES["instances"], "t20-d3-c2-g100 |")
    means, lows, highs = zip(*([number.value for number in numbers(cell)] for cell in cells[1:]), strict=True)
    assert min(highs) > max(lows)
    assert (min(means), max(means)) == (0.129, 0.160)


def test_algorithms_that_do_not_use_the_oracle_are_the_same_without_it():
    losses = {}
    for trial in reference_trials():
        losses.setdefault((trial.instance, trial.algorithm), []).append((trial.loss, trial.area_loss))
    for task in ("t20-d3-c2-exact", "t20-d3-c2-g100"):
        pairs = {name: (losses[task, name], losses[f"{task}-oracle", name]) for name in ALGORITHMS}
        assert {name for name, (without, oracle) in pairs.items() if without != oracle} == {
            "hill_climber",
            "random_search",
        }


def test_the_readme_counts_what_there_is():
    places = {name for names in SUITES.values() for name in names}
    assert f"{len(ALGORITHMS)} {len(places)} {len(SUITES['games'])}" == "10 14 4"  # ten, fourteen, four of other games
    assert study.MOST_SEEDS == 6


@pytest.mark.slow
def test_the_study_writes_its_tables_and_its_picture(tmp_path, monkeypatch):
    monkeypatch.setattr(study, "SUITES", {"t10-d2-c1-g10": ("t10-d2-c1-g10",)})
    study.run(tmp_path, 1, 1)
    assert {path.name for path in tmp_path.glob("*.*") if path.is_file()} >= {"tables.md", "trials.csv"}
    assert set(read_sections(tmp_path)) == set(TABLES)
    assert (tmp_path / "pictures/hits.png").is_file()
    again, committed = (
        [trial for trial in reference_trials(path) if trial.seed == 0 and trial.instance == "t10-d2-c1-g10"]
        for path in (tmp_path / "trials.csv", None)
    )
    assert len(again) == len(ALGORITHMS)
    assert again == committed
