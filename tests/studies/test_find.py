"""Studies are found in experiments/, and each has what the command calls."""

import inspect
import sys

import pytest

from pigevo.errors import InputError
from pigevo.studies import find
from pigevo.studies.find import experiments_folder, load_study, study_names


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
    monkeypatch.setattr(find, "experiments_folder", lambda: tmp_path)
    monkeypatch.delitem(sys.modules, "pigevo_study_mine", raising=False)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "beside.py").write_text("ANSWER = 42\n")
    (tmp_path / "mine" / "study.py").write_text("from .beside import ANSWER\n")
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("pigevo_study_mine")]:
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
