"""A sweep read back: its runs, and how far each is."""

import json
import shutil

import pytest

import pigevo
from pigevo.cli import main
from pigevo.errors import InputError
from pigevo.storage.lock import locked
from pigevo.sweeps.record import write_failures


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


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda f: shutil.rmtree(f), "holds no run"),
        (lambda f: (f / "metrics.csv").unlink(), r"metrics\.csv is missing"),
        (lambda f: (f / "metrics.csv").write_text("a,b\n1\n"), "was changed since it was written"),
        (lambda f: (f / "result.json").write_text("{"), "is damaged"),
    ],
)
def test_a_damaged_run_is_refused(sweep, damage, said):
    folder = pigevo.load_sweep(sweep).members[0].folder
    damage(folder)
    with pytest.raises(InputError, match=said):
        pigevo.load_run(folder)


def test_how_far_each_run_is(sweep, capsys):
    found = pigevo.load_sweep(sweep)
    assert [m.state for m in found.members] == ["finished"] * 8
    assert main(["status", str(sweep)]) == 0
    folders = [m.folder for m in found.members]
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
    said = capsys.readouterr().out
    assert "8 runs: 4 finished, 1 running, 1 failed, 1 interrupted, 1 missing" in said
    assert "killed by signal 9" in said
    assert "failed once" not in said
    main(["status", str(sweep), "--json"])
    record = json.loads(capsys.readouterr().out)
    assert record["counts"]["interrupted"] == 2
    assert not (folders[0]).exists()  # looking makes nothing


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": 99, "runs": []}', '{"format": 1, "runs": [{}]}'])
def test_a_damaged_record_is_refused(tmp_path, content):
    (tmp_path / "sweep.json").write_text(content)
    with pytest.raises(InputError, match=r"is damaged|by a later pigevo"):
        pigevo.load_sweep(tmp_path)
