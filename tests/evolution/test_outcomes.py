"""What a selection says of a population, its outcome, is in the run's record, and nowhere else."""

import json
from dataclasses import make_dataclass
from types import MappingProxyType

import numpy as np
import pytest

import pigevo
from pigevo.cli import main
from pigevo.errors import InputError
from pigevo.evolution.logbook import RESULT_FIELDS
from pigevo.evolution.operators import Outcome
from pigevo.evolution.selection.map_elites import MapElites
from pigevo.runs.result import write_result
from pigevo.storage.records import write_arrays
from pigevo.strategies import EliteMap, load_elite_map
from tests.web.report.conftest import sketch

WORDS = ("debug=fast", "game.target=12", "baseline=none", "figures=none", "fitness=exact_vs_optimal", "seed=3")


class Margin(pigevo.Selection):
    """The better half survives; the outcome says how good both halves are."""

    outcome_name, outcome_columns = "margin", ("upper", "lower")
    changes = MappingProxyType({})

    def __call__(self, scores, context):
        return np.argsort(-scores, kind="stable")[: len(scores) // 2]

    def outcome(self, genomes, context, wins):
        values = wins(np.argsort(-context.scores, kind="stable"))
        upper, lower = (float(half.mean()) for half in np.array_split(values, 2))
        right = {"columns": {"upper": upper, "lower": lower}, "record": {"upper": upper}, "arrays": {"wins": values}}
        return Outcome(**{**right, **self.changes})


def margin(**attributes):
    """The selection above with other attributes."""
    return type("Margin", (Margin,), attributes)


def test_an_outcome_becomes_columns_a_field_and_a_file(tmp_path):
    run = pigevo.evolve(*WORDS, selection=Margin, folder=tmp_path / "run")
    upper, lower = run.metrics["upper"], run.metrics["lower"]
    assert (upper + lower) / 2 == pytest.approx(run.metrics["mean"])
    assert run.result["margin"] == {"upper": upper[-1]}
    with np.load(tmp_path / "run/archive.npz") as file:
        assert file["wins"].mean() == pytest.approx(run.metrics["mean"][-1])
        assert file["wins"].max() == run.result["champion"]["overall"]
    silent = margin(outcome_name="", outcome_columns=())
    other = pigevo.evolve(*WORDS, selection=silent, folder=tmp_path / "other")
    assert other.result["digest"] == run.result["digest"]
    assert not (tmp_path / "other/archive.npz").exists()


WRONG = [
    ({"columns": {"upper": 0.5}}, "numbers for the columns upper, lower"),
    ({"columns": {"upper": 0.5, "lower": "x"}}, "numbers for the columns upper, lower"),
    ({"columns": {"upper": 0.5, "lower": 10**400}}, "numbers for the columns upper, lower"),
    ({"columns": ["upper", "lower"]}, "numbers for the columns upper, lower"),
    ({"record": [1]}, "a record with entries by name"),
    ({"record": {"upper": np.zeros(2)}}, "a record that JSON can hold"),
    ({"arrays": {"wins": [1]}}, "arrays of numbers by name from `outcome`"),
]
WRONG_NAMES = [
    *(({"outcome_name": name}, r"which result\.json already has") for name in ("digest", "files")),
    *(({"outcome_name": name}, "it must be a name") for name in ("a b", 3)),
    ({"outcome_name": "elites"}, "belongs to pigevo's MapElites"),
    *(({"outcome_columns": columns}, "it must be a tuple") for columns in (3, "upper", ["upper"], ("a b",))),
    *(
        ({"outcome_columns": ("upper", name)}, r"which metrics\.csv already has")
        for name in ("best", "entropy", "luck", "gain_selection", "digest")
    ),
]


def test_wrong_outcomes_are_refused():
    for changes, part in WRONG:
        with pytest.raises(InputError, match=rf"the selection .*Margin.* returned .*; it must return {part}"):
            pigevo.evolve(*WORDS, selection=margin(changes=changes))


def test_names_that_are_taken_or_no_names_are_refused_before_the_run(tmp_path):
    for attributes, part in WRONG_NAMES:
        with pytest.raises(InputError, match=rf"^the selection .*Margin.* has .*outcome_.*{part}"):
            pigevo.evolve(*WORDS, selection=margin(**attributes), folder=tmp_path / "run")
        assert not list(tmp_path.iterdir())
    with pytest.raises(InputError, match="returned the column 'upper': choose another name"):
        pigevo.evolve(*WORDS, selection=Margin, on_generation=lambda generation: {"upper": 1})


def test_a_class_that_inherits_from_one_of_pigevo_s_keeps_its_outcome_name():
    run = pigevo.evolve(*WORDS, "selection=map_elites", selection=type("Mine", (MapElites,), {}))
    assert run.elite_map.coverage == run.result["elites"]["coverage"]


@pytest.mark.parametrize("words", [(), ("selection=map_elites", "lineage=true")])
def test_the_taken_names_are_all_fields_of_a_result(words, tmp_path):
    result = pigevo.evolve(*WORDS, *words, folder=tmp_path / "run").result
    assert set(result) - {"elites"} == set(RESULT_FIELDS)


def test_an_option_may_be_called_as_a_part_of_an_outcome():
    def call(self, scores, context):
        return np.argsort(-scores)[: self.columns - self.record + self.arrays]

    fields = [(name, int, 4) for name in ("columns", "record", "arrays")]
    selection = make_dataclass("Mine", fields, bases=(pigevo.Selection,), namespace={"__call__": call})
    run = pigevo.evolve(*WORDS, selection=selection, on_generation=lambda generation: {"number": 1})
    assert set(run.metrics["number"]) == {1}


def test_arrays_are_read_only_from_a_file_of_the_run_s_own(tmp_path, monkeypatch):
    sketch(monkeypatch)
    folder = tmp_path / "run"
    pigevo.evolve(*WORDS, folder=folder)
    (folder / "archive.npz").write_bytes(b"of somebody else")
    assert pigevo.load_run(folder).archive == {}
    assert main(["report", str(folder), "--figures", "svg"]) == 0
    assert main(["verify", str(folder)]) == 0


NO_MAPS = [
    ("pigevo_elites", lambda _: np.array('{"format": 99}'), r"later pigevo \(format 99\)"),
    ("wins", lambda wins: wins[:-1], "wins has the shape"),
    ("measures", lambda measures: measures.astype(np.float32), "measures holds float32"),
    ("bits", None, "it has no bits"),
    ("places", lambda places: places + 99, "a cell lies outside the map"),
]


def test_arrays_that_are_no_elite_map_are_refused_wherever_they_are_read(tmp_path, capsys):
    folder = tmp_path / "run"
    right = pigevo.evolve(*WORDS, "selection=map_elites", folder=folder).archive
    for name, change, part in NO_MAPS:
        arrays = {key: right[key] for key in right if key != name} | ({name: change(right[name])} if change else {})
        with pytest.raises(InputError, match=part):
            EliteMap.of(arrays)
        write_arrays(folder / "archive.npz", arrays)
        with pytest.raises(InputError, match=part):
            load_elite_map(folder / "archive.npz")
    capsys.readouterr()
    assert main(["verify", str(folder)]) != 0
    assert "archive.npz holds other arrays than the run" in capsys.readouterr().out
    record = json.loads((folder / "result.json").read_text())
    names = record.pop("files")
    write_result(folder, {key: record[key] for key in record if key not in ("format", "hash")}, names)
    with pytest.raises(InputError, match=part):
        assert pigevo.load_run(folder).elite_map
    assert main(["report", str(folder), "--figures", "svg"]) != 0
    assert part in capsys.readouterr().err
