"""Files are read as the types that their reader states, or refused in one sentence."""

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, NotRequired, TypedDict

import numpy as np
import pytest

from pigevo.core.checked_values import Within, checked
from pigevo.errors import InputError
from pigevo.storage import records
from pigevo.storage.records import (
    Later,
    Missing,
    Unreadable,
    archive,
    from_csv,
    from_json,
    from_yaml,
    is_whole,
    read_bytes,
    read_json,
    read_record,
    read_yaml,
    to_json,
    understood,
    with_checksum,
    write_arrays,
)
from tests.small import posix


class Inner(TypedDict):
    share: Annotated[float, Within(0, 1)]


class Outer(TypedDict):
    name: str
    count: NotRequired[Annotated[int, Within(0, 5)]]
    inner: Inner
    many: list[Inner]
    named: dict[str, int]
    either: Inner | None


RIGHT = {"name": "x", "inner": {"share": 0.5}, "many": [{"share": 1}], "named": {"a": 1}, "either": None, "more": 3}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": None}, "name = None must be a word"),
        ({"count": 6}, "count = 6 is out of range: it must be from 0 to 5"),
        ({"count": True}, "count = True must be a whole number"),
        ({"inner": {}}, "inner.share is missing"),
        ({"inner": {"share": float("nan")}}, "inner.share = nan is out of range"),
        ({"inner": {"share": 10**400}}, "inner.share = 1000.*000 is out of range: it is too large"),
        ({"many": [{"share": 0}, 3]}, "many = 3 must be values by name"),
        ({"many": "abc"}, "must be a list"),
        ({"named": {"a": "b"}}, "named.a = 'b' must be a whole number"),
        ({"either": 3}, "either = 3 must be values by name"),
    ],
)
def test_a_record_of_a_wrong_type_is_refused(change, message):
    assert checked(RIGHT | {"count": 5}, Outer, "")["more"] == 3
    with pytest.raises(InputError, match=message):
        checked(RIGHT | change, Outer, "")


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (from_yaml, b"!!python/object/apply:os.system ['exit']", "it is not valid YAML"),
        (from_yaml, b"\xff\xfe", "it is not UTF-8 text: save it as UTF-8"),
        (from_yaml, b"? [1]\n: 2", "it is not valid YAML"),
        (from_yaml, b"a: 2001-99-99", "month must be in"),
        (from_yaml, b"[" * 100_000, "nested too deeply"),
        (lambda text: from_json(text, list), "[" * 100_000, "nested too deeply"),
        (from_csv, b"a,b\n", "it has no rows"),
        (from_csv, b"a,b\n1,2\n1,2,3\n", "line 3 has another number of columns"),
    ],
)
def test_a_text_that_is_not_of_its_kind_is_refused(read, text, message):
    with pytest.raises(ValueError, match=message):
        read(text)


def test_what_cannot_be_read_is_not_called_damaged(tmp_path):
    (tmp_path / "file").write_text('{"name": 3}')
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "nowhere").symlink_to("no such place")
    for read in (read_bytes, lambda path: read_json(path, dict, "x"), lambda path: read_yaml(path, "x"), opened):
        for name in ("nothing", "nowhere", "file/below"):
            with pytest.raises(Missing, match="there is no file"):
                read(tmp_path / name)
        reasons = {"": "it is a folder", "loop": "Too many levels", "x" * 300: "too long", "a\0b": "null"}
        for name, message in reasons.items():
            with pytest.raises(Unreadable, match=f"cannot be read: .*{message}"):
                read(tmp_path / name)
    with pytest.raises(InputError, match=r"file is damaged \(name = 3 must be a word\): remove it\.") as caught:
        read_json(tmp_path / "file", Outer, "remove it")
    assert not isinstance(caught.value, Unreadable)
    with pytest.raises(Unreadable, match="it has 11 bytes, and 10 are the most"):
        read_bytes(tmp_path / "file", 10)
    (tmp_path / "link").symlink_to("file")
    assert read_json(tmp_path / "link", dict, "x") == {"name": 3}


@posix
@pytest.mark.parametrize(
    "read", [lambda path: read_bytes(path, 1000), lambda path: archive(path, "strategy").__enter__()]
)
def test_a_device_without_an_end_is_refused(read):
    with pytest.raises(
        Unreadable, match=r"^/dev/zero cannot be read: it (has more than 1,000 bytes|is a device or a pipe)"
    ):
        read("/dev/zero")


@posix
def test_a_pipe_is_read_as_text_and_refused_as_arrays(tmp_path):
    os.mkfifo(pipe := tmp_path / "pipe.npz")
    with pytest.raises(Unreadable, match="it is a device or a pipe"), archive(pipe, "strategy"):
        pass
    with ThreadPoolExecutor(1) as threads:
        written = threads.submit(pipe.write_bytes, b"text")
        assert read_bytes(pipe) == b"text"
        assert written.result() == 4


