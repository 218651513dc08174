"""A finished run, and a cache of baseline samples for each test."""

import shutil
from pathlib import Path

import pytest

from pigevo.runs import run
from tests.runs.cases import SAMPLED, WAVES
from tests.small import small_settings

OPS = "def half(first, second, context):\n    return first\n"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    """Baseline samples go to a fresh folder; compiled kernels stay where they are."""
    import pigevo.compiled.cache

    pigevo.compiled.cache.cache_folder()  # found once for the process, before its place is changed
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """The folder of a finished run in three waves, with pictures, a baseline and a copy of a user's operator."""
    home = tmp_path_factory.mktemp("finished")
    (home / "ops.py").write_text(OPS)
    own = ("crossover=custom", f"crossover.function={home / 'ops.py'}:half")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(home / "cache"))
        run(small_settings(*WAVES, *SAMPLED, *own, "figures=png"), home / "run", overrides=["seed=0"])
    return home / "run"


@pytest.fixture
def copied(finished, tmp_path):
    return Path(shutil.copytree(finished, tmp_path / "run"))
