"""The tables of the benchmark's reference results follow from its trials, and its README from the tables."""

import re

import pytest

from pigevo.benchmark.algorithms import ALGORITHMS
from pigevo.benchmark.instances import SUITES
from pigevo.benchmark.reference import reference_trials
from pigevo.studies.find import experiments_folder, load_study
from tests.experiments.prose import numbers, paragraphs, rows_of, told_rows, unfounded

study = load_study("benchmark")

PLACE = experiments_folder() / "benchmark"
README = (PLACE / "README.md").read_text()
TABLES = {path.name: path.read_text() for path in PLACE.glob("*.md") if path.name != "README.md"}
RESULTS = README[README.index("## Results") : README.index("## Limits")]


def rows(table, *beginnings):
    return [(f"{table}.md", one) for one in beginnings]


SOURCES = {
    "- **Exeter's knockout**": rows("suites", "all | knockout", "all | nash_memory", "all | random_search"),
    "- **At the end**": rows("suites", "all | knockout", "all | hill_climber")
    + rows("endings", "piglet-t20-c2-exact | hill", "piglet-t20-c2-exact | knockout")
    + rows("zeros", "piglet-t20-c2-exact"),
    "- **With games**": rows("instances", "t20-d3-c2-g100 |"),
    "- **Ten rounds**": rows("endings", "ten_rounds-n3-m20-d6-c2-g100 | knockout") + rows("zeros", "ten_rounds"),
}
BULLETS = [one for one in paragraphs(RESULTS) if numbers(one) and one.startswith("- ")]


def intervals(table, beginning, column):
    """The name, or cell before the column, of each row that begins so, and the ends of the interval in the column."""
    for row in rows_of(TABLES, rows(table, beginning)):
        cells = [cell.strip() for cell in row.strip("| ").split("|")]
        yield cells[1], *map(float, re.search(r"\((.+) to (.+)\)", cells[column]).groups())


def test_tables_follow_from_the_trials():
    assert {f"{name}.md": text for name, text in study.tables(reference_trials()).items()} == TABLES


def test_the_table_of_the_readme_is_that_of_all_instances():
    said = re.findall(r"^\| (\w+ \| 0\..+) \|$", RESULTS, flags=re.M)
    assert said == [row.removeprefix("| all | ").rstrip(" |") for row in rows_of(TABLES, rows("suites", "all |"))]


@pytest.mark.parametrize("bullet", BULLETS, ids=lambda text: text[:30])
def test_every_number_is_that_of_a_row(bullet):
    assert unfounded(bullet, told_rows(bullet, SOURCES, TABLES), {"2016", "1"}) == []


def test_sentences_that_compare_say_what_the_tables_say():
    ends = {name: (low, high) for name, low, high in intervals("suites", "all |", 2)}
    top = ends.pop("random_search")[1]
    assert [name for name, (low, _) in ends.items() if low > top] == ["knockout", "nash_memory"]
    (row,) = rows_of(TABLES, rows("instances", "t20-d3-c2-g100 |"))
    found = [[float(one) for one in re.findall(r"[\d.]+", cell)] for cell in row.strip("| ").split("|")[1:]]
    assert min(high for _, _, high in found) > max(low for _, low, _ in found)
    assert (min(one[0] for one in found), max(one[0] for one in found)) == (0.129, 0.160)


def test_those_that_do_not_use_the_oracle_are_the_same_without_it():
    def ends(name):
        return {
            algorithm: [(one.loss, one.area_loss) for one in reference_trials()
                        if (one.instance, one.algorithm) == (name, algorithm)]
            for algorithm in ALGORITHMS
        }  # fmt: skip

    for with_it, without in (
        ("t20-d3-c2-exact-oracle", "t20-d3-c2-exact"),
        ("t20-d3-c2-g100-oracle", "t20-d3-c2-g100"),
    ):
        one, other = ends(with_it), ends(without)
        assert {name for name in one if one[name] != other[name]} == {"hill_climber", "random_search"}


def test_the_readme_counts_what_there_is():
    places = {name for names in SUITES.values() for name in names}
    assert f"{len(ALGORITHMS)} {len(places)} {len(SUITES['games'])}" == "10 14 4"  # ten, fourteen, four of other games
    assert study.MOST_SEEDS == 6


@pytest.mark.slow
def test_the_study_writes_its_tables_and_its_picture(tmp_path, monkeypatch):
    monkeypatch.setattr(study, "SUITES", {"t10-d2-c1-g10": ("t10-d2-c1-g10",)})
    study.run(tmp_path, 1, 1)
    assert {path.name for path in tmp_path.glob("*.*") if path.is_file()} >= {*TABLES, "trials.csv"}
    assert (tmp_path / "pictures/hits.png").is_file()
    made, kept = (
        [one for one in reference_trials(path) if one.seed == 0 and one.instance == "t10-d2-c1-g10"]
        for path in (tmp_path / "trials.csv", None)
    )
    assert len(made) == len(ALGORITHMS)
    assert made == kept
