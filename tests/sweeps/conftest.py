"""Jobs of small runs, and processes that do them."""

import shutil
import subprocess

import pytest

from pigevo.sweeps import Job
from tests.small import small_settings, small_words, two_rates


@pytest.fixture(scope="session")
def samples(tmp_path_factory):
    """A folder of baseline samples, each of which is drawn once."""
    return tmp_path_factory.mktemp("samples")


@pytest.fixture(autouse=True)
def _own_cache(samples, monkeypatch):
    """Baseline samples go to a folder of the tests'; compiled kernels stay where they are, also for workers."""
    from pigevo.compiled.cache import cache_folder

    if place := cache_folder():
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(place.parent))
    monkeypatch.setenv("XDG_CACHE_HOME", str(samples))


@pytest.fixture
def make_jobs():
    """Jobs of small runs, one for each seed, in folders named by it."""

    def make(root, seeds, *words):
        settings = small_settings(*words)
        typed = tuple(small_words(*words))
        return [Job(settings.with_(seed=seed), root / f"{seed}", typed) for seed in seeds]

    return make


@pytest.fixture
def workers(monkeypatch):
    """The worker processes that were started, in order."""
    started, Popen = [], subprocess.Popen

    def noting(*arguments, **options):
        started.append(Popen(*arguments, **options))
        return started[-1]

    monkeypatch.setattr("pigevo.workers.pool.subprocess.Popen", noting)
    return started


@pytest.fixture(scope="session")
def finished_sweep(tmp_path_factory):
    return two_rates(tmp_path_factory.mktemp("outputs"), 4)


@pytest.fixture
def sweep(finished_sweep, tmp_path):
    """A copy, somewhere else: what a sweep consists of moves as a whole."""
    shutil.copytree(finished_sweep.parents[1], tmp_path / "moved")
    return tmp_path / "moved" / "sweeps" / finished_sweep.name
