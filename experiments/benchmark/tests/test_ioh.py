"""The records in IOHprofiler's format follow its rules and can be read by a published reader."""

import json
import re
import warnings

import numpy as np
import pytest

from experiments.benchmark.tests.entrants import Mutants
from pigevo.experiments.benchmark.instances import SUITES, instance
from pigevo.experiments.benchmark.output_files import files, function_id
from pigevo.experiments.benchmark.statistics import running_times
from pigevo.experiments.benchmark.trial import try_out

PLACE = instance("t9-d3-g10")


@pytest.fixture(scope="module")
def trials():
    return [try_out(Mutants, PLACE, seed, 1000, name="my mutants") for seed in range(3)]


@pytest.fixture
def folder(trials, tmp_path):
    for name, content in files(trials, PLACE, "loss", "a source"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    return tmp_path


def blocks(folder):
    (table,) = folder.rglob("*.dat")
    parts = re.split(r"^evaluations raw_y\n", table.read_text(), flags=re.M)
    assert parts[0] == ""
    return [np.array([line.split(" ") for line in part.splitlines()], dtype=float) for part in parts[1:]]


def test_the_record_has_what_readers_require(folder, trials):
    (file,) = folder.glob("*.json")
    record = json.loads(file.read_text())
    number = function_id(PLACE)
    assert file.name == f"IOHprofiler_f{number}_t9-d3-c1-g10.json"
    required = {"version", "suite", "function_id", "function_name", "maximization", "algorithm", "attributes"}
    assert required <= record.keys()
    assert tuple(map(int, record["version"].split("."))) >= (0, 3, 3)  # older ones have separators in quotes
    assert (record["function_id"], record["maximization"]) == (number, False)
    assert record["algorithm"] == {"name": "my mutants", "info": "a source"}
    assert record["attributes"] == ["evaluations", "raw_y"]
    assert {"unit": "games"} in record["experiment_attributes"]
    (scenario,) = record["scenarios"]
    assert scenario["path"] == f"data_f{number}_t9-d3-c1-g10/IOHprofiler_f{number}_DIM324.dat"
    assert (folder / scenario["path"]).is_file()
    assert scenario["dimension"] == PLACE.grid.genes == 324
    assert [run["evals"] for run in scenario["runs"]] == [trial.spent[-1] for trial in trials]
    assert [run["best"]["y"] for run in scenario["runs"]] == [trial.loss.min() for trial in trials]


def test_a_table_has_a_block_for_each_seed_that_begins_at_1_and_ends_with_the_last_evaluation(folder, trials):
    tables = blocks(folder)
    assert len(tables) == 3
    for rows, trial in zip(tables, trials, strict=True):
        assert rows[0].tolist() == pytest.approx([1, trial.loss[0]], abs=1e-9)
        assert rows[-1].tolist() == pytest.approx([1000, trial.loss[-1]], abs=1e-9)
        assert (np.diff(rows[:, 0]) > 0).all()
        assert rows[1:, 1] == pytest.approx(trial.loss[1:], abs=1e-9)
        assert (rows[:, 0] == 1).sum() == 1  # which is how a reader tells runs apart


def test_where_the_first_record_is_of_one_evaluation_it_is_the_beginning(tmp_path):
    class One(Mutants):
        size = 1

    place = instance("t9-d3")
    trial = try_out(One, place, 0, 10)
    table = dict(files([trial], place, "exploitability"))
    (rows,) = (content.decode().splitlines()[1:] for name, content in table.items() if name.endswith(".dat"))
    assert [int(row.split(" ")[0]) for row in rows] == trial.spent[1:].tolist()
    assert float(rows[0].split(" ")[1]) == pytest.approx(trial.exploitability[1], abs=1e-9)


def test_functions_have_numbers_of_their_own():
    names = {name for suite in SUITES.values() for name in suite} | {f"t{n}-d3" for n in range(20, 60)}
    numbers = {name: function_id(instance(name)) for name in names}
    assert len(set(numbers.values())) == len(names)
    assert max(numbers.values()) < 2**16
    assert [numbers[name] for name in SUITES["small"]] == list(range(1, len(SUITES["small"]) + 1))


def test_a_published_reader_reads_it(folder, trials):
    iohinspector = pytest.importorskip("iohinspector")
    manager = iohinspector.DataManager()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        manager.add_folder(str(folder))
    overview = manager.overview
    assert overview["algorithm_name"].to_list() == ["my mutants"] * 3
    assert overview["function_name"].to_list() == [PLACE.name] * 3
    assert overview["dimension"].to_list() == [324] * 3
    assert overview["evals"].to_list() == [int(trial.spent[-1]) for trial in trials]
    assert overview["best_y"].to_list() == [trial.loss.min() for trial in trials]
    data = manager.load(monotonic=False, include_meta_data=True)
    for run, trial in enumerate(trials, start=1):
        rows = data.filter(data["run_id"] == run)
        assert rows["evaluations"].to_list() == [1, *trial.spent[1:].tolist()]
        assert rows["raw_y"].to_list() == pytest.approx(trial.loss.tolist(), abs=1e-9)


def test_a_published_reader_finds_the_same_running_times(folder, trials):
    iohinspector = pytest.importorskip("iohinspector")
    from iohinspector.metrics.fixed_target import aggregate_running_time

    manager = iohinspector.DataManager()
    manager.add_folder(str(folder))
    data = manager.load(monotonic=True, include_meta_data=True)
    middle = float(np.median([trial.loss.min() for trial in trials]))
    table = aggregate_running_time(data, f_min=middle / 3, f_max=0.3, eval_max=1000).sort_values("raw_y")
    ours, _, _ = running_times(trials, "loss", table["raw_y"].to_numpy())
    assert {1, 2, 3} <= set(table["success_count"])  # some targets are hit by some seeds only
    assert ours == pytest.approx(table["ERT"].to_numpy())
