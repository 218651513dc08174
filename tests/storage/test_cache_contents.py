"""Caches have a bound, and are emptied of nothing but what pigevo has put there."""

import os

import pytest

from pigevo.storage.cache_dirs import Entry, builds, make_room, remove, samples

NEW, FORMER = "pigevo-0123456789abcdef", "0123456789abcdef"
HOME = f"arena_{'0123456789' * 4}"
KERNEL = f"pigevo.simulation.kernels.play_games-{'0123456789ab' * 2}.kernel"


@pytest.fixture
def put(tmp_path):
    def file(name, size=100, used=None):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bytes(size))
        if used is not None:
            os.utime(path, (used, used))
            os.utime(path.parent, (used, used))
        return path

    return file


def names(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}


def test_builds_are_seen_with_their_sizes(put, tmp_path):
    put(f"{NEW}/{KERNEL}", 30, used=5)
    put(f"{NEW}/{KERNEL}k3j_x2.partial", 12, used=5)
    put(f"{FORMER}/{HOME}/kernels.play_games-39.py311.1.nbc", 7)
    put(f"{FORMER}/{HOME}/kernels.play_games-39.py311.nbi", 4)
    put(f"{FORMER}/{HOME}/kernels.play_games-39.py311.nbi.tmp.0123456789abcdef", 2)
    new, former = builds(tmp_path)
    assert (new.place.name, new.bytes, new.used) == (NEW, 42, 5)
    assert (former.place.name, former.bytes) == (FORMER, 13)
    remove(new)
    remove(former)
    assert list(tmp_path.iterdir()) == []


STRANGE = [
    "mine.kernel", f"{NEW}/notes.txt", f"{NEW}/notes.kernel", f"{NEW}/deeper/{KERNEL}", f"{NEW}.old/{KERNEL}",
    f"pigevo-{'x' * 16}/{KERNEL}", f"another_{'0' * 40}/function-1.py311.nbi", f"{FORMER}/function-1.py311.nbi",
    f"{FORMER}/{HOME}/notes.txt", f"{FORMER}/{HOME}/deeper/f.nbi", "0123456789abcdef.npz.txt", "champion.npz",
    "deeper/0123456789abcdef.npz", ".hidden.partial", ".champion.npz.partial",
]  # fmt: skip


def test_nothing_else_is_seen_or_removed(put, tmp_path):
    for name in STRANGE:
        put(name)
    put(f"{NEW}/{KERNEL}")
    put("0123456789abcdef.npz")
    put(".0123456789abcdef.npz.lock")  # of a process that was killed
    for entry in [*builds(tmp_path), *samples(tmp_path)]:
        remove(entry)
    assert names(tmp_path) == set(STRANGE)


@pytest.mark.skipif(os.name != "posix", reason="of POSIX")
def test_no_link_is_followed(put, tmp_path):
    for name in (f"elsewhere/{NEW}/{KERNEL}", f"elsewhere/{FORMER}/{HOME}/f.nbi", "elsewhere/0123456789abcdef.npz"):
        put(name)
    cache = tmp_path / "cache"
    (cache / NEW.replace("0", "1")).mkdir(parents=True)
    (cache / NEW).symlink_to(tmp_path / "elsewhere" / NEW)
    (cache / FORMER).symlink_to(tmp_path / "elsewhere" / FORMER)
    (cache / f"{FORMER}.npz").symlink_to(tmp_path / "elsewhere" / "0123456789abcdef.npz")
    (cache / NEW.replace("0", "1") / KERNEL).symlink_to(tmp_path / "elsewhere" / NEW / KERNEL)
    before = names(tmp_path)
    for entry in [*builds(cache), *samples(cache)]:
        remove(entry)
    assert names(tmp_path) == before


def test_the_oldest_make_room_and_the_one_in_use_stays(put, tmp_path):
    homes = [f"pigevo-{digit * 16}" for digit in "abcde"]
    for used, home in enumerate(homes):
        put(f"{home}/{KERNEL}", 100, used=1000 - used)  # e was used before all others
    make_room(builds(tmp_path), keep=tmp_path / homes[0], most=500)
    assert len(builds(tmp_path)) == 5
    make_room(builds(tmp_path), keep=tmp_path / homes[4], most=320)
    assert {entry.place.name for entry in builds(tmp_path)} == {homes[0], homes[1], homes[4]}
    make_room(builds(tmp_path), keep=tmp_path / homes[1], most=0)
    assert [entry.place.name for entry in builds(tmp_path)] == [homes[1]]


def test_what_another_process_has_removed_is_no_error(tmp_path):
    gone = Entry(tmp_path / "gone", (tmp_path / "gone" / "file",), (tmp_path / "gone",), 10, 0.0)
    assert remove(gone) == 0
    assert builds(tmp_path / "nowhere") == samples(tmp_path / "nowhere") == []
