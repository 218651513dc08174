"""`pigevo cache`: where the caches lie, how large they are, and what empties them."""

import os

import numpy as np
import pytest

import pigevo.storage.cache_dirs
from pigevo.compiled import cache
from pigevo.compiled.kernel import kernel
from tests.small import small_settings

BUILD = "pigevo-0123456789abcdef"


@pytest.fixture
def places(tmp_path, monkeypatch):
    """A build of kernels and two samples, each with something of the user's beside it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "kernels"))
    sizes = {
        f"kernels/{BUILD}/f-0123456789ab0123456789ab.kernel": 2_000_000, f"kernels/{BUILD}/notes.txt": 10,
        "cache/pigevo/baselines/0123456789abcdef.npz": 300_000, "cache/pigevo/baselines/fedcba9876543210.npz": 200_000,
        "cache/pigevo/baselines/mine.npz": 10,
    }  # fmt: skip
    for name, size in sizes.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(bytes(size))
    return tmp_path


def test_it_says_where_they_lie_and_how_large_they_are(answer, record_of, places):
    output = answer("cache")
    assert f"kernels    {places}/kernels: 1 builds, 2.0 MB of at most 100.0 MB\n" in output
    assert f"baselines  {places}/cache/pigevo/baselines: 2 samples, 0.5 MB of at most 100.0 MB\n" in output
    assert [(row["count"], row["bytes"]) for row in record_of("cache")["caches"]] == [(1, 2_000_000), (2, 500_000)]


def test_clear_leaves_what_pigevo_has_not_made(answer, places):
    assert "0 builds, 0.0 MB of at most 100.0 MB; 2.0 MB were removed" in answer("cache --clear")
    assert sorted(path.name for path in places.rglob("*") if path.is_file()) == ["mine.npz", "notes.txt"]


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_a_place_that_others_can_write_to_is_named_with_what_closes_it(answer, record_of, places):
    (places / "kernels").chmod(0o777)
    output = answer("cache --clear")
    assert f"kernels    not kept: other users can write to {places}/kernels (`chmod go-w` closes it)\n" in output
    assert (places / "kernels" / BUILD / "notes.txt").exists()
    assert record_of("cache")["caches"][0]["folder"] is None


def test_the_samples_of_a_run_make_room(places, monkeypatch):
    from pigevo.runs.baseline import cached_sample

    monkeypatch.setattr(pigevo.storage.cache_dirs.make_room, "__defaults__", (400_000,))
    old = places / "cache/pigevo/baselines/fedcba9876543210.npz"
    os.utime(old, (1, 1))
    settings = small_settings("game.target=6", "baseline=random_search", "baseline.populations=2")
    _, file = cached_sample(settings, settings.plan.waves[0].grid)
    assert file.exists()
    assert not old.exists()
    assert (old.parent / "0123456789abcdef.npz").exists()


def test_a_kernel_that_is_cached_makes_room(places, monkeypatch):
    old, used = places / "kernels" / BUILD, places / "kernels" / BUILD.replace("0", "1")
    used.mkdir()
    monkeypatch.setattr(pigevo.storage.cache_dirs.make_room, "__defaults__", (1_000_000,))
    monkeypatch.setattr("pigevo.compiled.kernel.cache_folder", lambda: used)
    monkeypatch.setattr(cache, "_has_warned", False)

    @kernel()
    def add(a):
        return a.sum()

    assert add(np.ones(3)) == 3
    assert [path.suffix for path in used.iterdir()] == [".kernel"]
    assert [path.name for path in old.iterdir()] == ["notes.txt"]
