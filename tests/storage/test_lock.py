"""A lock on a folder that dies with its process."""

import errno
import fcntl
import os
import subprocess
import sys

import pytest

from pigevo.errors import InputError
from pigevo.storage import lock
from pigevo.storage.lock import InUse, in_use, locked

HOLD = """
import sys, time
from pathlib import Path
from pigevo.storage.lock import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture(autouse=True)
def _impatient(monkeypatch):
    monkeypatch.setattr(lock, "RETRY_SECONDS", 0.1)
    monkeypatch.setattr(lock, "_warned", [])


def take(folder):
    with locked(folder):
        return True


def flock_fails(monkeypatch, number, times=10**9, real=fcntl.flock):
    """Asking for a lock fails with this error so many times."""
    left = [times]

    def refuse(*arguments):
        left[0] -= 1
        if left[0] >= 0:
            raise OSError(number, os.strerror(number))
        real(*arguments)

    monkeypatch.setattr(fcntl, "flock", refuse)
    return left


def test_a_second_process_is_refused_until_the_first_is_killed(tmp_path):
    environment = {"PYTHONPATH": ":".join(sys.path)}
    command = [sys.executable, "-c", HOLD, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as holder:
        try:
            assert holder.stdout.readline() == "held\n"
            assert in_use(tmp_path)
            with pytest.raises(InUse, match="another process is at work in"):
                take(tmp_path)
        finally:
            holder.kill()
    assert not in_use(tmp_path)
    assert take(tmp_path)


def test_it_is_free_after_use_and_after_an_error_and_cannot_be_taken_twice(tmp_path):
    with pytest.raises(ZeroDivisionError), locked(tmp_path):
        raise ZeroDivisionError
    assert take(tmp_path)
    with locked(tmp_path), pytest.raises(InUse):
        take(tmp_path)
    assert take(tmp_path)


def test_a_place_that_cannot_be_a_folder_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        take(tmp_path / "file")


def test_to_look_neither_holds_a_lock_nor_makes_anything(tmp_path):
    assert not in_use(tmp_path / "nowhere")
    assert list(tmp_path.iterdir()) == []
    take(tmp_path)
    with (tmp_path / ".lock").open("rb") as file:
        fcntl.flock(file.fileno(), fcntl.LOCK_SH | fcntl.LOCK_NB)  # another process looks
        assert not in_use(tmp_path)


def test_a_starter_waits_for_a_moment(tmp_path, monkeypatch):
    monkeypatch.setattr(lock, "RETRY_SECONDS", 5.0)
    left = flock_fails(monkeypatch, errno.EWOULDBLOCK, times=3)
    assert take(tmp_path)
    assert left[0] < 0


@pytest.mark.parametrize("number", [errno.EAGAIN, errno.EACCES])
def test_errors_that_mean_that_another_process_is_at_work(tmp_path, monkeypatch, number):
    take(tmp_path)
    flock_fails(monkeypatch, number)
    with pytest.raises(InUse):
        take(tmp_path)
    assert in_use(tmp_path)


@pytest.mark.parametrize("number", [errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOLCK, errno.EINVAL])
def test_without_any_locks_the_work_goes_on_with_one_warning(tmp_path, monkeypatch, number, caplog):
    flock_fails(monkeypatch, number)
    for name in "ab":
        assert take(tmp_path / name)
        assert not in_use(tmp_path / name)
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert f"The file system of {tmp_path / 'a'} has no locks" in record.message


def test_another_failure_is_an_error_of_its_own(tmp_path, monkeypatch):
    take(tmp_path)
    flock_fails(monkeypatch, errno.EIO)
    with pytest.raises(InputError, match=r"\.lock cannot be locked: Input/output error") as caught:
        take(tmp_path)
    assert not isinstance(caught.value, InUse)
    assert not in_use(tmp_path)
