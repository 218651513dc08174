"""`pigevo benchmark`: to read, as JSON, and wrong words."""

from pathlib import Path

import pytest

from pigevo.experiments.benchmark.algorithms import ALGORITHMS
from pigevo.experiments.benchmark.instances import SUITES

SMALL = "benchmark random_search --instances t9-d3,t9-d3-g10 --seeds 2 --budget 300 --workers 1"


@pytest.mark.slow
def test_to_read(answer):
    lines = answer(f"{SMALL} hill_climber").splitlines()
    assert lines[0] == "2 algorithms, 2 instances, 2 seeds; by the anytime area of loss, too few seeds for intervals"
    assert lines[2].split() == ["algorithm", "area", "hit"]
    assert {lines[3].split()[0], lines[4].split()[0]} == {"random_search", "hill_climber"}
    assert "  t9-d3-c1-exact (the best genome known: loss 0.0000, exploitability 0.0000)" in lines
    assert any(line.startswith("  t9-d3-c1-g10 (") for line in lines)
    label, place = lines[-1].split(": ")
    assert label == "  tables, pictures and IOHprofiler's files"
    assert Path(place).parent == Path("outputs/benchmark/results")
    assert (Path(place) / "standings.csv").is_file()


@pytest.mark.slow
def test_as_json(record_of):
    record = record_of(f"{SMALL} --by exploitability --to new")
    assert (record["by"], record["seeds"]) == ("exploitability", 2)
    assert record["folder"].startswith("new/results/exploitability-1x2x2-")
    assert [row["algorithm"] for row in record["standings"]] == ["random_search"]
    assert {row["instance"] for row in record["endings"]} == {"t9-d3-c1-exact", "t9-d3-c1-g10"}
    assert {row["by"] for row in record["times"]} == {"loss", "exploitability"}


@pytest.mark.slow
def test_one_stands_beside_those_that_are_named(record_of):
    base = "from pigevo.experiments.benchmark.algorithms.single_champion import RandomSearch\n"
    Path("mine.py").write_text(f"{base}class Mine(RandomSearch): pass\n")
    rows = record_of(f"{SMALL} --algorithm mine.py:Mine")["standings"]
    assert {row["algorithm"] for row in rows} == {"random_search", "mine.py:Mine"}


def test_one_stands_beside_all_reference_algorithms(pigevo, monkeypatch):
    called = []

    def noted(algorithms, *_, **__):
        called.append(algorithms)
        raise KeyboardInterrupt

    monkeypatch.setattr("pigevo.experiments.benchmark.bench.benchmark", noted)
    output = pigevo("benchmark --algorithm mine.py:Mine")
    assert output.status == 130
    assert output.err.strip() == "pigevo: interrupted; the same command goes on with the trials that are left."
    assert called == [(*ALGORITHMS, "mine.py:Mine")]


def test_the_list_has_all(answer, record_of):
    output = answer("benchmark --list")
    assert all(f"  {name}: " in output for name in [*ALGORITHMS, *SUITES])
    record = record_of("benchmark --list")
    assert list(record["algorithms"]) == list(ALGORITHMS)
    assert record["suites"].keys() == SUITES.keys()
    assert not Path("outputs").exists()


@pytest.mark.slow
def test_reference_results_stand_beside_an_entrant(answer, record_of):
    words = "benchmark random_search --instances t10-d2-c1-g10 --seeds 2 --workers 1"
    before, after = answer(words).split("  reference results (experiments/benchmark), not computed again here\n")
    assert "  random_search" in before
    heads, *rows = after.split("\n\n")[0].splitlines()
    assert heads.split() == ["algorithm", "area", "hit"]
    names = [row.split()[0] for row in rows]
    assert set(names) == ALGORITHMS.keys() - {"random_search"}
    assert [row["algorithm"] for row in record_of(words)["reference"]] == names
    assert "no reference results: they are of the instances" in answer(f"{words} --budget 500")
