"""A sweep read back, also through links: its runs, and how far each is."""

import json
import shutil

import pytest

import pigevo
from pigevo.cli import main
from pigevo.errors import InputError
from pigevo.storage.files import locked
from pigevo.sweeps.load import load_sweep
from pigevo.sweeps.record import write_failures
from pigevo.sweeps.run_sweep import drive
from tests.small import done_here


def test_a_run_is_read_back(finished_sweep):
    member = pigevo.load_sweep(finished_sweep).members[0]
    run = pigevo.load_run(member.folder)
    assert run.settings.seed == member.seed
    assert run.metrics["generation"].tolist() == [0, 2, 4, 6]
    assert run.metrics["cube_size"].tolist() == ["1"] * 4
    assert run.metrics["mean"][-1] == run.result["last_mean"]
    assert pigevo.win_probability(run.champion, pigevo.optimal(run.champion.game).strategy).overall == pytest.approx(
        run.result["champion"]["overall"]
    )
    frame = run.frame()
    assert list(frame.columns)[:2] == ["generation", "wave"]
    assert frame["mean"].tolist() == run.metrics["mean"].tolist()


def test_its_champions_are_taken_where_many_strategies_meet(finished_sweep, capsys):
    loaded = pigevo.load_sweep(finished_sweep)
    champions = loaded.champions()
    assert list(champions) == [f"{m.setting},seed={m.seed}" for m in loaded.finished]
    assert list(champions.values())[1] == loaded.finished[1].load().champion
    assert [champion.name for champion in champions.values()] == list(champions)
    assert set(pigevo.tournament(champions, times=1).names) == set(champions)
    few = "--populations 20 --generations 5 --json"
    assert main(["dynamics", "optimal", str(finished_sweep), *few.split()]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["names"] == ["optimal", *champions]
    assert record["game"] == str(loaded.finished[0].load().champion.game)
    assert [row["setting"] for row in record["settings"]] == loaded.settings
    assert sum(row["champions"] for row in record["settings"]) == len(champions)
    for key in ("end", "alpha_rank", "takes_over"):
        together = record["strategies"][0][key] + sum(row[key] for row in record["settings"])
        assert together == pytest.approx(1, abs=1e-9)
    assert main(["tournament", str(finished_sweep), "--times", "1", "--target", "50"]) == 2
    assert "not Pig to 50: give the game's own settings" in capsys.readouterr().err


def test_a_sweep_without_a_finished_run_has_no_champions(sweep):
    for member in pigevo.load_sweep(sweep).members:
        (member.folder / "result.json").unlink()
    with pytest.raises(InputError, match=r"no run of .* has finished: run the sweep first"):
        pigevo.load_sweep(sweep).champions()
    table = pigevo.load_sweep(sweep).table()
    assert [name for name in table if not len(table[name])] == list(table)
    assert list(table)[:6] == ["run", "setting", "seed", "generation", "metric", "value"]


def test_how_far_each_run_is(sweep, capsys):
    loaded = pigevo.load_sweep(sweep)
    assert [m.state for m in loaded.members] == ["finished"] * 8
    assert main(["status", str(sweep)]) == 0
    folders = [m.folder for m in loaded.members]
    shutil.rmtree(folders[0])
    for folder in folders[1:4]:
        (folder / "result.json").unlink()
    shutil.rmtree(folders[2] / "figures", ignore_errors=True)
    (folders[2] / "checkpoint.npz").unlink()
    write_failures(sweep, {folders[2]: "killed by signal 9 (Killed)", folders[5]: "failed once, finished since"})
    capsys.readouterr()
    with locked(folders[3]):
        states = [m.state for m in pigevo.load_sweep(sweep).members]
        assert states == ["missing", "interrupted", "failed", "running", *["finished"] * 4]
        assert main(["status", str(sweep)]) == 1
    output = capsys.readouterr().out
    assert "8 runs: 4 finished, 1 running, 1 failed, 1 interrupted, 1 missing" in output
    assert "killed by signal 9" in output
    assert "failed once" not in output
    main(["status", str(sweep), "--json"])
    record = json.loads(capsys.readouterr().out)
    assert record["counts"]["interrupted"] == 2
    assert not (folders[0]).exists()  # looking makes nothing


@pytest.mark.parametrize("content", ["{", '{"format": 99, "runs": []}'])
def test_a_damaged_record_is_refused(tmp_path, content):
    (tmp_path / "sweep.json").write_text(content)
    with pytest.raises(InputError, match=r"is damaged|by a later pigevo"):
        pigevo.load_sweep(tmp_path)


@pytest.mark.parametrize("linked", ["outputs/sweeps", "outputs", ""])
def test_a_sweep_whose_folder_or_one_above_it_is_a_link_is_read(make_jobs, tmp_path, linked):
    if linked:
        (tmp_path / "disk" / linked).mkdir(parents=True)
        (tmp_path / linked).parent.mkdir(exist_ok=True)
        (tmp_path / linked).symlink_to(tmp_path / "disk" / linked)
    folder = drive(
        make_jobs(tmp_path / "outputs" / "runs", [1, 2]), ["seed=1,2"], tmp_path / "outputs/sweeps", done_here
    )
    (tmp_path / "mine").symlink_to(folder)
    for place in (folder, folder.resolve(), tmp_path / "mine"):
        assert [member.state for member in load_sweep(place).members] == ["finished"] * 2
