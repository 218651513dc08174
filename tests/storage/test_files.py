"""Files are written whole or not at all, folders and caches lose only pigevo's files, and locks die with processes."""

import csv
import errno
import io
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import numpy as np
import pytest

import pigevo
from pigevo.errors import InputError
from pigevo.storage import files
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
from pigevo.storage.files import (
    InUse,
    cell_text,
    csv_bytes,
    in_use,
    locked,
    path_in,
    refuse_unwritable,
    remove_own,
    remove_partials,
    write_bytes,
)
from pigevo.storage.records import write_arrays
from tests.small import module_of_posix, posix

fcntl = module_of_posix("fcntl")


def test_no_cell_is_run_by_a_spreadsheet_and_all_are_read_again():
    cells = ["=cmd|calc.py", "+1+1", "-1+cmd", "@SUM(A1)", "\tx", "plain", "-0.5", "+3", "'quoted", "", -0.25, 3]
    (read,) = csv.reader(io.StringIO(csv_bytes([cells]).decode(), newline=""))
    assert read == [
        "'=cmd|calc.py",
        "'+1+1",
        "'-1+cmd",
        "'@SUM(A1)",
        "'\tx",
        "plain",
        "-0.5",
        "+3",
        "'quoted",
        "",
        "-0.25",
        "3",
    ]
    assert [cell_text(cell) for cell in read] == [str(cell) for cell in cells]


@pytest.mark.parametrize("write", [lambda place: write_bytes(place, b"x"), refuse_unwritable])
def test_nothing_but_a_file_is_put_out_of_the_way(tmp_path, write):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name, reason in (("pipe", "it is not a file"), ("folder", "it is a folder")):
        with pytest.raises(InputError, match=f"{name} cannot be written: {reason}"):
            write(tmp_path / name)
    assert (tmp_path / "pipe").is_fifo()
    assert list((tmp_path / "folder").iterdir()) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "pipe"]


@pytest.mark.parametrize("name", ["x" * 300, "a\0b", "x/" * 3000])
def test_an_impossible_name_is_refused_in_a_sentence(tmp_path, name):
    for write in (lambda place: write_bytes(place, b"x"), refuse_unwritable):
        with pytest.raises(InputError, match="cannot be written: "):
            write(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_asking_whether_a_file_can_be_written_leaves_nothing_behind(tmp_path):
    (tmp_path / "home").mkdir()
    refuse_unwritable(tmp_path / "home" / "a" / "b" / "x.npz")
    with pytest.raises(InputError, match="cannot be written: "):
        refuse_unwritable(tmp_path / "home" / "a" / ("b" * 300) / "x.npz")
    assert [*(tmp_path / "home").iterdir()] == []
    assert write_bytes(tmp_path / "home" / "a" / "b" / "x.npz", b"x").read_bytes() == b"x"


@posix
def test_the_mode_of_a_file_is_not_found_out_by_changing_the_umask(tmp_path, monkeypatch):
    """All threads share it: where two change it at a time, it can stay 0 for good."""
    before = os.umask(0o027)
    try:
        with monkeypatch.context() as patch:
            patch.delattr(os, "umask")
            path = write_bytes(tmp_path / "x", b"x")
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o640


def test_arrays_come_back_and_only_those_that_shrink_are_compressed(tmp_path):
    random = np.random.default_rng(0).integers(0, 256, 300_000, dtype=np.uint8)
    arrays = {"random": random, "ones": np.ones((40, 5000)), "few": np.arange(3), "none": np.zeros((0, 7)),
              "text": np.array("a strategy"), "turned": np.asfortranarray(np.arange(12).reshape(3, 4))}  # fmt: skip
    path = write_arrays(tmp_path / "x.npz", arrays)
    with np.load(path, allow_pickle=False) as read:
        assert list(read) == list(arrays)
        for name, array in arrays.items():
            assert np.array_equal(read[name], array)
            assert read[name].dtype == np.asarray(array).dtype
    with zipfile.ZipFile(path) as file:
        assert file.getinfo("random.npy").compress_type == zipfile.ZIP_STORED
        assert file.getinfo("ones.npy").compress_type == zipfile.ZIP_DEFLATED
    assert path.stat().st_size < 320_000
    assert path.read_bytes() == write_arrays(tmp_path / "y.npz", arrays).read_bytes()


def write_all(folder, names):
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"{name} of somebody")


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/../../x", "", "a//b", "."])
def test_a_name_that_leads_out_of_the_folder_is_refused(tmp_path, name):
    with pytest.raises(InputError, match="cannot be the name of a file"):
        path_in(tmp_path, name)


def test_a_folder_where_a_file_would_be_stays(tmp_path):
    (tmp_path / "metrics.csv").mkdir()
    write_all(tmp_path / "metrics.csv", ["mine"])
    with pytest.raises(InputError, match="is not a file, and pigevo's file would be there"):
        remove_own(tmp_path, ["metrics.csv"])
    assert (tmp_path / "metrics.csv" / "mine").is_file()


def test_partial_files_are_known_by_the_exact_name_of_a_file(tmp_path):
    own = [".a.csv.abcdefgh.partial", "figures/.b.png.01234_67.partial"]
    others = [".a.csv.partial", ".aXcsv.abcdefgh.partial", ".a.csv.abcdefghi.partial", ".a.csv.ABCDEFGH.partial",
              "a.csv.abcdefgh.partial", ".b.png.01234567.partial", "figures/.a.csv.abcdefgh.partial", "deep/.a.csv.abcdefgh.partial",
              ".a.csv.abcdefgh.partial.txt"]  # fmt: skip
    write_all(tmp_path, [*own, *others])
    (tmp_path / ".a.csv.linklink.partial").symlink_to(tmp_path / "nowhere")
    remove_partials(tmp_path, ["a.csv", "figures/b.png"])
    left = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.suffix in (".partial", ".txt")}
    assert left == {*others, ".a.csv.linklink.partial"}


