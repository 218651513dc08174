"""Work that is handed to launchers and clusters, followed to its end; real clusters are in test_ray.py and test_slurm.py."""

import contextlib
import os
import signal
import sys
import threading
import types
from pathlib import Path

import pytest
import yaml

from pigevo.cli import main
from pigevo.errors import InputError
from pigevo.settings.schema import conf_folder
from pigevo.storage.files import locked
from pigevo.sweeps.job import job_record
from pigevo.sweeps.launchers import LAUNCHERS, follow, launcher_of, work
from pigevo.sweeps.run_sweep import drive
from tests.small import small_words


class Now:
    """A future of what is done at once."""

    def __init__(self, work, *given):
        self.work, self.given, self.cancelled = work, given, False

    def future(self):
        return self

    def done(self):
        return True

    def result(self):
        return self.work(*self.given)

    def cancel(self):
        self.cancelled = True


@pytest.fixture
def ray(monkeypatch):
    """A Ray that records the calls and works in this process."""
    calls = {}

    class Remote:
        def __init__(self, work):
            self.remote = lambda *given: Now(work, *given)

    module = types.ModuleType("ray")
    module.remote = lambda **options: calls.update(remote=options) or Remote
    module.init = lambda **options: calls.update(init=options)
    module.shutdown = lambda: calls.update(shut=True)
    module.cancel = lambda ref: ref.cancel()
    module.exceptions = types.SimpleNamespace(AuthenticationError=type("AuthenticationError", (Exception,), {}))
    monkeypatch.setitem(sys.modules, "ray", module)
    monkeypatch.setenv("RAY_AUTH_MODE", "to be restored")
    monkeypatch.delenv("RAY_AUTH_MODE")
    return calls


@pytest.fixture
def submitit(monkeypatch):
    """A submitit that records the calls and works in this process."""
    calls = {}

    class AutoExecutor:
        def __init__(self, **options):
            calls["executor"] = options

        def update_parameters(self, **options):
            calls["parameters"] = options

        def map_array(self, task, parts):
            calls["parts"] = parts
            return [Now(task, part) for part in parts]

    module = types.ModuleType("submitit")
    module.AutoExecutor = AutoExecutor
    module.core = types.SimpleNamespace(utils=types.SimpleNamespace(FailedJobError=RuntimeError))
    monkeypatch.setitem(sys.modules, "submitit", module)
    return calls


def choice(name):
    given = yaml.safe_load((conf_folder() / "hydra" / "launcher" / f"{name}.yaml").read_text())
    return given | {"workers": 1} if name == "pigevo" else given


@pytest.fixture
def swept(make_jobs, tmp_path):
    """A function that does a sweep with a launcher."""

    def sweep(launcher, seeds=(1,)):
        jobs = make_jobs(tmp_path / "runs", seeds)
        drive(jobs, [], tmp_path / "sweeps", launcher_of(launcher, tmp_path / "sweeps"))
        return jobs

    return sweep


def test_each_launcher_has_a_file_that_shows_all_its_options(tmp_path):
    files = {path.stem: choice(path.stem) for path in (conf_folder() / "hydra" / "launcher").glob("*.yaml")}
    assert {given["name"] for given in files.values()} == set(LAUNCHERS)
    for given in files.values():
        assert set(given) - {"name"} == set(LAUNCHERS[given["name"]].options) - {"home"}
        assert launcher_of(given, tmp_path)


@pytest.mark.parametrize(("mode", "expected"), [(None, "token"), ("disabled", "disabled")])
def test_ray_asks_for_its_token_unless_the_user_says_otherwise(swept, ray, monkeypatch, mode, expected):
    if mode:
        monkeypatch.setenv("RAY_AUTH_MODE", mode)
    swept(choice("ray_cluster"))
    assert os.environ["RAY_AUTH_MODE"] == expected


