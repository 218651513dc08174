"""`pigevo benchmark`: to read, as JSON, and wrong words."""

import json
from pathlib import Path

import pytest

from pigevo.benchmark.algorithms import ALGORITHMS
from pigevo.benchmark.instances import SUITES

SMALL = "benchmark random_search --instances t9-d3,t9-d3-g10 --seeds 2 --budget 300 --workers 1"


@pytest.mark.slow
def test_to_read(pigevo):
    output = pigevo(f"{SMALL} hill_climber")
    assert output.status == 0, output.err
    lines = output.out.splitlines()
    assert lines[0] == "2 algorithms, 2 instances, 2 seeds; by the anytime area of loss, too few seeds for intervals"
    assert lines[2].split() == ["algorithm", "area", "hit"]
    assert {lines[3].split()[0], lines[4].split()[0]} == {"random_search", "hill_climber"}
    assert "  t9-d3-c1-exact (the best genome known: loss 0.0000, exploitability 0.0000)" in lines
    assert any(line.startswith("  t9-d3-c1-g10 (") for line in lines)
    output, place = lines[-1].split(": ")
    assert output == "  tables, pictures and IOHprofiler's files"
    assert Path(place).parent == Path("outputs/benchmark/results")
    assert (Path(place) / "standings.csv").is_file()


@pytest.mark.slow
def test_as_json(pigevo):
    record = json.loads(pigevo(f"{SMALL} --by exploitability --to new --json").out)
    assert (record["by"], record["seeds"]) == ("exploitability", 2)
    assert record["folder"].startswith("new/results/exploitability-1x2x2-")
    assert [one["algorithm"] for one in record["standings"]] == ["random_search"]
    assert {one["instance"] for one in record["endings"]} == {"t9-d3-c1-exact", "t9-d3-c1-g10"}
    assert {one["by"] for one in record["times"]} == {"loss", "exploitability"}


@pytest.mark.slow
def test_one_stands_beside_those_that_are_named(pigevo):
    Path("mine.py").write_text(
        "from pigevo.benchmark.algorithms.single_champion import RandomSearch\nclass Mine(RandomSearch): pass\n"
    )
    record = json.loads(pigevo(f"{SMALL} --algorithm mine.py:Mine --json").out)
    assert {one["algorithm"] for one in record["standings"]} == {"random_search", "mine.py:Mine"}


def test_one_stands_beside_all_reference_algorithms(pigevo, monkeypatch):
    called = []

    def noted(algorithms, *_, **__):
        called.append(algorithms)
        raise KeyboardInterrupt

    monkeypatch.setattr("pigevo.benchmark.bench.benchmark", noted)
    output = pigevo("benchmark --algorithm mine.py:Mine")
    assert (output.status, output.err.strip()) == (
        130,
        "pigevo: interrupted; the same command goes on with the trials that are left.",
    )
    assert called == [(*ALGORITHMS, "mine.py:Mine")]


def test_the_list_has_all(pigevo):
    output = pigevo("benchmark --list")
    assert output.status == 0
    assert all(f"  {name}: " in output.out for name in [*ALGORITHMS, *SUITES])
    record = json.loads(pigevo("benchmark --list --json").out)
    assert list(record["algorithms"]) == list(ALGORITHMS)
    assert record["suites"].keys() == SUITES.keys()
    assert not Path("outputs").exists()


@pytest.mark.slow
def test_an_entrant_is_told_beside_them(pigevo):
    words = "benchmark random_search --instances t10-d2-c1-g10 --seeds 2 --workers 1"
    said = pigevo(words).out
    before, after = said.split("  reference results (experiments/benchmark), not computed again here\n")
    assert "  random_search" in before
    lines = after.split("\n\n")[0].splitlines()
    assert {line.split()[0] for line in lines} == ALGORITHMS.keys() - {"random_search"}
    record = json.loads(pigevo(f"{words} --json").out)
    assert [one["algorithm"] for one in record["reference"]] == [line.split()[0] for line in lines]
    assert "no reference results: they are of the instances" in pigevo(f"{words} --budget 500").out
