"""The sandbox of workers: what code in it can do to files, other processes and the network, and what it leaves behind."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from pigevo.errors import InputError
from pigevo.workers import sandbox
from pigevo.workers.pool import Worker, WorkerDied
from pigevo.workers.sandbox import GAPS, landlock_version, private_folder, sandbox_gaps
from tests.small import end, environment_of_a_process, is_alive, marked, module_of_posix, wait_for

resource = module_of_posix("resource")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems have no sandbox")
needs_landlock = pytest.mark.skipif(sandbox_gaps() != "", reason="this system has no whole sandbox")

TASKS = r"""
import os, resource, shutil, signal, socket, subprocess, sys, tempfile, time
from pathlib import Path

def attempt(task, say):
    done = []
    def attempt(name, action):
        try:
            action()
            done.append(name)
        except PermissionError:
            pass
    file, driver = Path(task["file"]), task["driver"]
    attempt("write", lambda: file.write_text("mine"))
    attempt("create", lambda: (file.parent / "new").touch())
    attempt("folder", lambda: (file.parent / "new").mkdir())
    attempt("remove", file.unlink)
    attempt("rename", lambda: file.rename(file.parent / "new"))
    attempt("replace", lambda: Path(tempfile.mkstemp()[1]).replace(file))
    attempt("link", lambda: os.link(file, file.parent / "new"))
    attempt("empty", lambda: os.truncate(file, 0))
    attempt("signal", lambda: os.kill(driver, signal.SIGURG))
    attempt("signal to its keeper", lambda: os.kill(os.getppid(), signal.SIGKILL))
    attempt("limit", lambda: resource.prlimit(driver, resource.RLIMIT_CORE, (0, 0)))
    attempt("memory", lambda: open(f"/proc/{driver}/mem", "rb").close())
    attempt("socket", lambda: socket.socket(socket.AF_UNIX))
    attempt("network", lambda: socket.create_connection(("127.0.0.1", 9)))
    attempt("write by another program", lambda: program_writes(file))
    return done

def program_writes(file):
    if subprocess.run(["cp", "/dev/null", str(file)], stderr=subprocess.DEVNULL).returncode:
        raise PermissionError

def ignored(file, say):
    os.chmod(file, 0)
    return os.stat(file).st_mode & 0o777

def use(file, say):
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy2(file, folder)
        os.rename(copy, Path(folder, "renamed"))
        Path(folder, "touched").touch()
        assert sorted(os.listdir(folder)) == ["renamed", "touched"]
        text = Path(folder, "renamed").read_text()
    print("for nobody", file=open(os.devnull, "w"))
    print(subprocess.run(["echo", "for nobody"], capture_output=True).stdout)
    return [text, tempfile.gettempdir(), resource.getrlimit(resource.RLIMIT_CORE)[0]]

def capabilities(program, say):
    own = Path("/proc/self/status").read_text()
    begun = subprocess.run(["cat", "/proc/self/status"], capture_output=True, text=True).stdout
    return [line.split()[1] for text in (own, begun) for line in text.splitlines() if line.startswith("CapEff")]

def leave(task, say):
    if task["how"] == "ignore":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    for _ in range(3):
        subprocess.Popen([sys.executable, "-c", CODE, task["mark"]], start_new_session=True, env={})
    say("begun")
    {"answer": lambda: None, "exit": lambda: os._exit(3), "hang": lambda: time.sleep(600), "ignore": lambda: time.sleep(600),
     "killed": lambda: os.kill(os.getpid(), 9),
     "terminated": lambda: os.kill(os.getpid(), signal.SIGTERM), "divides": lambda: os.kill(os.getpid(), signal.SIGFPE)}[task["how"]]()
    return "answered"

