"""Folders that pigevo 0.1.0 wrote are read, shown and verified."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

import pigevo
from pigevo.cli import main
from pigevo.errors import InputError
from pigevo.runs.folder import hash_of, settings_of
from pigevo.runs.metrics import DIGESTS_FILE
from pigevo.runs.verify import verify

HERE = Path(__file__).parent / "former"
NAMES = sorted(path.name for path in HERE.iterdir())


@pytest.fixture
def former(tmp_path, monkeypatch):
    """A copy of one of them, in an otherwise empty folder."""
    monkeypatch.chdir(tmp_path)

    def copy(name):
        return shutil.copytree(HERE / name, tmp_path / name)

    return copy


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name != "run.log"}


def test_there_are_some_of_several_kinds():
    assert NAMES == ["crossover_deap", "exp_cube_random", "long_rediscover"]
    assert all((HERE / name / DIGESTS_FILE).is_file() for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_they_are_loaded(former, caplog, name):
    run = pigevo.load_run(former(name))
    result = json.loads((HERE / name / "result.json").read_text())
    assert run.result == result
    assert "was written by a pigevo that kept no hashes: its files cannot be checked" in caplog.text
    assert run.settings.seed == result["config"]["seed"]
    assert hash_of(run.folder, run.settings) == result["config_hash"]
    assert run.metrics["mean"][-1] == result["last_mean"]
    assert {len(digest) for digest in run.metrics["digest"]} == {64}
    figures = pigevo.win_probability(run.champion, pigevo.optimal(run.champion.game).strategy)
    assert figures.overall == pytest.approx(result["champion"]["overall"], abs=1e-12)
    assert any(np.array_equal(run.champion.roll, member.roll) for member in run.population)
    assert run.plot().axes


@pytest.mark.parametrize("name", NAMES)
def test_they_are_verified_to_their_end(former, capsys, name):
    folder = former(name)
    found = verify(folder, 99, 1)
    assert found.same
    assert found.whole
    assert found.hashes is False
    assert main(["verify", name]) == 0
    assert "its files carry no hashes" in capsys.readouterr().out
    assert found.compared == tuple(pigevo.load_run(folder).metrics["generation"].astype(int))
    assert not any("the settings" in change for change in found.changed)


def test_a_former_record_that_was_altered_is_told(former):
    folder = former("long_rediscover")
    path = folder / DIGESTS_FILE
    rows = path.read_text().splitlines()
    path.write_text("\n".join([*rows[:3], rows[3].partition(",")[0] + "," + "0" * 64, *rows[4:]]) + "\n")
    (difference,) = verify(folder, 99, 1).differences
    assert "the population is another one (digest 000000000000 then" in difference
    path.write_text("\n".join(rows[:3]) + "\n")
    with pytest.raises(InputError, match="damaged"):
        verify(folder, 99, 1)


@pytest.mark.parametrize("name", NAMES)
def test_they_are_shown_and_left_alone(former, capsys, name):
    folder = former(name)
    before = contents(folder)
    assert main(["resume", name, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads((HERE / name / "result.json").read_text())
    assert main(["resume", name]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("The champion wins")
    assert "finished before" in said.err
    assert "kept no hashes" in said.err
    assert main(["duel", name, "hold_at:10", "--target", str(settings_of(folder).values["game"]["target"])]) == 0
    assert {path: text for path, text in contents(folder).items() if path.name != ".lock"} == before


def test_the_present_names_of_the_options_are_read_from_them(former):
    options = settings_of(former("long_rediscover")).choices["mutator"].options
    assert (options["decay"], options["least_share"], options["exponent"]) == (0.98, 0.3, 0.5)


@pytest.mark.parametrize("name", ["exp_cube_random", "crossover_deap"])
def test_a_game_of_them_is_played_again(former, capsys, name):
    former(name)
    assert main(["replay", name, "--generation", "2", "--pairing", "1", "--game", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["turns"]


@pytest.mark.parametrize("name", NAMES)
def test_the_present_settings_make_the_same_run(former, tmp_path, name):
    """The same digest, in a folder of its own: the hash says more than it did."""
    from pigevo.runs import run

    settings = settings_of(former(name)).with_(workers=1)
    record = json.loads((HERE / name / "result.json").read_text())
    again = run(settings, tmp_path / "again")
    assert again["digest"] == record["digest"]
    assert again["config_hash"] != record["config_hash"]
    assert (
        pigevo.load_run(tmp_path / "again").metrics["digest"].tolist()
        == pigevo.load_run(tmp_path / name).metrics["digest"].tolist()
    )


@pytest.mark.parametrize("name", NAMES)
def test_one_that_was_stopped_begins_anew_and_ends_the_same(former, capsys, name):
    folder = former(name)
    record = json.loads((folder / "result.json").read_text())
    (folder / "result.json").unlink()
    assert main(["resume", name, "--json"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["digest"] == record["digest"]
    assert "this run was begun by pigevo 0.1.0" in said.err
    assert not (folder / DIGESTS_FILE).exists()
    found = verify(folder, 99, 1)
    assert (found.same, found.whole, found.changed) == (True, True, ())


@pytest.mark.parametrize("name", NAMES)
def test_what_they_say_of_themselves_is_compared_although_they_carry_no_hashes(former, name):
    folder = former(name)
    path = folder / "result.json"
    record = json.loads(path.read_text())
    for key, value in (("peak_mean", 0.9999), ("champion", {**record["champion"], "overall": 0.9999})):
        path.write_text(json.dumps({**record, key: value}))
        assert any(key in said for said in verify(folder, 0, 1).differences)
    path.write_text(json.dumps({**record, "evaluations": 7}))
    assert any("evaluations" in said for said in verify(folder, 99, 1).differences)
    path.write_text(json.dumps(record))
    pigevo.hold_at(settings_of(folder).plan.game, 7).save(folder / "champion.npz")
    assert verify(folder, 0, 1).differences
