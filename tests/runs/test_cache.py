"""Baseline samples kept between runs."""

import numpy as np
import pytest

from pigevo.dice import Draw
from pigevo.evolution.baselines.random_search import no_baseline, random_search
from pigevo.evolution.referee import referee
from pigevo.games import Pig
from pigevo.runs import cache
from pigevo.runs.cache import cached_sample
from pigevo.strategies import CubeGrid

GRID = CubeGrid(Pig(target=10), 4)


class Maker:
    """Counts how often a sample is made."""

    calls = 0

    def __call__(self, grid, size, workers, track):
        self.calls += 1
        return np.full((3, size), 0.25 + self.calls)


def test_a_sample_is_made_once(tmp_path):
    make = Maker()
    first, path = cached_sample(make, GRID, 5, "options", 1)
    again, same = cached_sample(make, GRID, 5, "options", 2)
    assert make.calls == 1
    assert np.array_equal(first, again)
    assert path == same
    assert path.is_relative_to(tmp_path / "cache" / "pigevo")


@pytest.mark.parametrize(
    "other",
    [
        (CubeGrid(Pig(target=10), (4, 4, 5)), 5, "options"),
        (CubeGrid(Pig(target=11), 4), 5, "options"),
        (CubeGrid(Pig(target=10, allow_pass=True), 4), 5, "options"),
        (GRID, 6, "options"),
        (GRID, 5, "populations=9"),
    ],
)
def test_whatever_decides_a_sample_makes_another(other):
    make = Maker()
    cached_sample(make, GRID, 5, "options", 1)
    cached_sample(make, *other, 1)
    assert make.calls == 2


def test_another_stream_version_makes_another(monkeypatch):
    make = Maker()
    cached_sample(make, GRID, 5, "options", 1)
    monkeypatch.setattr(cache, "STREAM_VERSION", -1)
    cached_sample(make, GRID, 5, "options", 1)
    assert make.calls == 2


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 damaged", None])
def test_a_damaged_file_is_made_again(content):
    make = Maker()
    _, path = cached_sample(make, GRID, 5, "options", 1)
    if content is None:
        np.savez(path, other=np.ones(3))
    else:
        path.write_bytes(content)
    again, _ = cached_sample(make, GRID, 5, "options", 1)
    assert make.calls == 2
    assert again[0, 0] == 2.25
    assert cached_sample(make, GRID, 5, "options", 1)[0][0, 0] == 2.25
    assert make.calls == 2


def test_where_nothing_can_be_written_the_sample_is_still_made(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    sample, path = cached_sample(Maker(), GRID, 5, "options", 1)
    assert sample.shape == (3, 5)
    assert path is None


def test_random_search_is_the_referees_view_of_random_genomes():
    sample = random_search(GRID, 4, 1, iter, populations=3)
    assert sample.shape == (3, 4)
    for number in range(3):
        genomes = Draw(0, "validation", number).bits(4, GRID.genes)
        assert np.array_equal(sample[number], referee(GRID.game, GRID.to_tables(genomes)))
    assert np.array_equal(random_search(GRID, 4, 2, iter, populations=2), sample[:2])


def test_no_baseline_is_an_empty_sample():
    assert no_baseline(GRID, 4, 1, iter).shape == (0, 4)
