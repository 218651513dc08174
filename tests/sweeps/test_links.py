"""A sweep that is found through links is the same sweep."""

import pytest

from pigevo.sweeps.load import load_sweep
from pigevo.sweeps.run_sweep import drive
from tests.small import done_here


@pytest.fixture
def states(make_jobs, tmp_path):
    """A function that does a sweep whose folders are links, and tells how its runs stand through others."""

    def found(home, runs, seen):
        jobs = make_jobs(runs, [1, 2])
        folder = drive(jobs, ["seed=1,2"], home, done_here)
        return [[m.state for m in load_sweep(place).members] for place in (folder, seen(folder))]

    return found


FINISHED = [["finished"] * 2] * 2


def test_a_link_to_its_folder(states, tmp_path):
    def link(folder):
        (tmp_path / "far").mkdir()
        (tmp_path / "far" / "mine").symlink_to(folder)
        return tmp_path / "far" / "mine"

    assert states(tmp_path / "outputs" / "sweeps", tmp_path / "outputs" / "runs", link) == FINISHED


def test_the_folder_of_all_sweeps_is_a_link(states, tmp_path):
    (tmp_path / "disk" / "deep" / "sweeps").mkdir(parents=True)
    (tmp_path / "outputs").mkdir()
    (tmp_path / "outputs" / "sweeps").symlink_to(tmp_path / "disk" / "deep" / "sweeps")

    def real(folder):
        return folder.resolve()

    assert states(tmp_path / "outputs" / "sweeps", tmp_path / "outputs" / "runs", real) == FINISHED


def test_the_folder_of_all_results_is_a_link(states, tmp_path):
    (tmp_path / "disk" / "deep").mkdir(parents=True)
    (tmp_path / "outputs").symlink_to(tmp_path / "disk" / "deep")

    def real(folder):
        return folder.resolve()

    assert states(tmp_path / "outputs" / "sweeps", tmp_path / "outputs" / "runs", real) == FINISHED
