"""Studies are found in experiments/, each has what the command calls, and its settings become jobs."""

import inspect
import sys

import pytest

from pigevo.errors import InputError
from pigevo.experiments import experiments_folder, load_study, study_names
from pigevo.experiments.common.settings import conclude, in_turn, jobs_of, read_settings
from pigevo.runs.progress import Interrupted
from pigevo.settings.settings import Settings
from pigevo.sweeps.job import FAILED, FINISHED, INTERRUPTED, Job, JobOutcome, SomeFailed


def test_the_studies_are_the_folders_with_a_study_file():
    assert "exeter2016" in study_names()
    assert study_names() == sorted(p.name for p in experiments_folder().iterdir() if (p / "study.py").exists())


@pytest.mark.parametrize("name", study_names())
def test_every_study_can_be_run_and_tells_its_result(name):
    assert list(inspect.signature(load_study(name).run).parameters) == ["folder", "seeds", "workers"]
    assert (experiments_folder() / name / "README.md").is_file()


@pytest.fixture
def experiments(tmp_path, monkeypatch):
    """A folder of one study with a module beside it."""
    monkeypatch.setattr("pigevo.experiments.experiments_folder", lambda: tmp_path)
    monkeypatch.setattr(sys.modules["pigevo.experiments"], "__path__", [str(tmp_path)])
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "beside.py").write_text("ANSWER = 42\n")
    (tmp_path / "mine" / "study.py").write_text("from .beside import ANSWER\n")
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("pigevo.experiments.mine")]:
        del sys.modules[name]


def test_a_study_can_import_the_modules_beside_it(experiments):
    assert load_study("mine").ANSWER == 42
    assert load_study("mine") is load_study("mine")
    assert "beside" not in sys.modules


def test_a_study_that_fails_is_not_kept(experiments):
    (experiments / "mine" / "study.py").write_text("1 / 0\n")
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            load_study("mine")


def test_another_name_is_refused():
    with pytest.raises(InputError, match="no study 'exeter2061'; did you mean exeter2017 or exeter2016"):
        load_study("exeter2061")


SETTINGS = read_settings(experiments_folder() / "exeter2016" / "settings.yaml")


@pytest.mark.slow
def test_the_paper_is_done_with_its_own_numbers(tmp_path):
    jobs = jobs_of(SETTINGS["paper"], 30, tmp_path)
    assert {len(members) for members in jobs.values()} == {30}
    settings_of = {name: members[0].settings.values for name, members in jobs.items()}
    assert {values["population"]["size"] for values in settings_of.values()} == {20}
    for name, values in settings_of.items():
        games = 25 if values["selection"]["name"] == "round_robin" else 100
        assert values["fitness"] == {"name": "games", "games": games, "paired": False}
        if name in ("figure_5", "figure_6"):
            assert (values["generations"], values["record_every"]) == (200, 2)
        elif values["cubes"]["name"] == "waves":
            assert values["cubes"] == {"name": "waves", "sizes": [20, 10, 5], "generations": 100}
        else:
            assert (values["generations"], values["record_every"]) == (1000, 10)


@pytest.mark.slow
def test_every_further_setting_makes_a_run_of_its_own(tmp_path):
    jobs = jobs_of(SETTINGS["paper"] | SETTINGS["further"], 1, tmp_path)
    hashes = [job.settings.hash for (job,) in jobs.values()]
    assert len(set(hashes)) == len(hashes) == len(SETTINGS["paper"]) + len(SETTINGS["further"])


def test_seeds_come_one_after_the_other_and_the_longest_runs_of_each_first(tmp_path):
    jobs = jobs_of({"a": "experiment=cube_random"}, 3, tmp_path) | jobs_of({"b": "mutation=0.5"}, 2, tmp_path)
    order = [(job.folder.relative_to(tmp_path).as_posix(), job.settings.seed) for job in in_turn(jobs)]
    assert order == [
        ("runs/b/seed_00", 0), ("runs/a/seed_00", 0), ("runs/b/seed_01", 1), ("runs/a/seed_01", 1), ("runs/a/seed_02", 2),
    ]  # fmt: skip


def test_a_study_goes_on_only_if_every_run_has_finished(tmp_path):
    job = Job(Settings.of(), tmp_path / "x")
    conclude([JobOutcome(job, FINISHED)])
    with pytest.raises(SomeFailed, match=r"1 of 2 runs failed:\n.*x: it broke"):
        conclude([JobOutcome(job, FINISHED), JobOutcome(job, FAILED, "it broke")])
    with pytest.raises(Interrupted, match="the same command goes on"):
        conclude([JobOutcome(job, INTERRUPTED), JobOutcome(job, FAILED, "it broke")])
