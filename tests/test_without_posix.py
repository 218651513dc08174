"""Pigevo works without the modules that Windows lacks: locks, limits of memory, terminals and users."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.small import environment_of_a_process

fcntl = pytest.importorskip("fcntl", reason="what is left out must be here")
ROOT = Path(__file__).parents[1]
LACKING = """
import fcntl, os, subprocess, sys, types  # the third one looks for msvcrt itself, and takes it for Windows

def locking(descriptor, how, length):
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # as on Windows, the lock of an open file

sys.modules["msvcrt"] = types.ModuleType("msvcrt")
sys.modules["msvcrt"].locking, sys.modules["msvcrt"].LK_NBLCK = locking, 2
for name in ("fcntl", "resource", "termios", "tty", "pwd", "grp"):
    sys.modules[name] = None  # so that an import of it fails
del os.killpg
"""
RUN = ["experiment=cube_random", "debug=fast", "fitness=exact"]
HOLD = """
import time
from pathlib import Path
from pigevo.storage.files import in_use, locked
with locked(Path("held")):
    print(in_use(Path("held")), in_use(Path("free")), flush=True)
    time.sleep(60)
"""


@pytest.fixture
def begin(tmp_path):
    (tmp_path / "lacking").mkdir()
    (tmp_path / "lacking" / "sitecustomize.py").write_text(LACKING)
    places = os.pathsep.join([str(tmp_path / "lacking"), str(ROOT)])

    def begin(*words):
        return subprocess.Popen(
            [sys.executable, *words], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=environment_of_a_process() | {"PYTHONPATH": places},
        )  # fmt: skip

    return begin


def done(process):
    """The output of a process that ends with status 0."""
    out, err = process.communicate(timeout=600)
    assert process.returncode == 0, err
    return out


@pytest.mark.slow
def test_a_run_a_sweep_and_a_tournament_without_what_windows_lacks(begin, tmp_path):
    (tmp_path / "mine.py").write_text("def rule(i, j, k):\n    return k < 4\n")
    pigevo = ("-m", "pigevo")
    result = json.loads(done(begin(*pigevo, *RUN, "--json")))
    (folder,) = (path.parent for path in tmp_path.glob("outputs/cube_random/*/result.json"))
    assert result["digest"]
    done(begin(*pigevo, "-m", *RUN, "seed=0,1", "baseline=none"))
    assert len(list(tmp_path.glob("outputs/cube_random/*/result.json"))) == 3
    assert "same" in done(begin(*pigevo, "verify", str(folder)))
    assert "hold_at:3" in done(begin(*pigevo, "tournament", "mine.py:rule", "hold_at:3", "--target", "9"))


def test_a_folder_at_work_is_locked_without_fcntl(begin, tmp_path):
    holder = begin("-c", HOLD)
    assert holder.stdout.readline() == "True False\n"
    looks = "from pathlib import Path\nfrom pigevo.storage.files import in_use\nprint(in_use(Path('held')))"
    assert done(begin("-c", looks)) == "True\n"
    holder.kill()
    holder.communicate()
    assert done(begin("-c", looks)) == "False\n"
