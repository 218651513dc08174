"""Studies are found in experiments/, and each has what the command calls."""

import inspect

import pytest

from pigevo.errors import InputError
from pigevo.studies.find import experiments_folder, load_study, study_names


def test_the_studies_are_the_folders_with_a_study_file():
    assert "exeter2016" in study_names()
    assert study_names() == sorted(p.name for p in experiments_folder().iterdir() if (p / "study.py").exists())


@pytest.mark.parametrize("name", study_names())
def test_every_study_can_be_run_and_tells_its_result(name):
    assert list(inspect.signature(load_study(name).run).parameters) == ["folder", "seeds", "workers"]
    assert (experiments_folder() / name / "README.md").is_file()


def test_another_name_is_refused():
    with pytest.raises(InputError, match="no study 'exeter2061'; did you mean exeter2016"):
        load_study("exeter2061")
