"""Files are written, and removed, by their exact names; whatever else is there stays."""

import csv
import io
import os
import zipfile

import numpy as np
import pytest

from pigevo.errors import InputError
from pigevo.storage.array_files import write_arrays
from pigevo.storage.files import (
    cell_text,
    csv_bytes,
    place_in,
    refuse_unwritable,
    remove_own,
    remove_partials,
    write_bytes,
)


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
        place_in(tmp_path, name)


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
