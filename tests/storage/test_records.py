"""Files of text: plain ones of a bounded size and depth, held to a type."""

import json
import os
import socket
from typing import Annotated, NotRequired, TypedDict

import pytest

from pigevo.core.checked_values import Within, checked
from pigevo.errors import InputError
from pigevo.storage import records
from pigevo.storage.records import Missing, Unreadable, from_json, from_yaml, read_bytes, read_csv, read_json, read_yaml


class Inner(TypedDict):
    share: Annotated[float, Within(0, 1)]


class Outer(TypedDict):
    name: str
    count: NotRequired[Annotated[int, Within(0, 5)]]
    inner: Inner
    many: list[Inner]
    named: dict[str, int]
    either: Inner | None


RIGHT = {
    "name": "x",
    "inner": {"share": 0.5},
    "many": [{"share": 1}],
    "named": {"a": 1},
    "either": None,
    "more": object,
}


def test_a_record_of_the_right_type():
    assert checked(RIGHT, Outer, "")["name"] == "x"
    assert from_json(json.dumps(RIGHT | {"more": 3, "count": 5}), Outer)["more"] == 3


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": 3}, "name = 3 must be a word"),
        ({"name": None}, "name = None must be a word"),
        ({"count": 6}, "count = 6 is out of range: it must be from 0 to 5"),
        ({"count": True}, "count = True must be a whole number"),
        ({"count": 1.0}, "count = 1.0 must be a whole number"),
        ({"inner": {}}, "inner.share is missing"),
        ({"inner": []}, "inner = \\[\\] must be values by name"),
        ({"inner": {"share": float("nan")}}, "inner.share = nan is out of range"),
        ({"inner": {"share": 10**400}}, "inner.share = 1000.*000 is out of range: it is too large"),
        ({"many": [{"share": 0}, 3]}, "many = 3 must be values by name"),
        ({"many": {"share": 0}}, "must be a list"),
        ({"many": "abc"}, "must be a list"),
        ({"named": {"a": "b"}}, "named.a = 'b' must be a whole number"),
        ({"either": 3}, "either = 3 must be values by name"),
    ],
)
def test_a_record_of_a_wrong_type(change, said):
    with pytest.raises(InputError, match=said):
        checked(RIGHT | change, Outer, "")
    with pytest.raises(InputError, match="name is missing"):
        checked({key: value for key, value in RIGHT.items() if key != "name"}, Outer, "")
    with pytest.raises(InputError, match="it is not values by name"):
        checked([RIGHT], Outer, "")


DEEP = 100_000


@pytest.mark.parametrize(
    "text", ["[" * DEEP, "[" * DEEP + "]" * DEEP, '{"a":' * DEEP + "1" + "}" * DEEP, "[" * 40 + "]" * 40]
)
def test_json_is_nested_to_a_bounded_depth(text):
    with pytest.raises(ValueError, match=f"nested to more than {records.DEEPEST} levels|Expecting value"):
        from_json(text, list)


BOMB = "a: &a0 [x,x,x,x,x,x,x,x,x]\n" + "".join(f"b{n}: &a{n + 1} [{','.join([f'*a{n}'] * 9)}]\n" for n in range(30))
YAML = {
    "anchors that stand for 9 ** 31 values": (BOMB, "stands for more than 100,000 values"),
    "itself": ("a: &a [*a]", "nested to more than"),
    "merged": ("a: &a {x: 1, y: 2}\n" + "".join(f"b{n}: &b{n} {{<<: [*a, *a, *a]}}\n" for n in range(3)), None),
    "deep": ("[" * DEEP, "nested to more than"),
    "deep in lines": ("- " * DEEP, "nested to more than"),
    "a tag that runs code": ("!!python/object/apply:os.system ['exit']", "it is no YAML"),
    "no UTF-8": (b"\xff\xfe", "it is no text in UTF-8"),
    "a key that is none": ("? [1]\n: 2", "it is no YAML"),
    "what cannot be seen": ("a: \x00", "it is no YAML"),
    "an open quote": ("'" + "x" * 1000, "it is no YAML"),
    "a date that is none": ("a: 2001-99-99", "month must be in"),
    "alias": ("a: &a [1]\nb: *a", None),
    "empty": ("", None),
}


