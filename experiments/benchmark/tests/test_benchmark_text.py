"""The tables of the benchmark's reference results follow from its trials, and claims of its README from the tables."""

import re

import pytest

from experiments.common.tests.prose import cells_of, numbers, readme_and_tables
from pigevo.experiments import load_study
from pigevo.experiments.benchmark.algorithms import ALGORITHMS
from pigevo.experiments.benchmark.instances import SUITES
from pigevo.experiments.benchmark.reference import reference_trials
from pigevo.experiments.common.tables import read_sections

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
    for instance in ("t20-d3-c2-exact", "t20-d3-c2-g100"):
        pairs = {name: (losses[instance, name], losses[f"{instance}-oracle", name]) for name in ALGORITHMS}
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
