"""A lock on a folder that dies with its process."""

import subprocess
import sys

import pytest

from pigevo.errors import InputError
from pigevo.runs.lock import locked

HOLD = """
import sys, time
from pathlib import Path
from pigevo.runs.lock import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def holder(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def take(folder):
    with locked(folder):
        return True


def test_a_second_process_is_refused_while_the_first_holds_it(holder, tmp_path):
    with pytest.raises(InputError, match="another process is at work in"):
        take(tmp_path)
    assert holder.poll() is None


def test_a_killed_process_frees_it(holder, tmp_path):
    holder.kill()
    holder.wait()
    assert take(tmp_path)


def test_it_is_free_after_use_and_after_an_error(tmp_path):
    with pytest.raises(ZeroDivisionError), locked(tmp_path):
        raise ZeroDivisionError
    assert take(tmp_path)
    assert take(tmp_path)


def test_one_process_cannot_take_it_twice(tmp_path):
    with locked(tmp_path), pytest.raises(InputError, match="another process"):
        take(tmp_path)


def test_other_folders_are_free(tmp_path):
    with locked(tmp_path / "a"):
        assert take(tmp_path / "b")


def test_a_folder_is_made(tmp_path):
    assert take(tmp_path / "new" / "run")
    assert (tmp_path / "new" / "run").is_dir()


def test_a_place_that_cannot_be_a_folder_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        take(tmp_path / "file")
