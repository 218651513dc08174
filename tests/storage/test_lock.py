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


def test_a_second_process_is_refused_until_the_first_is_killed(holder, tmp_path):
    assert in_use(tmp_path)
    with pytest.raises(InUse, match="another process is at work in"):
        take(tmp_path)
    holder.kill()
    holder.wait()
    assert not in_use(tmp_path)
    assert take(tmp_path)


def test_it_is_free_after_use_and_after_an_error(tmp_path):
    with pytest.raises(ZeroDivisionError), locked(tmp_path):
        raise ZeroDivisionError
    assert take(tmp_path)
    assert take(tmp_path)


def test_one_process_cannot_take_it_twice(tmp_path):
    with locked(tmp_path), pytest.raises(InputError, match="another process"):
        take(tmp_path)


def test_a_place_that_cannot_be_a_folder_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        take(tmp_path / "file")


def test_those_who_look_do_not_see_each_other(tmp_path):
    take(tmp_path)
    with (tmp_path / ".lock").open("rb") as file:
        fcntl.flock(file.fileno(), fcntl.LOCK_SH | fcntl.LOCK_NB)
        assert not in_use(tmp_path)


def test_a_starter_waits_for_a_moment(tmp_path, monkeypatch):
    monkeypatch.setattr(lock, "RETRY_SECONDS", 5.0)
    tries = []

    def busy(descriptor, how, take=fcntl.flock):
        tries.append(how)
        if len(tries) < 4:
            raise BlockingIOError(errno.EWOULDBLOCK, "busy")
        take(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", busy)
    assert take(tmp_path)
    assert len(tries) == 4


@pytest.mark.parametrize("number", [errno.EAGAIN, errno.EACCES])
def test_what_means_that_another_is_at_work(tmp_path, monkeypatch, number):
    def busy(*_):
        raise OSError(number, os.strerror(number))

    take(tmp_path)
    monkeypatch.setattr(fcntl, "flock", busy)
    with pytest.raises(InUse):
        take(tmp_path)
    assert in_use(tmp_path)


def lacks(monkeypatch, number):
    def refuse(*_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", refuse)


@pytest.mark.parametrize("number", [errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOLCK, errno.EINVAL])
def test_without_any_locks_the_work_goes_on_with_one_warning(tmp_path, monkeypatch, number, caplog):
    lacks(monkeypatch, number)
    for name in "ab":
        with locked(tmp_path / name):
            pass
        assert not in_use(tmp_path / name)
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert f"The file system of {tmp_path / 'a'} has no locks" in record.message


def test_another_failure_is_told_as_what_it_is(tmp_path, monkeypatch):
    take(tmp_path)
    lacks(monkeypatch, errno.EIO)
    with pytest.raises(InputError, match=r"\.lock cannot be locked: Input/output error") as caught:
        take(tmp_path)
    assert not isinstance(caught.value, InUse)
    assert not in_use(tmp_path)


def test_a_folder_that_is_not_there_is_not_in_use(tmp_path):
    assert not in_use(tmp_path / "nowhere")
    assert list(tmp_path.iterdir()) == []
