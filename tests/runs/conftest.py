"""Small runs, each in a folder of its own and with a cache of its own."""

import pytest

from tests.small import environment_of_a_process, small_settings, small_words


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    """Baseline samples go to a fresh folder; compiled kernels stay where they are."""
    import pigevo.compiled

    pigevo.compiled.cache_folder()  # found once for the process, before its place is changed
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def make_settings():
    """The settings of a small run, with more of them as on the command line."""
    return small_settings


@pytest.fixture
def as_overrides():
    """The same as words of the command line."""
    return small_words


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
    return environment_of_a_process()
