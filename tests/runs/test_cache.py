"""Baseline samples, cached between runs."""

import dataclasses
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from pigevo.evolution.random_search import random_values, search
from pigevo.games import Pig
from pigevo.runs import baseline
from pigevo.runs.baseline import cached_sample
from pigevo.settings.settings import Settings
from pigevo.strategies import CubeGrid
from pigevo.sweeps.curves import random_sample
from tests.small import small_settings

GRID = CubeGrid(Pig(target=10), 4)
POPULATIONS = small_settings("baseline=random_search").choices["baseline"].values["populations"]


class Maker:
    """Counts how often a sample is made."""

    calls = 0

    def __call__(self, grid, size, workers, track):
        self.calls += 1
        return np.full((POPULATIONS, size), 0.25 + self.calls)


@pytest.fixture
def make():
    return Maker()


@pytest.fixture
def sample(make):
    """The sample of some settings on a grid, from the maker or the cache."""

    def sample_of(*words, grid=GRID, make=make):
        settings = small_settings("game.target=10", "baseline=random_search", *words)
        settings.__dict__["plan"] = dataclasses.replace(settings.plan, baseline=make)
        return cached_sample(settings, grid)

    return sample_of


MAIN_JOB = Settings.of("experiment=cube_random", "mutation=0.005")
"""Its samples come with the package: after a change of what decides them, remove the old files from
`pigevo/runs/random_samples`, start the main job, and copy the new ones from the folder that `pigevo cache` names."""


def supplied_sample(size):
    """The sample that comes with the package for a cube size of the main job, and its grid."""
    grid = CubeGrid(MAIN_JOB.plan.game, size)
    values, path = cached_sample(MAIN_JOB, grid)
    assert path.parent == baseline.SUPPLIED
    return values, grid


@pytest.mark.parametrize("size", [20, 5, 1])
def test_the_samples_of_the_main_job_come_with_the_package(size):
    values, grid = supplied_sample(size)
    assert values.shape == (300, 20)
    some = [0, 150, 299]
    assert np.array_equal(values[some], random_values(grid, 20, some, 1))


@pytest.mark.long
@pytest.mark.parametrize("size", [20, 5, 1])
def test_they_are_those_that_a_run_makes(size):
    values, grid = supplied_sample(size)
    assert np.array_equal(values, random_values(grid, 20, range(300), 2))


def test_a_sample_is_made_once(sample, make, tmp_path):
    first, path = sample()
    again, same = sample("workers=2", "seed=3", "fitness.games=20")
    assert make.calls == 1
    assert np.array_equal(first, again)
    assert path == same
    assert path.is_relative_to(tmp_path / "cache" / "pigevo")


@pytest.mark.parametrize(
    ("words", "grid"),
    [
        ([], CubeGrid(Pig(target=10), (4, 4, 5))),
        ([], CubeGrid(Pig(target=11), 4)),
        ([], CubeGrid(Pig(target=10, allow_pass=True), 4)),
        (["population.size=8"], GRID),
        (["baseline.populations=9"], GRID),
    ],
)
def test_whatever_decides_a_sample_makes_another(sample, make, words, grid):
    sample()
    sample(*words, grid=grid)
    assert make.calls == 2


def test_random_populations_are_drawn_beside_runs_without_a_baseline_of_which_a_plan_is_made():
    settings = small_settings("game.target=10", "baseline=none")
    settings.refuse_impossible()
    for seed in (1, 2):
        settings = settings.with_(seed=seed)
        assert random_sample(settings)[1].shape == (300, settings.plan.size)


@pytest.mark.parametrize("version", ["STREAM_VERSION", "ENGINE_VERSION"])
def test_so_does_another_version_of_the_dice_or_of_the_engine(sample, make, monkeypatch, version):
    sample()
    monkeypatch.setattr(baseline, version, -1)
    sample()
    assert make.calls == 2


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 damaged", {"other": np.ones(3)}, {"sample": np.empty((0, 6))}])
def test_a_damaged_file_is_made_again(sample, make, content):
    _, path = sample()
    if isinstance(content, dict):
        np.savez(path, **content)
    else:
        path.write_bytes(content)
    assert [sample()[0][0, 0] for _ in range(2)] == [2.25, 2.25]
    assert make.calls == 2


def test_threads_and_processes_that_need_one_sample_draw_it_once(sample, make, tmp_path):
    """A lock of flock is one of an open file, so that threads meet it as processes do."""

    def slowly(*arguments):
        time.sleep(0.5)
        return make(*arguments)

    with ThreadPoolExecutor(3) as threads:
        made = [*threads.map(lambda _: sample(make=slowly)[0], range(3))]
    assert make.calls == 1
    assert all(np.array_equal(values, made[0]) for values in made)
    (name,) = (path.name for path in (tmp_path / "cache" / "pigevo" / "baselines").iterdir())
    assert name.endswith(".npz")  # no lock stays


def test_a_process_that_is_killed_while_it_draws_holds_up_nobody(sample, make, tmp_path):
    _, path = sample()
    path.unlink()
    script = f"""
import sys, time
from pathlib import Path
from pigevo.storage.files import alone
with alone(Path({str(path)!r})):
    print("held", flush=True)
    time.sleep(600)
"""
    holder = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert holder.stdout.readline() == "held\n"
    with ThreadPoolExecutor(1) as thread:
        waiting = thread.submit(sample)
        time.sleep(0.5)
        assert not waiting.done()
        holder.kill()
        holder.wait()
        values, _ = waiting.result(600)
    assert make.calls == 2
    assert values.shape == (POPULATIONS, 6)
    assert list(path.parent.iterdir()) == [path]


def test_where_nothing_can_be_written_the_sample_is_still_made(sample, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "file"))
    values, path = sample()
    assert values.shape == (POPULATIONS, 6)
    assert path is None


def test_a_search_is_made_once_for_what_decides_it(monkeypatch):
    made = []

    def counted(*arguments):
        made.append(search(*arguments))
        return made[-1]

    monkeypatch.setattr(baseline, "search", counted)

    def searched(*words, strategies=24, grid=GRID):
        settings = small_settings("game.target=10", "baseline=random_search", *words)
        return baseline.cached_search(settings, grid, strategies)

    first, path = searched()
    assert (searched("mutation=0.3", "workers=2"), len(made)) == ((first, path), 1)
    path.write_bytes(b"damaged")
    assert (searched()[0], len(made)) == (first, 2)
    paired = "fitness=games fitness.paired=true fitness.games=20"
    for others in ("seed=5", "fitness.games=12", paired, "selection=round_robin", "population.size=8"):
        searched(*others.split())
    searched(strategies=30)
    searched(grid=CubeGrid(Pig(target=10), 5))
    assert len(made) == 9
