"""The user's cache folder, and what happens where there is none."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import pigevo
from pigevo.places import user_cache


def test_the_cache_is_in_the_users_cache_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert user_cache() == tmp_path / "cache" / "pigevo"
    assert not user_cache().exists()


@pytest.mark.skipif(sys.platform != "linux", reason="where the folder lies elsewhere is platformdirs' business")
def test_without_xdg_cache_home_it_is_in_the_home(monkeypatch, tmp_path):
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert user_cache() == tmp_path / "home" / ".cache" / "pigevo"


@pytest.mark.skipif(sys.platform == "win32", reason="the uids are those of POSIX")
def test_a_user_without_a_home_has_one_among_the_temporary_files(monkeypatch):
    def unknown(uid):
        raise KeyError(f"getpwuid(): uid not found: {uid}")

    monkeypatch.setattr("pwd.getpwuid", unknown)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("HOME", raising=False)
    assert user_cache() == Path(tempfile.gettempdir()) / "pigevo"


@pytest.mark.parametrize("somewhere", [True, False])
def test_a_home_that_cannot_be_written_breaks_no_import(somewhere, tmp_path):
    """Kernels are then cached among the temporary files, or nowhere, and compiled all the same."""
    (tmp_path / "file").write_text("")
    (tmp_path / "temporary").mkdir()
    blocked = str(tmp_path / "file" / "home")
    code = (
        "import tempfile\n"
        f"tempfile.tempdir = {str(tmp_path / 'temporary') if somewhere else blocked!r}\n"
        "import pigevo.arena.kernels\n"
        "from pigevo.compiled import cache_folder\n"
        "print(cache_folder())\n"
    )
    kept = {name: value for name, value in os.environ.items() if name not in ("XDG_CACHE_HOME", "NUMBA_CACHE_DIR")}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env=kept | {"HOME": blocked, "PYTHONPATH": str(Path(pigevo.__file__).parents[1])},
    )  # fmt: skip
    found = done.stdout.strip()
    assert Path(found).is_relative_to(tmp_path / "temporary") if somewhere else found == "None"
