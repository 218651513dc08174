"""Files are written whole or not at all, folders lose only pigevo's files, and a lock on a folder dies with its process."""

import csv
import errno
import fcntl
import io
import os
import subprocess
import sys
import zipfile

import numpy as np
import pytest

from pigevo.errors import InputError
from pigevo.storage import files
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


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
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


def put(folder, names):
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"{name} of somebody")


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/../../x", "", "a//b", "."])
def test_a_name_that_leads_out_of_the_folder_is_refused(tmp_path, name):
    with pytest.raises(InputError, match="cannot be the name of a file"):
        path_in(tmp_path, name)


def test_a_folder_where_a_file_would_be_stays(tmp_path):
    (tmp_path / "metrics.csv").mkdir()
    put(tmp_path / "metrics.csv", ["mine"])
    with pytest.raises(InputError, match="is not a file, and pigevo's file would be there"):
        remove_own(tmp_path, ["metrics.csv"])
    assert (tmp_path / "metrics.csv" / "mine").is_file()


def test_partial_files_are_known_by_the_exact_name_of_a_file(tmp_path):
    own = [".a.csv.abcdefgh.partial", "figures/.b.png.01234_67.partial"]
    others = [".a.csv.partial", ".aXcsv.abcdefgh.partial", ".a.csv.abcdefghi.partial", ".a.csv.ABCDEFGH.partial",
              "a.csv.abcdefgh.partial", ".b.png.01234567.partial", "figures/.a.csv.abcdefgh.partial", "deep/.a.csv.abcdefgh.partial",
              ".a.csv.abcdefgh.partial.txt"]  # fmt: skip
    put(tmp_path, [*own, *others])
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


@pytest.fixture(autouse=True)
def _impatient(monkeypatch):
    monkeypatch.setattr(files, "RETRY_SECONDS", 0.1)
    monkeypatch.setattr(files, "_warned", [])


def take(folder):
    with locked(folder):
        return True


def flock_fails(monkeypatch, number, times=10**9, real=fcntl.flock):
    """Asking for a lock fails with this error so many times."""
    left = [times]

    def refuse(*arguments):
        left[0] -= 1
        if left[0] >= 0:
            raise OSError(number, os.strerror(number))
        real(*arguments)

    monkeypatch.setattr(fcntl, "flock", refuse)
    return left


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


def test_it_is_free_after_use_and_after_an_error_and_cannot_be_taken_twice(tmp_path):
    with pytest.raises(ZeroDivisionError), locked(tmp_path):
        raise ZeroDivisionError
    assert take(tmp_path)
    with locked(tmp_path), pytest.raises(InUse):
        take(tmp_path)
    assert take(tmp_path)


def test_a_place_that_cannot_be_a_folder_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        take(tmp_path / "file")


def test_to_look_neither_holds_a_lock_nor_makes_anything(tmp_path):
    assert not in_use(tmp_path / "nowhere")
    assert list(tmp_path.iterdir()) == []
    take(tmp_path)
    with (tmp_path / ".lock").open("rb") as file:
        fcntl.flock(file.fileno(), fcntl.LOCK_SH | fcntl.LOCK_NB)  # another process looks
        assert not in_use(tmp_path)


def test_a_starter_waits_for_a_moment(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "RETRY_SECONDS", 5.0)
    left = flock_fails(monkeypatch, errno.EWOULDBLOCK, times=3)
    assert take(tmp_path)
    assert left[0] < 0


@pytest.mark.parametrize("number", [errno.EAGAIN, errno.EACCES])
def test_errors_that_mean_that_another_process_is_at_work(tmp_path, monkeypatch, number):
    take(tmp_path)
    flock_fails(monkeypatch, number)
    with pytest.raises(InUse):
        take(tmp_path)
    assert in_use(tmp_path)


@pytest.mark.parametrize("number", [errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOLCK, errno.EINVAL])
def test_without_any_locks_the_work_goes_on_with_one_warning(tmp_path, monkeypatch, number, caplog):
    flock_fails(monkeypatch, number)
    for name in "ab":
        assert take(tmp_path / name)
        assert not in_use(tmp_path / name)
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert f"The file system of {tmp_path / 'a'} has no locks" in record.message


def test_another_failure_is_an_error_of_its_own(tmp_path, monkeypatch):
    take(tmp_path)
    flock_fails(monkeypatch, errno.EIO)
    with pytest.raises(InputError, match=r"\.lock cannot be locked: Input/output error") as caught:
        take(tmp_path)
    assert not isinstance(caught.value, InUse)
    assert not in_use(tmp_path)


@pytest.mark.parametrize(
    "make", [lambda folder: files.make_marked(folder, "run"), lambda folder: files.locked(folder).__enter__()]
)
def test_a_file_or_a_link_to_nothing_where_a_folder_should_be_is_called_that(tmp_path, make):
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to("nowhere")
    for name, what in (("file", "a file"), ("link", "a link to nothing")):
        with pytest.raises(InputError, match=f"{name} cannot be written: it is {what}; name another folder"):
            make(tmp_path / name)