def test_a_missing_or_wrong_token_of_the_ray_cluster_is_one_sentence(swept, ray, monkeypatch):
    module = sys.modules["ray"]
    for error, message in (
        (module.exceptions.AuthenticationError("Token authentication is enabled"), "Ray's token is missing: with"),
        (ConnectionError("Failed to connect\nand more"), "lets this machine in .Failed to connect.: start one with"),
    ):

        def init(error=error, **_):
            raise error

        monkeypatch.setattr(module, "init", init)
        with pytest.raises(InputError, match=message):
            swept(choice("ray_cluster"))


def test_slurm_executes_nothing_from_a_folder_that_others_can_write_to(swept, tmp_path, submitit):
    (tmp_path / "sweeps" / ".submitit").mkdir(parents=True)
    (tmp_path / "sweeps" / ".submitit").chmod(0o777)
    with pytest.raises(InputError, match="Slurm would execute what lies in"):
        swept(choice("submitit_slurm"))
    assert not submitit


def test_slurm_gets_an_array_of_tasks(swept, tmp_path, submitit):
    given = {"runs_per_task": 2, "slurm_partition": "main", "timeouts": 4}
    jobs = swept(choice("submitit_slurm") | given, (1, 2, 3))
    assert submitit["executor"] == {
        "folder": tmp_path / "sweeps" / ".submitit", "cluster": "slurm", "slurm_max_num_timeout": 4,
    }  # fmt: skip
    assert submitit["parameters"] == {
        "timeout_min": 60, "name": "pigevo", "cpus_per_task": 1, "mem_gb": 2, "slurm_partition": "main",
        "slurm_array_parallelism": 256, "slurm_additional_parameters": {},
        "slurm_setup": ["export PYTHONSAFEPATH=1"],
    }  # fmt: skip
    assert [len(part) for part in submitit["parts"]] == [2, 1]
    assert all(job.is_finished for job in jobs)


def test_the_command_gives_a_cluster_the_runs(tmp_path, monkeypatch, ray):
    monkeypatch.chdir(tmp_path)
    words = ["-m", *small_words("seed=1,2"), "hydra/launcher=ray_cluster", "hydra.launcher.remote.num_cpus=2"]
    assert main(words) == 0
    init = {"address": "auto", "log_to_driver": False, "logging_level": 30}
    assert ray == {"remote": {"num_cpus": 2, "max_retries": 3}, "init": init, "shut": True}
    assert len(list(Path("outputs/sweeps").glob("*/sweep.json"))) == 1
    assert len(list(Path("outputs/default").glob("*/result.json"))) == 2


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "hydra.launcher names no launcher"),
        ("pool", "hydra.launcher names no launcher"),
        (
            {"_target_": "hydra_plugins.x.JoblibLauncher", "n_jobs": 2},
            "JoblibLauncher is a launcher of Hydra's, and not one of pigevo's",
        ),
        ({"name": "pol"}, "no launcher 'pol'; did you mean pool"),
        ({"name": "pool", "workers": 0}, "hydra.launcher.workers = 0 is out of range: it must be at least 1"),
        ({"name": "pool", "wokers": 1}, "there is no setting hydra.launcher.wokers"),
        ({"name": "slurm", "mem_gb": "much"}, "hydra.launcher.mem_gb = 'much' must be a number"),
        ({"name": "slurm", "mem_gb": float("inf")}, "hydra.launcher.mem_gb = inf is out of range"),
        ({"name": "slurm", "mem_gb": float("nan")}, "hydra.launcher.mem_gb = nan is out of range"),
        ({"name": "slurm", "mem_gb": -1}, "hydra.launcher.mem_gb = -1.0 is out of range: it must be from 0 to 1000000"),
    ],
)
def test_a_wrong_launcher_is_one_sentence(tmp_path, given, message):
    with pytest.raises(InputError) as caught:
        launcher_of(given, tmp_path)
    assert message in str(caught.value)


