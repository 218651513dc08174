"""Small runs, each in a folder of its own and with a cache of its own."""

import shutil
from pathlib import Path

import pytest

from pigevo.runs import run
from tests.small import small_settings, small_words

WAVES = (
    "cubes=waves",
    "cubes.sizes=[6,3]",
    "cubes.generations=[3,3]",
    "baseline=random_search",
    "baseline.populations=2",
)
OPS = "def half(first, second, context):\n    return first\n"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    """Baseline samples go to a fresh folder; compiled kernels stay where they are."""
    import pigevo.compiled.cache

    pigevo.compiled.cache.cache_folder()  # found once for the process, before its place is changed
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


@pytest.fixture(scope="session")
def whole(tmp_path_factory):
    """A finished run, with a copy of a user's operator, and pictures of a kind."""
    home = tmp_path_factory.mktemp("whole")
    (home / "ops.py").write_text(OPS)
    settings = small_settings(*WAVES, "figures=png", "crossover=custom", f"crossover.function={home / 'ops.py'}:half")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(home / "cache"))
        patch.setattr("pigevo.runs.pictures.draw_run", draw)
        run(settings, home / "run", overrides=["seed=0"])
    return home / "run"


def draw(folder, *_):
    (folder / "figures").mkdir()
    for name in ("curve.png", "champion.png"):
        (folder / "figures" / name).write_bytes(b"\x89PNG " + name.encode())


@pytest.fixture
def copied(whole, tmp_path):
    return Path(shutil.copytree(whole, tmp_path / "run"))
