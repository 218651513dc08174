"""Sweeps and searches from the command line: checked, recorded, done by workers, skipped when done."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pigevo.settings.settings import Settings
from pigevo.storage.files import locked
from tests.small import done_here, environment_of_a_process

pytestmark = pytest.mark.usefixtures("kernels_stay")

SMALL = "debug=fast game.target=12 population.size=6 fitness.games=10 generations=2 record_every=2 baseline=none"
POOL = "pigevo.workers.pool.subprocess.Popen"


@pytest.fixture
def done_at_once(monkeypatch):
    monkeypatch.setattr("pigevo.sweeps.run_sweep.run_jobs", lambda jobs, _, **options: done_here(jobs, **options))


def not_started(*_, **__):
    raise AssertionError("a worker was started")


def record(tmp_path):
    (path,) = (tmp_path / "outputs" / "sweeps").glob("*/sweep.json")
    return path, json.loads(path.read_text())


WRONG = [
    ("+mutatoin=1,2", "no setting 'mutatoin'; did you mean"),
    ("crossover=deap crossover.operator=cxOnePoint,cxNope", "cxNope"),
    ("seed=range(0)", "the sweep has no runs"),
    ("seed=1,2 hydra.sweep.subdir=same", "two different runs would share the folder outputs/same"),
    ("seed=1,2 hydra/launcher=basic", "BasicLauncher is a launcher of Hydra's, and not one of pigevo's"),
    ("seed=1,2 hydra/sweeper=basic", "hydra/sweeper changes nothing here"),
    ("seed=1,2 hydra.launcher.workers=0", "at least 1"),
    ("cubes=none,waves", "generations = 2 changes nothing with cubes=waves"),
]


@pytest.mark.slow
def test_a_wrong_value_anywhere_is_refused_before_the_first_run(refused, tmp_path, monkeypatch):
    monkeypatch.setattr(POOL, not_started)
    for words, output in WRONG:
        refused(f"-m {SMALL} {words}", output)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("launcher", "needs"),
    [("ray_cluster", "ray>="), pytest.param("submitit_slurm", "submitit>=", marks=pytest.mark.slow)],
)
def test_a_cluster_gets_nothing_that_is_wrong_either(pigevo, tmp_path, monkeypatch, launcher, needs):
    wrong = pigevo(f"-m {SMALL} mutation=0.1,1.5 hydra/launcher={launcher}")
    assert (wrong.status, wrong.out) == (2, "")
    assert "mutation = 1.5 is out of range" in wrong.err
    assert list(tmp_path.iterdir()) == []
    for module in ("ray", "submitit"):
        monkeypatch.setitem(sys.modules, module, None)  # as if not installed
    output = pigevo(f"-m {SMALL} seed=1,2 hydra/launcher={launcher}").err
    version = re.search(rf"pip install '({needs}[0-9.]+)'", output).group(1)
    assert f'"{version}"' in (Path(__file__).parents[2] / "pyproject.toml").read_text()


def test_a_sweep_its_record_and_the_same_sweep_in_other_words(pigevo, answer, tmp_path, monkeypatch, done_at_once):
    answer(f"-m {SMALL} seed=1,1,2 mutation=0.01,1e-2,0.02")
    path, sweep = record(tmp_path)
    assert len(sweep["runs"]) == 4
    assert sweep["swept"] == ["mutation"]
    assert sweep["name"].startswith("default,mutation,seed-")
    assert "seed=1,1,2" in sweep["overrides"]
    runs = {(run["setting"], run["seed"]): (path.parent / run["folder"]).resolve() for run in sweep["runs"]}
    assert runs.keys() == {(f"mutation={rate}", seed) for rate in (0.01, 0.02) for seed in (1, 2)}
    assert all((folder / "result.json").is_file() for folder in runs.values())
    assert len(set(runs.values())) == 4
    assert not list(tmp_path.rglob("multirun.yaml"))

    monkeypatch.setattr("pigevo.sweeps.run_sweep.run_jobs", not_started)
    again = pigevo(f"-m mutation=2e-2,0.01 seed=2,1 {SMALL} selection=knockout workers=2")
    assert again.status == 0
    assert "4 runs, 4 finished before" in again.err
    assert len(list(Path("outputs/sweeps").iterdir())) == 1
    single = pigevo(f"{SMALL} seed=2 mutation=0.01")  # by itself, it is the same run in the same folder
    assert "finished before" in single.err
    assert str(runs["mutation=0.01", 2].relative_to(tmp_path)) in single.out


@pytest.mark.slow
def test_failures_are_listed_and_the_others_finish(pigevo, tmp_path, request):
    settings = Settings.of(*SMALL.split(), "seed=2")
    place = tmp_path / "outputs" / settings.folder
    place.parent.mkdir(parents=True)
    place.write_text("a file where the folder should be")
    output = pigevo(f"-m {SMALL} seed=1,2 hydra.launcher.workers=1")
    assert output.status == 1
    assert "1 of 2 runs are finished, 1 failed:" in output.err
    assert (
        f"  {place.relative_to(tmp_path)}\n    {place} cannot be written: it is a file; name another folder."
        in output.err
    )
    path, _ = record(tmp_path)
    failures = path.parent / "failures.json"
    assert list(json.loads(failures.read_text())["failures"]) == [os.path.relpath(place, path.parent)]

    place.unlink()
    request.getfixturevalue("done_at_once")
    assert pigevo(f"-m {SMALL} seed=2,1").status == 0
    assert not failures.exists()
    assert json.loads((place / "result.json").read_text())["config_hash"] == settings.hash


def test_a_sweep_of_one_run_says_so_and_has_no_spread(pigevo, answer, done_at_once):
    assert ": 1 run\n" in pigevo(f"-m {SMALL} seed=1").err
    (path,) = Path("outputs/sweeps").iterdir()
    assert answer("status").endswith(": 1 run: 1 finished\n")
    heads, row = answer(f"report {path} --table csv").splitlines()
    assert heads.endswith("standard deviation")
    assert row.split(",")[-3:] == ["", "", ""]


def test_all_sweeps_are_listed(pigevo, answer, done_at_once, refused):
    refused("status", "there is no folder outputs/sweeps: give the folder of one")
    for words in ("seed=1,2", "mutation=0.1,0.2"):
        answer(f"-m {SMALL} {words}")
    assert re.findall(r": (.*)", answer("status")) == ["2 runs: 2 finished"] * 2
    next(Path("outputs/default").glob("*/result.json")).unlink()
    output = pigevo("status --json")
    assert output.status == 1
    assert sorted(sweep["counts"]["finished"] for sweep in json.loads(output.out)["sweeps"]) == [1, 2]
    path = next(Path("outputs/sweeps").glob("*/sweep.json"))
    path.write_text("{}")
    assert f"{path} is damaged" in pigevo("status").out


@pytest.mark.slow
def test_folders_of_the_users_own(pigevo, tmp_path):
    words = f"-m {SMALL} hydra.sweep.dir=mine hydra.sweep.subdir=${{hydra.job.num}}"
    assert pigevo(f"{words} seed=1,2").status == 0
    assert {p.name for p in (tmp_path / "mine").iterdir()} == {"0", "1", "sweeps"}
    output = pigevo(f"{words} seed=2,1")
    assert output.status == 1
    assert output.err.count("holds a run of another config") == 2


def test_a_refused_run_leaves_the_record_of_the_run_that_was_there(answer, pigevo):
    def files():
        return {path.name: path.read_text() for path in Path("run/.hydra").iterdir()}

    answer(f"{SMALL} hydra.run.dir=run")
    before = files()
    assert before.keys() == {"config.yaml", "overrides.yaml"}
    output = pigevo(f"{SMALL} hydra.run.dir=run seed=7")
    assert output.status == 2
    assert "holds a run of another config" in output.err
    assert files() == before


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_stopped_by_ctrl_c_and_given_again(tmp_path):
    words = [*SMALL.split()[:-3], "generations=1500", "record_every=500", "checkpoint_every=20", "seed=1,2,3"]
    environment = environment_of_a_process()
    command = [sys.executable, "-m", "pigevo", "-m", "hydra.launcher.workers=2", *words]
    process = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 600
    while len(list(tmp_path.glob("outputs/*/*/checkpoint.npz"))) < 2 and time.monotonic() < until:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    output = process.communicate(timeout=600)[1]
    assert process.returncode == 130, output
    assert "0 of 3 runs are finished" in output
    assert "the same command goes on from there" in output
    again = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert again.returncode == 0, again.stderr
    logs = [path.read_text() for path in tmp_path.glob("outputs/default/*/run.log")]
    assert sum("going on after generation" in log for log in logs) == 2


def test_a_sweep_that_is_being_done_is_left_to_the_process_that_does_it(pigevo, tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(POOL, refuse)
    words = f"-m {SMALL} seed=1,2"
    assert pigevo(words).status == 1
    path, _ = record(tmp_path)
    with locked(path.parent, "sweep"):
        output = pigevo(words)
    assert output.status == 2
    assert "another process is at work" in output.err
    assert (path.parent / "failures.json").exists()


TUNE = "tune debug=fast game.target=9 baseline=none fitness.games=4"
SEARCH = f"{TUNE} mutation=0.001..0.1:log population.size=4..7 --runs 5 --seeds 1 --confirm 4"


def test_the_best_is_printed_with_its_interval_beside_the_default(answer, record_of, done_at_once):
    output, record = answer(SEARCH), record_of(SEARCH)
    best, fresh = record["best"], record["confirmed"]
    setting = ",".join(f"{key}={value}" for key, value in best["values"].items())
    interval = f"(95 % interval {fresh['low']:.4f} to {fresh['high']:.4f})"
    assert f"  {best['score']:.4f}  {setting}\n" in output
    assert f"best    {fresh['mean']:.4f} {interval}  {setting}" in output
    assert "mutation=0.01,population.size=20" in output
    assert any(proposal["refused"] for proposal in record["proposals"])
    assert "refused: population.size = " in output
    assert ("fANOVA" in output) == bool(record["importance"])
    answer(f"report {record['sweep']} --table csv")
    assert "paired by seed" in answer(f"compare {record['sweep']} {setting} mutation=0.01,population.size=20")
