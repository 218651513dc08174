"""Worker processes: what comes back, and what a death, a hang, a print or the end of the driver costs."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pigevo.errors import InputError
from pigevo.workers.pool import Worker, WorkerDied, work
from tests.small import environment_of_a_process, is_alive, posix, wait_for

TASKS = r"""
import os, signal, subprocess, sys, time
from pathlib import Path
from pigevo.errors import InputError

def double(task, say):
    say("begun")
    return 2 * task

def noisy(task, say):
    print('["answer", 1]', flush=True)
    os.write(1, b'["answer", 2]\n')
    subprocess.run(["echo", '["answer", 3]'])
    return sys.stdin.read()

def refusing(task, say):
    raise InputError("not like this.")

def raising(task, say):
    raise ValueError("unforeseen")

def ending(task, say):
    if task == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if task == "leave":
        os._exit(7)
    return task

def hanging(task, say):
    begun = subprocess.Popen(["sleep", "600"])
    Path(task).write_text(f"{os.getpid()} {begun.pid}")
    while True:
        pass

def forking(task, say):
    os.fork()
    return [task, os.getpid()]

def above(task, say):
    from pigevo.workers.pool import Worker
    Worker().call("tasks_of_test:ignoring", task)

def ignoring(task, say):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    hanging(task, say)

def asleep(task, say):
    begun = subprocess.Popen(["sleep", "600"])
    Path(task).write_text(f"{os.getpid()} {begun.pid}")
    time.sleep(600)

def saving(task, say):
    def save(*_):
        Path(task).write_text("saved")
        raise KeyboardInterrupt
    signal.signal(signal.SIGTERM, save)
    try:
        say("begun")
        time.sleep(600)
    except KeyboardInterrupt:
        return "stopped"

def threads(task, say):
    return os.environ.get("NUMBA_NUM_THREADS"), os.getpid()
"""
NOISE = r"""
print("good morning", 5, '{"a": 1}', '["a", 1]', '[[], 1]', sep="\n", flush=True)
__import__("os").write(1, b"\xff\n")
"""
DRIVER = "from pigevo.workers.pool import Worker\nWorker().call('tasks_of_test:{}', '{}', print)"


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("tasks_of_test.py").write_text(TASKS)


@pytest.fixture
def worker():
    with Worker(keep_errors=True) as worker:
        yield worker


def test_answers_messages_and_refusals_come_back(worker, tmp_path, monkeypatch):
    (tmp_path / "sitecustomize.py").write_text(NOISE)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.chdir("/")
    messages = []
    assert worker.call("tasks_of_test:double", [1, "a"], messages.append) == [1, "a", 1, "a"]
    assert messages == ["begun"]
    with pytest.raises(InputError, match=r"^not like this\.$"):
        worker.call("tasks_of_test:refusing", None)
    assert worker.call("tasks_of_test:noisy", None) == ""  # what is printed is no answer, and there is nothing to read
    first = worker.call("tasks_of_test:threads", None)
    assert worker.call("tasks_of_test:threads", None) == first  # one process for all
    with Worker(one_thread=True) as alone:
        assert alone.call("tasks_of_test:threads", None)[0] == os.environ.get("NUMBA_NUM_THREADS", "1")


@posix
def test_a_worker_that_dies_costs_its_task_only():
    done = []
    work("tasks_of_test:ending", [1, "die", 2, "leave", 3], [Worker(), Worker()], done.append)
    assert {task.number: task.answer for task in done if not task.error} == {0: 1, 2: 2, 4: 3}
    died = {task.number: (task.error.status, str(task.error)) for task in done if task.error}
    assert died == {1: (-9, "killed by signal 9 (Killed)"), 3: (7, "its process ended with status 7")}


def test_the_last_line_of_a_worker_that_dies_is_in_the_error(worker):
    with pytest.raises(WorkerDied, match=r"^its process ended with status 1: ValueError: unforeseen$"):
        worker.call("tasks_of_test:raising", None)
    assert worker.call("tasks_of_test:double", 1) == 2


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_worker_whose_time_is_up_ends_with_all_that_it_has_begun(worker, tmp_path):
    with pytest.raises(WorkerDied) as caught:
        worker.call("tasks_of_test:asleep", str(tmp_path / "pids"), seconds=3)
    assert caught.value.late
    wait_for(lambda: not any(map(is_alive, (tmp_path / "pids").read_text().split())))


@posix
def test_a_function_that_forks_answers_once(worker):
    numbers = [worker.call("tasks_of_test:forking", n) for n in range(5)]
    assert [n for n, _ in numbers] == [*range(5)]
    assert len({process for _, process in numbers}) == 1
    assert worker.call("tasks_of_test:double", 2) == 4


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_worker_of_a_worker_ends_with_it_though_it_ignores_signals(worker, tmp_path):
    with pytest.raises(WorkerDied):
        worker.call("tasks_of_test:above", str(tmp_path / "pids"), seconds=3)
    wait_for(lambda: not any(map(is_alive, (tmp_path / "pids").read_text().split())))


@posix
def test_a_task_that_ignores_the_end_of_its_driver_is_ended_after_a_while():
    code = (
        "import io, queue, signal, time\nfrom pigevo.workers import entry\nentry.SAVING_SECONDS = 0.5\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "entry.threading.Thread(target=entry._read, args=(io.StringIO(), queue.SimpleQueue())).start()\n"
        "time.sleep(600)"
    )
    done = subprocess.run([sys.executable, "-c", code], env=environment_of_a_process(), check=False, timeout=60)
    assert done.returncode == 1


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_driver_that_is_killed_leaves_no_worker(tmp_path):
    def driver(function):
        return subprocess.Popen(
            [sys.executable, "-u", "-c", DRIVER.format(function, tmp_path / function)],
            env=environment_of_a_process(), stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    hanging, saving = driver("hanging"), driver("saving")
    try:
        assert saving.stdout.readline() == "begun\n"
        wait_for((tmp_path / "hanging").exists)
        time.sleep(0.1)
    finally:
        for process in (hanging, saving):
            process.kill()
            process.communicate()
    busy = (tmp_path / "hanging").read_text().split()
    wait_for(lambda: not is_alive(busy[0]))
    os.kill(int(busy[1]), signal.SIGTERM)
    wait_for((tmp_path / "saving").exists)  # it may save what it has


def test_a_task_that_has_to_stop_saves_and_no_other_begins(tmp_path):
    messages, done = [], []
    work("tasks_of_test:saving", [str(tmp_path / n) for n in "abc"], [Worker()], done.append,
         on_message=lambda number, message: messages.append((number, message)), stop=lambda: bool(messages))  # fmt: skip
    assert messages == [(0, "begun")]
    assert [(task.number, task.answer) for task in done] == [(0, "stopped")]
    assert [(tmp_path / n).exists() for n in "abc"] == [True, False, False]


def test_what_a_callback_raises_ends_the_workers():
    def refuse(_):
        raise KeyboardInterrupt

    crew = [Worker(), Worker()]
    with pytest.raises(KeyboardInterrupt):
        work("tasks_of_test:ending", [1, 2, 3], crew, refuse)
    with pytest.raises(WorkerDied, match="stopped before it began"):
        crew[0].call("tasks_of_test:ending", 1)


def test_a_process_that_cannot_be_started_is_one_sentence(monkeypatch, worker):
    def refuse(*_, **__):
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr("pigevo.workers.pool.subprocess.Popen", refuse)
    with pytest.raises(InputError, match=r"^no process could be started: Cannot allocate memory\.$"):
        worker.call("tasks_of_test:double", 1)
