"""Small runs, each in a folder of its own and with a cache of its own."""

import os
import sys

import pytest

from pigevo.config import check, compose

SMALL = (
    "debug=fast", "game.target=12", "population.size=6", "fitness.games=10", "mutation=0.03", "workers=1",
    "generations=6", "checkpoint_every=2", "record_every=2",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    """Baseline samples go to a fresh folder; compiled kernels stay where they are."""
    import pigevo.compiled

    pigevo.compiled.cache_folder()  # found once for the process, before its place is changed
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def make_config():
    """A checked config of a small run, with more settings as on the command line."""
    return lambda *words: check(compose([*SMALL, *words]))


@pytest.fixture
def small():
    """The settings of a small run, as on the command line."""
    return SMALL


@pytest.fixture
def pictures():
    """For tests that want the figures drawn."""


@pytest.fixture(autouse=True)
def _no_pictures(request, monkeypatch):
    """Figures take most of the time of a small run, and are drawn only for tests that ask."""
    if "pictures" not in request.fixturenames:
        monkeypatch.setattr("pigevo.runs.pictures.draw_run", lambda *_: None)


@pytest.fixture
def environment():
    """Of a process that finds this pigevo, and its kernels compiled."""
    from pigevo.compiled import cache_folder

    place = cache_folder()
    kept = {"NUMBA_CACHE_DIR": str(place.parent)} if place else {}
    return os.environ | {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)} | kept
