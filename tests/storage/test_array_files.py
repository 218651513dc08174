"""Arrays on disk, each as the type and shape that its reader states; and what claims to be more than it is."""

import io
import tracemalloc
import zipfile

import numpy as np
import pytest

from pigevo.errors import InputError
from pigevo.storage.array_files import Damaged, Later, archive, write_arrays
from pigevo.storage.records import Missing, Unreadable

BITS = np.array([1, 0, 1, 1, 0, 0, 0, 0, 1, 1], np.uint8)


@pytest.fixture
def path(tmp_path):
    record = np.array('{"format": 2, "name": "x", "more": [1, 2]}')
    numbers = np.arange(6.0).reshape(2, 3)
    return write_arrays(
        tmp_path / "a.npz", {"record": record, "numbers": numbers, "bits": np.packbits(BITS), "none": np.zeros(0)}
    )


def claiming(path, header, content=b"", compression=zipfile.ZIP_DEFLATED):
    """An archive with one member `a` of a stated header."""
    begin = b"\x93NUMPY\x01\x00\x76\x00" + header.encode().ljust(117) + b"\n"
    with zipfile.ZipFile(path, "w", compression) as file:
        file.writestr("a.npy", begin + content)
    return path


def test_members_are_read_as_they_were_written(path):
    with archive(path, "thing") as file:
        assert set(file.names) == {"record", "numbers", "bits", "none"}
        assert "bits" in file
        assert "other" not in file
        assert file.array("numbers", np.float64, (2, None)).tolist() == [[0, 1, 2], [3, 4, 5]]
        assert file.array("numbers").shape == (2, 3)
        assert file.array("none", np.float64, (0,)).size == 0
        assert file.bits("bits", 10).tolist() == BITS.tolist()
        assert file.record("record", dict[str, object], 2)["more"] == [1, 2]


WRONG = {
    "another type": (lambda file: file.array("numbers", np.int64, (2, 3)), "numbers holds float64, not int64"),
    "another shape": (lambda file: file.array("numbers", np.float64, (3, 2)), r"numbers has the shape \(2, 3\)"),
    "another number of axes": (lambda file: file.array("numbers", np.float64, (6,)), r"numbers has the shape \(2, 3\)"),
    "fewer bits": (lambda file: file.bits("bits", 17), r"bits has the shape \(2,\)"),
    "bits without rows": (lambda file: file.bits("bits", 10, rows=-1), r"bits has the shape \(2,\)"),
    "no such member": (lambda file: file.array("other"), "it has no other"),
    "no text": (lambda file: file.record("numbers", dict), "numbers is no text"),
    "no array": (lambda file: file.array("record"), "record holds <U42"),
    "another record": (lambda file: file.record("record", dict[str, int]), "format|name = 'x' must be a whole number"),
    "a mistake of the reader's": (lambda file: {}["x"], "or it is damaged"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_not_as_stated_is_told(path, name):
    read, said = WRONG[name]
    with (
        pytest.raises(InputError, match=rf"a\.npz is no thing of pigevo, or it is damaged.*({said})?") as caught,
        archive(path, "thing") as file,
    ):
        read(file)
    assert name == "a mistake of the reader's" or any(
        part in str(caught.value) for part in said.replace("\\", "").split("|")
    )


def test_a_later_format_is_told_as_such(path):
    with (
        pytest.raises(Later, match=r"a\.npz was written by a later pigevo \(format 2\): update pigevo\."),
        archive(path, "thing") as file,
    ):
        file.record("record", dict, newest=1)


CLAIMS = {
    "more than there is": "{'descr': '|u1', 'fortran_order': False, 'shape': (999999999999,), }",
    "more than any memory": "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999, 99999999999), }",
    "a negative length": "{'descr': '|u1', 'fortran_order': False, 'shape': (-1,), }",
    "objects": "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
    "no header": "{{{{",
    "code": "__import__('os').system('touch sprung')",
}


@pytest.mark.parametrize("name", CLAIMS)
def test_a_claim_is_not_believed(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    path = claiming(tmp_path / "a.npz", CLAIMS[name])
    tracemalloc.start()
    with (
        pytest.raises(InputError, match=r"or it is damaged \(a (is not as long as it says|cannot be read)\)"),
        archive(path, "thing") as file,
    ):
        file.array("a")
    assert tracemalloc.get_traced_memory()[1] < 2**22
    tracemalloc.stop()
    assert [p.name for p in tmp_path.iterdir()] == ["a.npz"]


def test_a_member_that_unpacks_to_more_than_its_reader_asks_for_is_not_unpacked(tmp_path):
    header = "{'descr': '|u1', 'fortran_order': False, 'shape': (200000000,), }"
    path = claiming(tmp_path / "a.npz", header, bytes(200_000_000))
    assert path.stat().st_size < 2**20
    tracemalloc.start()
    with pytest.raises(InputError, match=r"a has the shape \(200000000,\)"), archive(path, "thing") as file:
        file.array("a", np.uint8, (10,))
    assert tracemalloc.get_traced_memory()[1] < 2**24
    tracemalloc.stop()


def test_another_packing_is_refused(tmp_path):
    header = "{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }"
    path = claiming(tmp_path / "a.npz", header, b"123", zipfile.ZIP_BZIP2)
    with pytest.raises(InputError, match="packed in another way"), archive(path, "thing") as file:
        file.array("a")


def test_what_cannot_be_read_is_no_damage(tmp_path, path):
    with pytest.raises(Missing, match=r"there is no file .*none\.npz"), archive(tmp_path / "none.npz", "thing"):
        pass
    with (
        pytest.raises(Unreadable, match="Is a directory"),
        archive(tmp_path, "thing"),
    ):
        pass
    with pytest.raises(Unreadable, match="Cannot allocate memory"), archive(path, "thing"):
        raise MemoryError
    with pytest.raises(Unreadable, match="Input/output error"), archive(path, "thing"):
        raise OSError(5, "Input/output error")


@pytest.mark.parametrize("content", [b"", b"PK", b"PK\x03\x04" + bytes(80), b"no archive"])
def test_no_archive(tmp_path, content):
    (tmp_path / "a.npz").write_bytes(content)
    with pytest.raises(InputError, match=r"it is no \.npz file"), archive(tmp_path / "a.npz", "thing"):
        pass


def test_a_mistake_of_the_program_is_no_damage(path):
    with pytest.raises(ZeroDivisionError), archive(path, "thing"):
        raise ZeroDivisionError
    with pytest.raises(Damaged), io.BytesIO():
        raise Damaged
