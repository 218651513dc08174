"""The caches: nobody else can write there, they have a bound, and lose nothing but what pigevo has put there."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import pigevo
from pigevo.storage.cache_dirs import (
    CacheEntry,
    NotOurOwn,
    builds,
    make_room,
    own_cache,
    own_folder,
    remove,
    samples,
    temporary_cache,
    user_cache,
)

posix = pytest.mark.skipif(sys.platform == "win32", reason="modes and uids are those of POSIX")


def mode(path):
    return path.stat().st_mode & 0o7777


@pytest.fixture
def within_reach():
    """A folder that other users can come to, unlike `tmp_path`."""
    place = Path(tempfile.mkdtemp(prefix="pigevo-")).resolve()
    place.chmod(0o755)
    if not all(mode(level) & 0o011 for level in place.parents):
        pytest.skip("other users cannot come to the folder of temporary files")
    yield place
    shutil.rmtree(place)


@pytest.mark.parametrize("home", ["XDG_CACHE_HOME", "HOME"])
def test_the_cache_is_in_the_users_cache_folder(monkeypatch, tmp_path, home):
    if home == "HOME" and sys.platform != "linux":
        pytest.skip("where the folder lies elsewhere is platformdirs' business")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv(home, str(tmp_path))
    assert user_cache() == (tmp_path / "pigevo" if home == "XDG_CACHE_HOME" else tmp_path / ".cache" / "pigevo")
    assert list(tmp_path.iterdir()) == []


@posix
def test_a_user_without_a_home_has_one_of_their_own_among_the_temporary_files(monkeypatch):
    def unknown(uid):
        raise KeyError(f"getpwuid(): uid not found: {uid}")

    monkeypatch.setattr("pwd.getpwuid", unknown)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("HOME", raising=False)
    assert user_cache() == Path(tempfile.gettempdir()) / f"pigevo-{os.geteuid()}"


@posix
@pytest.mark.parametrize("umask", [0, 0o077])
def test_folders_are_made_for_the_user_alone_whatever_the_umask(tmp_path, umask):
    before = os.umask(umask)
    try:
        made = own_folder(tmp_path / "home" / "cache", "pigevo", "kernels")
    finally:
        os.umask(before)
    assert [mode(level) for level in (made, *made.parents[:3])] == [0o700] * 4
    made.parent.chmod(0o755)  # others could read it: it is closed
    assert own_folder(tmp_path / "home" / "cache", "pigevo", "kernels") == made
    assert mode(made.parent) == 0o700


@posix
@pytest.mark.parametrize("open_to", [0o770, 0o702, 0o1777])
@pytest.mark.parametrize("level", ["base/pigevo", "base/pigevo/kernels"])
def test_a_folder_of_ours_that_others_can_write_to_is_refused(tmp_path, level, open_to):
    own_folder(tmp_path / "base", "pigevo", "kernels")
    (tmp_path / level).chmod(open_to)
    with pytest.raises(NotOurOwn, match=f"other users can write to .*{level}"):
        own_folder(tmp_path / "base", "pigevo", "kernels")
    assert mode(tmp_path / level) == open_to  # what is in it may be anybody's: it is not closed and believed


@posix
@pytest.mark.parametrize("level", ["above", "above/base"])
def test_so_is_a_folder_that_others_could_replace_by_another(within_reach, level):
    own_folder(within_reach / "above" / "base", "pigevo")
    (within_reach / "above").chmod(0o755)
    (within_reach / level).chmod(0o777)
    with pytest.raises(NotOurOwn, match=f"other users can write to .*{level} "):
        own_folder(within_reach / "above" / "base", "pigevo")
    (within_reach / level).chmod(0o1777)  # as /tmp is: only who made a folder there can rename it
    assert own_folder(within_reach / "above" / "base", "pigevo").is_dir()
    (within_reach / level).chmod(0o777)
    within_reach.chmod(0o700)  # what lies below cannot be reached by others
    assert own_folder(within_reach / "above" / "base", "pigevo").is_dir()


@posix
def test_a_folder_of_another_user_is_refused(tmp_path, monkeypatch):
    own_folder(tmp_path, "pigevo")
    somebody = os.geteuid() + 1
    monkeypatch.setattr("os.geteuid", lambda: somebody)
    with pytest.raises(NotOurOwn, match="belongs to another user"):
        own_folder(tmp_path, "pigevo")


@posix
@pytest.mark.parametrize("level", ["pigevo", "pigevo/kernels"])
def test_a_link_where_a_folder_of_ours_should_be_is_refused(tmp_path, level):
    own_folder(tmp_path / "elsewhere", "kernels")
    (tmp_path / "base" / level).parent.mkdir(parents=True)
    (tmp_path / "base" / level).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="is a link and not a folder"):
        own_folder(tmp_path / "base", "pigevo", "kernels")


@posix
def test_the_users_own_folder_may_be_a_link_to_a_safe_place(within_reach):
    (within_reach / "scratch").mkdir()
    (within_reach / "base").symlink_to(within_reach / "scratch")
    assert own_folder(within_reach / "base", "pigevo") == within_reach / "scratch" / "pigevo"
    (within_reach / "scratch").chmod(0o777)
    with pytest.raises(NotOurOwn, match=r"other users can write to .*scratch"):
        own_folder(within_reach / "base", "pigevo")


@pytest.mark.parametrize("name", ["file", "file/base"])
def test_where_no_folder_can_be_made_the_system_says_why(tmp_path, name):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match=r"File exists|Not a directory|cannot find"):
        own_folder(tmp_path / name, "pigevo")


@posix
def test_a_cache_goes_among_the_temporary_files_where_the_users_folder_does_not_serve(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert own_cache("kernels") == tmp_path / "cache" / "pigevo" / "kernels"
    (tmp_path / "cache" / "pigevo").chmod(0o777)
    assert own_cache("kernels") == temporary_cache() / "kernels"
    temporary_cache().chmod(0o777)
    with pytest.raises(NotOurOwn, match="cache/pigevo"):  # of the first
        own_cache("kernels")


@pytest.mark.parametrize("somewhere", [True, False])
def test_a_home_that_cannot_be_written_breaks_no_import(somewhere, tmp_path):
    """Kernels are then cached among the temporary files, or nowhere, and compiled all the same."""
    (tmp_path / "file").write_text("")
    (tmp_path / "temporary").mkdir()
    blocked = str(tmp_path / "file" / "home")
    code = (
        "import tempfile\n"
        f"tempfile.tempdir = {str(tmp_path / 'temporary') if somewhere else blocked!r}\n"
        "import pigevo.simulation.kernels\n"
        "from pigevo.compiled.cache import cache_folder\n"
        "print(cache_folder())\n"
    )
    environment = {n: value for n, value in os.environ.items() if n not in ("XDG_CACHE_HOME", "NUMBA_CACHE_DIR")}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env=environment | {"HOME": blocked, "PYTHONPATH": str(Path(pigevo.__file__).parents[1])},
    )  # fmt: skip
    cache = done.stdout.strip()
    assert Path(cache).is_relative_to(tmp_path / "temporary") if somewhere else cache == "None"
    assert done.stderr.count("compiled kernels are not kept") == (not somewhere)


NEW = "pigevo-0123456789abcdef"
SAMPLE = "0123456789abcdef.npz"
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
    (build,) = builds(tmp_path)
    assert (build.path.name, build.bytes, build.used) == (NEW, 42, 5)
    remove(build)
    assert list(tmp_path.iterdir()) == []


STRANGE = [
    "mine.kernel", f"{NEW}/notes.txt", f"{NEW}/notes.kernel", f"{NEW}/deeper/{KERNEL}", f"{NEW}.old/{KERNEL}",
    f"pigevo-{'x' * 16}/{KERNEL}", "0123456789abcdef.npz.txt", "champion.npz",
    "deeper/0123456789abcdef.npz", ".hidden.partial", ".champion.npz.partial",
]  # fmt: skip


def test_nothing_else_is_seen_or_removed(put, tmp_path):
    for name in STRANGE:
        put(name)
    put(f"{NEW}/{KERNEL}")
    put(SAMPLE)
    put(".0123456789abcdef.npz.lock")  # of a process that was killed
    for entry in [*builds(tmp_path), *samples(tmp_path)]:
        remove(entry)
    assert names(tmp_path) == set(STRANGE)


@posix
def test_no_link_is_followed(put, tmp_path):
    cache, elsewhere, other = tmp_path / "cache", tmp_path / "elsewhere", NEW.replace("0", "1")
    (cache / other).mkdir(parents=True)
    for link, target in ((NEW, NEW), (SAMPLE, SAMPLE), (f"{other}/{KERNEL}", f"{NEW}/{KERNEL}")):
        put(f"elsewhere/{target}/{KERNEL}" if target == NEW else f"elsewhere/{target}")
        (cache / link).symlink_to(elsewhere / target)
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
    assert {entry.path.name for entry in builds(tmp_path)} == {homes[0], homes[1], homes[4]}
    make_room(builds(tmp_path), keep=tmp_path / homes[1], most=0)
    assert [entry.path.name for entry in builds(tmp_path)] == [homes[1]]


def test_what_another_process_has_removed_is_no_error(tmp_path):
    gone = CacheEntry(tmp_path / "gone", (tmp_path / "gone" / "file",), 10, 0.0)
    assert remove(gone) == 0
    assert builds(tmp_path / "nowhere") == samples(tmp_path / "nowhere") == []
