"""Words of small runs of several kinds, runs that are finished or left unfinished, and what a folder holds."""

import csv
import shutil
from pathlib import Path

import pytest

from pigevo.runs import run
from tests.small import small_settings

WAVES = ("cubes=waves", "cubes.sizes=[6,[4,3,2],1]", "cubes.generations=[3,2,4]")
SAMPLED = ("baseline=random_search", "baseline.populations=4")
ENDED = ("stop=evaluations", "stop.evaluations=30", "generations=50", "record_every=3", "baseline=random_search")
PROGRESS = (
    "fitness=panel", "selection=truncation", "replacement=survivors_and_offspring", "generations=50",
    "record_every=4", "stop=any", "stop.rules=[no_progress:3]", "mutation=0.01",
)  # fmt: skip
RING = ("islands=ring", "islands.count=3", "islands.interval=2", "population.size=12", "generations=5")
STAR = (
    "islands=star", "islands.count=2", "islands.interval=1", "population.size=12", "cubes=waves", "cubes.sizes=[6,3]",
    "cubes.generations=[2,3]", "selection=round_robin", "replacement=elites", "mutator=self_adapting",
    "stop=evaluations", "stop.evaluations=50",
)  # fmt: skip


class Killed(Exception):
    """What ends a run in a test."""


def left_after(generation, settings, folder):
    """Leave in the folder what a run leaves that is killed in the generation after this one."""

    def kill(later):
        if later.number > generation:
            raise Killed

    with pytest.raises(Killed):
        run(settings, folder, on_generation=kill)


def contents(folder):
    """The content of every file below a folder, by its path."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def rows_of(folder):
    with open(folder / "metrics.csv", newline="") as file:
        return list(csv.DictReader(file))


def untimed(folder):
    """The rows of a run's metrics without the time that each took."""
    return [{name: value for name, value in row.items() if name != "seconds"} for row in rows_of(folder)]


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
