"""Jobs of small runs, and processes that do them."""

import os
import subprocess
import sys

import pytest

from pigevo.config import check, compose
from pigevo.sweeps import Job, Outcome
from pigevo.sweeps.drive import drive

SMALL = (
    "debug=fast", "game.target=12", "population.size=6", "fitness.games=10", "mutation=0.03", "workers=1",
    "generations=6", "checkpoint_every=2", "record_every=2",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    """Baseline samples go to a fresh folder; compiled kernels stay where they are, also for workers."""
    from pigevo.compiled import cache_folder

    if place := cache_folder():
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(place.parent))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def small():
    """The settings of a small run, as on the command line."""
    return SMALL


@pytest.fixture
def make_jobs():
    """Jobs of small runs, one for each seed, in folders named by it."""

    def make(root, seeds, *words):
        config = check(compose([*SMALL, *words]))
        return [Job({**config, "seed": seed}, root / f"{seed}") for seed in seeds]

    return make


@pytest.fixture
def workers(monkeypatch):
    """The worker processes that were started, in order."""
    started, Popen = [], subprocess.Popen

    def noting(*arguments, **options):
        started.append(Popen(*arguments, **options))
        return started[-1]

    monkeypatch.setattr("pigevo.sweeps.worker.subprocess.Popen", noting)
    return started


@pytest.fixture
def environment():
    """Of a process that finds this pigevo."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}


def done_here(jobs, *, note):
    """A runner without workers: quick, for tests of what comes after."""
    from pigevo.runs import run

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pigevo.runs.pictures.draw_run", lambda *_: None)
        for job in jobs:
            run(job.config, job.folder)
    return [Outcome(job, "finished") for job in jobs]


@pytest.fixture(scope="session")
def finished_sweep(tmp_path_factory):
    """Two mutation rates with four seeds each: the home of all sweeps, and the sweep's own folder."""
    home = tmp_path_factory.mktemp("outputs") / "sweeps"
    jobs = [
        Job({**check(compose([*SMALL, f"mutation={rate}"])), "seed": seed}, home.parent / "default" / f"{rate}-{seed}")
        for rate in (0, 0.3)
        for seed in range(4)
    ]
    drive(jobs, ["mutation=0,0.3", "seed=range(4)"], home, done_here)
    (folder,) = home.iterdir()
    return folder
