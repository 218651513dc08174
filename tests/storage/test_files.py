"""Files that are written: what is in their place and no file stays there."""

import os
import zipfile

import numpy as np
import pytest

from pigevo.errors import InputError
from pigevo.storage.array_files import write_arrays
from pigevo.storage.files import refuse_unwritable, write_bytes


@pytest.mark.parametrize("write", [lambda place: write_bytes(place, b"x"), refuse_unwritable])
def test_nothing_but_a_file_is_put_out_of_the_way(tmp_path, write):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name, said in (("pipe", "it is a named pipe"), ("folder", "it is a folder")):
        before = (tmp_path / name).lstat()
        with pytest.raises(InputError, match=f"{name} cannot be written: {said}"):
            write(tmp_path / name)
        assert (tmp_path / name).lstat().st_ino == before.st_ino
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "pipe"]


@pytest.mark.parametrize("name", ["x" * 300, "a\0b", "x/" * 3000])
def test_a_name_that_cannot_be_is_told(tmp_path, name):
    with pytest.raises(InputError, match="cannot be written: "):
        write_bytes(tmp_path / name, b"x")
    with pytest.raises(InputError, match="cannot be written: "):
        refuse_unwritable(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_to_find_out_whether_a_file_can_be_written_leaves_nothing_behind(tmp_path):
    (tmp_path / "kept").mkdir()
    refuse_unwritable(tmp_path / "kept" / "a" / "b" / "x.npz")
    with pytest.raises(InputError, match="cannot be written: "):
        refuse_unwritable(tmp_path / "kept" / "a" / ("b" * 300) / "x.npz")
    assert [*(tmp_path / "kept").iterdir()] == []
    assert write_bytes(tmp_path / "kept" / "a" / "b" / "x.npz", b"x").read_bytes() == b"x"


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_the_mode_of_a_file_is_not_found_out_by_changing_the_umask(tmp_path, monkeypatch):
    """All threads have one: where two change it at a time, it can stay 0 for good."""
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
