"""A sweep of small runs, and the command line that reports on it."""

import json
import shutil

import pytest

from pigevo.cli import main
from pigevo.sweeps import Job
from pigevo.sweeps.run_sweep import drive
from tests.small import done_here, small_settings


@pytest.fixture(scope="session")
def samples(tmp_path_factory):
    """Where baseline samples go; compiled kernels stay where they are."""
    from pigevo.compiled.kernel import cache_folder

    cache_folder()  # found once for the process, before its place is changed
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def _own_cache(samples, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(samples))


@pytest.fixture(scope="session")
def made(tmp_path_factory, samples):
    """A sweep with waves, of two mutation rates with three seeds each, inside `outputs`."""
    home = tmp_path_factory.mktemp("made") / "outputs" / "sweeps"
    words = ("cubes=waves", "cubes.sizes=[6,4]", "cubes.generations=[3,3]", "baseline=random_search")
    jobs = [
        Job(small_settings(*words, f"mutation={rate}", f"seed={seed}"), home.parent / "default" / f"{rate}-{seed}")
        for rate in (0, 0.3)
        for seed in range(3)
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(samples))
        return drive(jobs, [*words, "mutation=0,0.3", "seed=range(3)"], home, done_here)


@pytest.fixture
def sweep(made, tmp_path):
    shutil.copytree(made.parents[1], tmp_path / "outputs")
    return tmp_path / "outputs" / "sweeps" / made.name


@pytest.fixture
def one(sweep):
    return sweep.parents[1] / "default" / "0.3-1"


@pytest.fixture
def told(capsys):
    """Call the command line: what it says as JSON."""

    def call(*words):
        assert main(["report", *map(str, words), "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    return call


@pytest.fixture
def wrong(capsys):
    """Call the command line with something wrong: its one sentence."""

    def call(*words):
        assert main(["report", *map(str, words)]) == 2
        said = capsys.readouterr().err
        return said.splitlines()[-1]

    return call