def test_a_record_whose_checksum_is_another_one_is_damaged(tmp_path):
    content = with_checksum({"a": [1.5, None, "ä"], "b": 3})
    path = tmp_path / "r.json"
    path.write_bytes(content)
    record = read_record(path, dict, "x")
    assert record.pop("hash")
    assert record == {"format": 2, "a": [1.5, None, "ä"], "b": 3}
    edited = [content.replace(*words) for words in ((b"3", b"4"), (b"1.5", b"1.50"))]
    for damaged in (*edited, content + b" ", content[1:], b'{"a": 1}'):
        assert not is_whole(damaged)
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=r"r\.json is damaged \(.*\): do this\."):
            read_record(path, dict, "do this")
    path.write_bytes(content.replace(b'"format": 2', b'"format": 3'))
    with pytest.raises(records.Later, match=r"written by a later pigevo \(format 3\): update pigevo"):
        read_record(path, dict, "x")


BITS = np.array([1, 0, 1, 1, 0, 0, 0, 0, 1, 1], np.uint8)


@pytest.fixture
def path(tmp_path):
    record = np.array('{"format": 2, "name": "x", "more": [1, 2]}')
    numbers = np.arange(6.0).reshape(2, 3)
    return write_arrays(
        tmp_path / "a.npz", {"record": record, "numbers": numbers, "bits": np.packbits(BITS), "none": np.zeros(0)}
    )


def opened(path):
    with archive(path, "thing") as file:
        return file.names


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


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (lambda file: file.array("numbers", np.int64, (2, 3)), r"\(numbers holds float64, not int64\)"),
        (lambda file: file.array("numbers", np.float64, (3, 2)), r"\(numbers has the shape \(2, 3\)\)"),
        (lambda file: file.array("numbers", np.float64, (6,)), r"\(numbers has the shape \(2, 3\)\)"),
        (lambda file: file.bits("bits", 17), r"\(bits has the shape \(2,\)\)"),
        (lambda file: file.array("other"), r"\(it has no other\)"),
        (lambda file: file.record("numbers", dict), r"\(numbers is not text\)"),
        (lambda file: file.array("record"), r"\(record holds <U42\)"),
        (lambda file: file.record("record", dict[str, int]), r"\(name = 'x' must be a whole number\)"),
        (lambda file: {}["x"], ""),
    ],
)
def test_a_member_that_is_not_as_stated_is_refused(path, read, message):
    with (
        pytest.raises(InputError, match=rf"a\.npz is damaged, or not a thing of pigevo.*{message}"),
        archive(path, "thing") as file,
    ):
        read(file)


def test_objects_are_not_unpickled_and_a_later_format_is_refused(path, tmp_path):
    np.savez(tmp_path / "b.npz", a=np.array([{}], object))
    with pytest.raises(InputError, match="a cannot be read"), archive(tmp_path / "b.npz", "thing") as file:
        file.array("a")
    with (
        pytest.raises(Later, match=r"a\.npz was written by a later pigevo \(format 2\): update pigevo\."),
        archive(path, "thing") as file,
    ):
        file.record("record", dict, newest=1)


def test_a_damaged_archive_is_refused_whatever_is_damaged(path):
    content = path.read_bytes()
    for place in range(0, len(content), 3):
        path.write_bytes(content[:place] + bytes([content[place] ^ 32]) + content[place + 1 :])
        try:
            with archive(path, "thing") as file:
                assert file.array("numbers", np.float64, (2, 3)).tolist() == [[0, 1, 2], [3, 4, 5]]
                assert file.text("record")[:12] == '{"format": 2'
        except InputError as error:
            assert "is damaged, or" in str(error)
    for cut in (b"", b"PK", b"PK\x03\x04" + bytes(80), b"no archive", content[:-1]):
        path.write_bytes(cut)
        with pytest.raises(InputError, match=r"it is not an \.npz file"):
            opened(path)


def test_a_mistake_of_the_program_is_no_damage(path):
    with pytest.raises(ZeroDivisionError), archive(path, "thing"):
        raise ZeroDivisionError
    for error in (OSError(5, "Input/output error"), MemoryError("Cannot allocate memory")):
        with pytest.raises(Unreadable, match=str(error.args[-1])), archive(path, "thing"):
            raise error

    def lack():
        raise MemoryError

    with pytest.raises(Unreadable, match="Cannot allocate memory"):
        understood(path, "x", lack)


def test_json_has_null_for_numbers_that_are_not_finite():
    record = {"a": [float("nan"), (1, np.float64("inf"))], "b": {"c": -float("inf"), "d": 0.5, "e": "NaN"}, "f": None}
    expected = {"a": [None, [1, None]], "b": {"c": None, "d": 0.5, "e": "NaN"}, "f": None}
    assert from_json(to_json(record), dict) == expected
    assert from_json(with_checksum({"x": float("nan")}), dict)["x"] is None