CODE = '''
import os, sys, time
if os.fork():
    os._exit(0)
os.setsid()
time.sleep(600)
'''
"""


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("tasks_of_test.py").write_text(TASKS)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "private").mkdir()
    return str(tmp_path / "private")


@pytest.fixture
def worker(folder):
    with Worker(keep_errors=True, sandbox=folder) as worker:
        yield worker


@pytest.fixture
def file():
    Path("theirs").write_text("theirs")
    return os.path.abspath("theirs")


@needs_landlock
def test_it_writes_nothing_elsewhere_and_reaches_no_other_process(worker, file, tmp_path):
    before, limit = sorted(tmp_path.iterdir()), resource.getrlimit(resource.RLIMIT_CORE)
    assert worker.call("tasks_of_test:attempt", {"file": file, "driver": os.getpid()}) == []
    assert Path(file).read_text() == "theirs"
    assert [path for path in sorted(tmp_path.iterdir()) if path.name != "__pycache__"] == before
    assert resource.getrlimit(resource.RLIMIT_CORE) == limit


@needs_landlock
def test_modes_of_files_stay(worker, file):
    os.chmod(file, 0o640)
    assert worker.call("tasks_of_test:ignored", file) == 0o640


@needs_landlock
def test_root_can_only_read(worker):
    kept = 4 if os.geteuid() == 0 else 0
    assert [int(digits, 16) for digits in worker.call("tasks_of_test:capabilities", None)] == [kept, kept]


def test_it_can_read_run_programs_and_write_in_its_folder(worker, file, folder):
    soft, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))
    try:
        worker.call("tasks_of_test:use", file)
    finally:
        resource.setrlimit(resource.RLIMIT_CORE, (soft, hard))
    assert worker.call("tasks_of_test:use", file) == ["theirs", folder, 0]


@pytest.mark.parametrize(
    ("how", "status"),
    [("answer", 0), ("exit", 3), ("killed", -9), ("terminated", -15), ("divides", -signal.SIGFPE), ("hang", -9)],
)
def test_it_leaves_no_process_though_it_has_hidden_it(folder, how, status, tmp_path):
    task = {"how": how, "mark": f"left-{tmp_path.name}-{how}"}
    try:
        with Worker(keep_errors=True, sandbox=folder) as worker:
            if how == "answer":
                assert worker.call("tasks_of_test:leave", task) == "answered"
                wait_for(lambda: marked(task["mark"]))
            else:
                with pytest.raises(WorkerDied) as caught:
                    worker.call("tasks_of_test:leave", task, seconds=5 if how == "hang" else None)
                assert (caught.value.status, caught.value.late) == (status, how == "hang")
        assert not any(map(is_alive, marked(task["mark"])))
    finally:
        end(marked(task["mark"]))


@pytest.mark.parametrize("how", ["hang", "ignore"])
def test_a_driver_that_is_killed_leaves_neither_process_nor_folder(how, folder, tmp_path):
    Path(folder, "something").mkdir()
    task = {"how": how, "mark": f"left-{tmp_path.name}"}
    code = (
        f"from pigevo.workers.pool import Worker\nWorker(sandbox={folder!r}).call('tasks_of_test:leave', {task}, print)"
    )
    driver = subprocess.Popen(
        [sys.executable, "-u", "-c", code], env=environment_of_a_process(), stdout=subprocess.PIPE, text=True
    )
    try:
        assert driver.stdout.readline() == "begun\n"
        wait_for(lambda: marked(task["mark"]))
        driver.kill()
        driver.communicate()
        wait_for(lambda: not any(map(is_alive, marked(task["mark"]))))
        wait_for(lambda: not os.path.exists(folder))
    finally:
        driver.kill()
        end(marked(task["mark"]))


OLDER = """
import os, sys
from pigevo.workers import sandbox
sandbox.landlock_version = lambda: int(sys.argv[1])
sandbox.confine(sys.argv[2])
for place in (sys.argv[2], os.getcwd()):
    try:
        open(place + "/new", "w").close()
        print("yes")
    except PermissionError:
        print("no")
"""


@pytest.mark.parametrize(
    ("version", "files", "network", "scopes"),
    [(1, 13, 0, 0), (2, 14, 0, 0), (3, 15, 0, 0), (4, 15, 2, 0), (5, 16, 2, 0), (6, 16, 2, 2), (9, 16, 2, 2)],
)
def test_an_older_kernel_is_asked_only_for_what_it_knows(version, files, network, scopes):
    """Each version of linux/landlock.h has more bits."""
    assert tuple(rights.bit_length() for rights in sandbox.rights_of(version)) == (files, network, scopes)


@pytest.mark.parametrize("version", range(landlock_version() + 1))
def test_it_is_confined_on_an_older_kernel(version, folder):
    words = [sys.executable, "-c", OLDER, str(version), folder]
    done = subprocess.run(words, env=environment_of_a_process(), capture_output=True, text=True)
    assert (done.stdout.split(), done.stderr) == (["yes", "no" if version else "yes"], "")


def test_gaps_are_said(monkeypatch):
    known = sandbox.PROCESSORS["x86_64"]
    monkeypatch.setattr(sandbox, "PROCESSORS", {os.uname().machine: known})
    monkeypatch.setattr(sandbox, "landlock_version", lambda: 0)
    assert sandbox_gaps().startswith("none on this system: the code of entrants ran with your rights")
    monkeypatch.setattr(sandbox, "landlock_version", lambda: 5)
    assert sandbox_gaps() == f"incomplete on this system: the code of entrants could {GAPS[6]}"
    monkeypatch.setattr(sandbox, "landlock_version", lambda: 7)
    assert sandbox_gaps() == ""
    monkeypatch.setattr(sandbox, "PROCESSORS", {})
    assert sandbox_gaps() == f"incomplete on this system: the code of entrants could {sandbox.NO_FILTER}"


def test_a_folder_that_cannot_be_removed_is_no_error(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    try:
        with private_folder() as folder:
            here = os.open(folder, os.O_RDONLY)
            for _ in range(1500):  # deeper than `shutil.rmtree` goes
                os.mkdir("d", dir_fd=here)
                below = os.open("d", os.O_RDONLY, dir_fd=here)
                os.close(here)
                here = below
            os.close(here)
    finally:
        subprocess.run(["rm", "-rf", folder], check=True)  # pytest could not


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    with pytest.raises(InputError, match=r"^no folder for temporary files can be made: No such file"), private_folder():
        pass


def test_the_driver_s_own_process_stays_as_it_is():
    before = Path("/proc/self/status").read_text().splitlines()
    landlock_version.cache_clear()
    assert sandbox_gaps() is not None
    after = Path("/proc/self/status").read_text().splitlines()
    same = ("NoNewPrivs", "Seccomp", "CapEff", "CapPrm")
    assert [line for line in before if line.startswith(same)] == [line for line in after if line.startswith(same)]