HOLD = """
import sys, time
from pathlib import Path
from pigevo.storage.files import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def _impatient(monkeypatch):
    """A lock is waited for only briefly, and no file system has been warned of."""
    monkeypatch.setattr(files, "RETRY_SECONDS", 0.1)
    monkeypatch.setattr(files, "_warned", [])


def take(folder):
    with locked(folder):
        return True


def flock_fails(monkeypatch, number, times=10**9):
    """Asking for a lock fails with this error so many times."""
    left, real = [times], fcntl.flock

    def refuse(*arguments):
        left[0] -= 1
        if left[0] >= 0:
            raise OSError(number, os.strerror(number))
        real(*arguments)

    monkeypatch.setattr(fcntl, "flock", refuse)
    return left


@pytest.mark.usefixtures("_impatient")
def test_a_second_process_is_refused_until_the_first_is_killed(tmp_path):
    environment = {"PYTHONPATH": ":".join(sys.path)}
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as holder:
        try:
            assert holder.stdout.readline() == "held\n"
            assert in_use(tmp_path)
            with pytest.raises(InUse, match="another process is at work in"):
                take(tmp_path)
        finally:
            holder.kill()
    assert not in_use(tmp_path)
    assert take(tmp_path)


@pytest.mark.usefixtures("_impatient")
def test_a_folder_is_free_after_use_and_after_an_error_and_cannot_be_taken_twice(tmp_path):
    with pytest.raises(ZeroDivisionError), locked(tmp_path):
        raise ZeroDivisionError
    assert take(tmp_path)
    with locked(tmp_path), pytest.raises(InUse):
        take(tmp_path)
    assert take(tmp_path)


@pytest.mark.usefixtures("_impatient")
def test_a_place_that_cannot_be_a_folder_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        take(tmp_path / "file")


@pytest.mark.usefixtures("_impatient")
@posix
def test_to_look_neither_holds_a_lock_nor_makes_anything(tmp_path):
    assert not in_use(tmp_path / "nowhere")
    assert list(tmp_path.iterdir()) == []
    take(tmp_path)
    with (tmp_path / ".lock").open("rb") as file:
        fcntl.flock(file.fileno(), fcntl.LOCK_SH | fcntl.LOCK_NB)  # another process looks
        assert not in_use(tmp_path)


@pytest.mark.usefixtures("_impatient")
@posix
def test_who_starts_waits_a_moment_for_a_lock(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "RETRY_SECONDS", 5.0)
    left = flock_fails(monkeypatch, errno.EWOULDBLOCK, times=3)
    assert take(tmp_path)
    assert left[0] < 0


@pytest.mark.usefixtures("_impatient")
@posix
@pytest.mark.parametrize("number", [errno.EAGAIN, errno.EACCES])
def test_errors_that_mean_that_another_process_is_at_work(tmp_path, monkeypatch, number):
    take(tmp_path)
    flock_fails(monkeypatch, number)
    with pytest.raises(InUse):
        take(tmp_path)
    assert in_use(tmp_path)


@pytest.mark.usefixtures("_impatient")
@posix
@pytest.mark.parametrize("number", [errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOLCK, errno.EINVAL])
def test_without_any_locks_the_work_goes_on_with_one_warning(tmp_path, monkeypatch, number, caplog):
    flock_fails(monkeypatch, number)
    for name in "ab":
        assert take(tmp_path / name)
        assert not in_use(tmp_path / name)
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert f"The file system of {tmp_path / 'a'} has no locks" in record.message


@pytest.mark.usefixtures("_impatient")
@posix
def test_another_failure_of_a_lock_is_an_error_of_its_own(tmp_path, monkeypatch):
    take(tmp_path)
    flock_fails(monkeypatch, errno.EIO)
    with pytest.raises(InputError, match=r"\.lock cannot be locked: Input/output error") as caught:
        take(tmp_path)
    assert not isinstance(caught.value, InUse)
    assert not in_use(tmp_path)


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize(
    "make", [lambda folder: files.make_marked(folder, "run"), lambda folder: files.locked(folder).__enter__()]
)
def test_a_file_or_a_link_to_nothing_where_a_folder_should_be_is_called_that(tmp_path, make):
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to("nowhere")
    for name, what in (("file", "a file"), ("link", "a link to nothing")):
        with pytest.raises(InputError, match=f"{name} cannot be written: it is {what}; name another folder"):
            make(tmp_path / name)


def test_a_mark_that_could_not_be_written_is_written_later(tmp_path):
    """A full disk, or a kill, leaves an empty file: the folder is not taken for somebody else's for ever."""
    (tmp_path / files.LOCK_FILE).touch()
    files.make_marked(tmp_path, "run")
    (tmp_path / "run.log").touch()
    files.refuse_strangers(tmp_path, "run", lambda _: False)
    assert files.is_marked(tmp_path, "run")


def test_a_mark_for_which_there_is_no_room_is_one_sentence(tmp_path):
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        with pytest.raises(InputError, match=r"cannot be written: File too large\.$"), files.locked(tmp_path):
            pass
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    with files.locked(tmp_path):
        assert files.is_marked(tmp_path, "run")


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