class Piece:
    """A future of which the test decides what it is."""

    def __init__(self, answers=None, error=None, ended=True):
        self.answers, self.error, self.ended = answers, error, ended

    def done(self):
        return self.ended

    def result(self):
        if self.error:
            raise self.error
        return self.answers


def answers_of(jobs):
    return work([job_record(job) for job in jobs])


def test_a_folder_in_use_is_waited_for_and_then_reported(make_jobs, tmp_path, monkeypatch):
    (job,) = make_jobs(tmp_path, (1,))
    monkeypatch.setattr("pigevo.storage.files.RETRY_SECONDS", 0.0)
    monkeypatch.setattr("pigevo.sweeps.job.LOCK_SECONDS", 0.1)
    with locked(job.folder):
        ((state, error, _),) = answers_of([job])
    assert (state, "another process is at work" in error) == ("failed", True)
    monkeypatch.setattr("pigevo.sweeps.job.LOCK_SECONDS", 600)
    lock = contextlib.ExitStack()
    lock.enter_context(locked(job.folder))
    threading.Timer(0.5, lock.close).start()
    ((state, error, _),) = answers_of([job])
    assert (state, error) == ("finished", "")


def test_work_does_runs_and_reports_each(make_jobs, tmp_path):
    good, bad = make_jobs(tmp_path, (1, 2))
    (tmp_path / "2").write_text("")
    (first, second) = answers_of([good, bad])
    assert first[:2] == ("finished", "")
    assert second[0] == "failed"
    assert "cannot be written" in second[1]
    assert (good.folder / ".hydra" / "overrides.yaml").read_text().splitlines()[0] == "- debug=fast"


def test_what_was_stopped_begins_nothing_more(make_jobs, tmp_path, monkeypatch):
    jobs = make_jobs(tmp_path, (1, 2))
    monkeypatch.setattr("pigevo.sweeps.launchers.do", lambda *_, **__: ("interrupted", "stopped", 1.0))
    answers = answers_of(jobs)
    assert len(answers) == 1
    assert [o.state for o in follow([(jobs, Piece(answers))], lambda: None, lambda _: None)] == ["interrupted"] * 2


def test_the_result_on_disk_counts_whatever_the_cluster_says(make_jobs, tmp_path):
    jobs = make_jobs(tmp_path, range(5))
    answers_of(jobs[:3])
    noted = []
    begun = [
        ([jobs[0]], Piece([("finished", "", 1.5)])),
        ([jobs[1]], Piece(error=RuntimeError("node lost\nlong story"))),  # after its last run had ended
        ([jobs[2]], Piece(ended=False)),  # forgotten by the cluster
        ([jobs[3]], Piece(error=RuntimeError("node lost\nlong story"))),
        ([jobs[4]], Piece([("finished", "", 1.0)])),  # into a folder that this machine does not see
    ]
    outcomes = follow(begun, lambda: None, noted.append)
    assert [o.job for o in outcomes] == jobs
    assert [o.state for o in outcomes] == ["finished"] * 3 + ["failed"] * 2
    assert outcomes[0].seconds == 1.5
    assert outcomes[3].error == "lost by the cluster: RuntimeError: node lost"
    assert "do all machines see this folder?" in outcomes[4].error
    assert {id(o) for o in noted} == {id(o) for o in outcomes}


def test_a_request_to_stop_is_passed_on(make_jobs, tmp_path):
    jobs = make_jobs(tmp_path, (1, 2))
    pieces = [
        Piece([("interrupted", "stopped", 1.0)], ended=False),
        Piece(error=RuntimeError("cancelled"), ended=False),
    ]

    def cancel():
        for piece in pieces:
            piece.ended = True

    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    outcomes = follow([([job], piece) for job, piece in zip(jobs, pieces, strict=True)], cancel, lambda _: None)
    assert [o.state for o in outcomes] == ["interrupted"] * 2
