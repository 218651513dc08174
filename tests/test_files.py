"""Files that are written: what is in their place and no file stays there."""

import os

import pytest

from pigevo.errors import InputError
from pigevo.files import refuse_unwritable, write_bytes


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