@pytest.mark.parametrize("name", YAML)
def test_yaml_is_of_a_bounded_depth_and_size(name):
    text, said = YAML[name]
    content = text if isinstance(text, bytes) else text.encode()
    if said is None:
        from_yaml(content)
        return
    with pytest.raises(ValueError, match=said) as caught:
        from_yaml(content)
    assert len(str(caught.value)) < 400


def test_an_alias_means_what_it_marks():
    assert from_yaml(b"a: &a {x: [1, 2]}\nb: *a\nc: {<<: *a, y: 3}") == {
        "a": {"x": [1, 2]},
        "b": {"x": [1, 2]},
        "c": {"x": [1, 2], "y": 3},
    }


def placed(path, kind):
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "loop":
        path.symlink_to(path.name)
    elif kind == "nowhere":
        path.symlink_to("no such place")
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as one:
            os.chdir(path.parent)
            one.bind(path.name)
    return path


@pytest.mark.parametrize(
    ("kind", "error", "said"),
    [
        ("folder", Unreadable, "Is a directory"),
        ("pipe", Unreadable, "it is a named pipe"),
        ("device", Unreadable, "it is a device"),
        ("loop", Unreadable, "Too many levels of symbolic links"),
        ("socket", Unreadable, "cannot be read: "),
        ("nowhere", Missing, "there is no file"),
        ("nothing", Missing, "there is no file"),
    ],
)
@pytest.mark.parametrize(
    "read", [read_bytes, lambda p: read_json(p, dict, "x"), lambda p: read_yaml(p, "x"), lambda p: read_csv(p, "x")]
)
def test_only_plain_files_are_read_and_nothing_is_waited_for(tmp_path, monkeypatch, kind, error, said, read):
    monkeypatch.chdir(tmp_path)
    path = placed(tmp_path / "x", kind)
    with pytest.raises(error, match=said):
        read(path)


def test_a_link_to_a_file_is_that_file(tmp_path):
    (tmp_path / "a").write_text("[1]")
    (tmp_path / "b").symlink_to("a")
    assert read_json(tmp_path / "b", list, "x") == [1]


def test_a_name_that_cannot_be_is_told(tmp_path):
    for name in ("x" * 300, "a\0b", "x/" * 3000):
        with pytest.raises(Unreadable, match="cannot be read: "):
            read_bytes(tmp_path / name)
    (tmp_path / "file").touch()
    with pytest.raises(Missing):
        read_bytes(tmp_path / "file" / "below")


def test_a_file_that_is_too_large_is_not_read(tmp_path):
    with (tmp_path / "large").open("wb") as file:
        file.truncate(records.LARGEST + 1)
    with pytest.raises(Unreadable, match=r"it has 268,435,457 bytes, and 268,435,456 are the most"):
        read_bytes(tmp_path / "large")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "it has no rows"), ("a,b\n", "it has no rows"), ("a,b\n1\n", "line 2 has another number of columns"),
        ("a,b\n1,2\n1,2,3\n", "line 3 has another number of columns"), (b"a\n\xff\n", "it is no text in UTF-8"),
        ("a\n" + '"' + "x" * 200_000 + "\n", "field larger than field limit"),
    ],
)  # fmt: skip
def test_a_table_that_is_none(tmp_path, content, said):
    (tmp_path / "t.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError, match=rf"t\.csv is damaged \({said}.*\): do this\."):
        read_csv(tmp_path / "t.csv", "do this")


def test_what_is_damaged_is_told_with_what_to_do(tmp_path):
    (tmp_path / "r.json").write_text('{"name": 3}')
    with pytest.raises(InputError, match=r"r\.json is damaged \(name = 3 must be a word\): remove it\.") as caught:
        read_json(tmp_path / "r.json", Outer, "remove it")
    assert not isinstance(caught.value, Unreadable)
