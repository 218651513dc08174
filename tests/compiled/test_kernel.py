"""Where compiled kernels are kept: nothing is executed from a folder that another user can write to."""

import os
import subprocess
import sys

import pytest

from pigevo.compiled import cache, kernel
from pigevo.compiled.kernel import _settings, cache_folder, kernels_folder
from tests.small import environment_of_a_process

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="modes and uids are those of POSIX")


@pytest.fixture
def chosen(tmp_path, monkeypatch):
    """The folder of `NUMBA_CACHE_DIR`."""
    monkeypatch.setattr(cache, "_said", set())
    monkeypatch.setattr(_settings, "CACHE_DIR", str(tmp_path / "chosen"))
    return tmp_path / "chosen"


def found():
    """As a process that has just begun finds it."""
    return cache_folder.__wrapped__()


def test_builds_lie_in_folders_of_their_own_for_the_user_alone(chosen, monkeypatch):
    first = found()
    assert first.parent == chosen
    assert first.stat().st_mode & 0o777 == 0o700
    assert found() == first
    builds = {first}
    for name, value in (("BOUNDSCHECK", 1), ("OPT", 0), ("LOOP_VECTORIZE", 0)):
        with monkeypatch.context() as patch:
            patch.setattr(_settings, name, value)
            builds.add(found())
    with monkeypatch.context() as patch:
        patch.setattr(kernel, "kernel_files", lambda: kernel.__file__ and [])
        builds.add(found())
    assert len(builds) == 5


@pytest.mark.parametrize("level", ["", "the build"])
@pytest.mark.parametrize("theirs", ["open", "another user's", "a link"])
def test_what_others_could_have_put_there_is_not_used_and_the_user_is_told(chosen, caplog, monkeypatch, level, theirs):
    place = found() if level else chosen
    place.mkdir(exist_ok=True, parents=True)
    if theirs == "open":
        place.chmod(0o777)
    elif theirs == "a link":
        real = place.rename(place.with_name("real"))
        real.chmod(0o777)
        place.symlink_to(real)
    else:
        somebody = os.geteuid() + 1
        monkeypatch.setattr("os.geteuid", lambda: somebody)
        if not level and os.stat("/").st_uid == place.stat().st_uid:
            pytest.skip("root's own folders are safe to all")
    assert found() is None
    assert found() is None
    (said,) = caplog.messages
    assert said.startswith("compiled kernels are not kept, so each process compiles them: ")
    assert {"open": "other users can write to", "a link": "", "another user's": "another user"}[theirs] in said


def test_the_users_cache_is_the_usual_place_and_one_among_the_temporary_files_the_next(chosen, tmp_path, monkeypatch):
    monkeypatch.setattr(_settings, "CACHE_DIR", "")
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    if sys.platform == "linux":
        assert kernels_folder() == tmp_path / "cache" / "pigevo" / "numba"
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    monkeypatch.setenv("HOME", str(tmp_path / "file"))
    place = tmp_path / "temporary" / f"pigevo-{os.geteuid()}"
    assert kernels_folder() == place / "numba"
    place.chmod(0o777)  # as if somebody else had been there first
    assert found() is None


PLANTED = """\
import os, pathlib
from numba.core.serialize import dumps
from pigevo.compiled import cache

class Trap:
    def __reduce__(self):
        return os.mkdir, ("sprung",)

original = cache.write_sealed
cache.write_sealed = lambda path, _: original(path, dumps(Trap()))
import numpy as np, pigevo.evolution.hold_boundary_kernels as kernels
kernels.first_hold(np.zeros((2, 2), np.uint8), np.zeros((1, 2), int), 0, 0)
"""
USED = PLANTED.partition("class Trap")[0] + PLANTED[PLANTED.index("import numpy") :]


def test_planted_code_is_run_by_nobody_else(tmp_path):
    """Files of our own form in a folder of the right name, but open to others."""
    environment = environment_of_a_process() | {"NUMBA_CACHE_DIR": str(tmp_path / "kernels")}

    def python(code):
        return subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        )

    python(PLANTED)
    (build,) = (tmp_path / "kernels").iterdir()
    assert len(list(build.iterdir())) == 1
    build.chmod(0o777)
    assert "other users can write to" in python(USED).stderr
    assert not (tmp_path / "sprung").exists()
    build.chmod(0o700)
    python(USED)
    assert (tmp_path / "sprung").exists()  # it was the folder's mode that kept it from being run


def test_a_kernel_is_compiled_once_for_all_whole_numbers_that_other_kernels_give_it(monkeypatch):
    monkeypatch.setattr(kernel, "cache_folder", lambda: None)  # what comes from there has compiled nothing

    @kernel.kernel()
    def doubled(number):
        return 2 * number

    @kernel.kernel()
    def asking(number):
        return doubled(3) + doubled(number) + doubled(number=4)

    assert asking(5) == 24
    assert [str(kind) for signature in doubled.compiled.overloads for kind in signature] == ["int64"]
