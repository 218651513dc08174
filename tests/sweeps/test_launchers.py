"""Work that is handed to launchers: to stand-ins for clusters, and to real clusters of Ray and Slurm here.

`make test-ray` and `make test-slurm` start the real ones; `make test` does not.
"""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import types
from pathlib import Path

import pytest
import yaml

from pigevo.cli import main
from pigevo.errors import InputError
from pigevo.settings.schema import conf_folder
from pigevo.storage.files import locked
from pigevo.sweeps.job import job_record
from pigevo.sweeps.launchers import LAUNCHERS, follow, launcher_of, work
from pigevo.sweeps.run_sweep import drive
from tests.small import descendants, end, marked, results, small_words, sweep, wait_for


class Now:
    """A future of what is done at once."""

    def __init__(self, work, *given):
        self.work, self.given, self.cancelled = work, given, False

    def future(self):
        return self

    def done(self):
        return True

    def result(self):
        return self.work(*self.given)

    def cancel(self):
        self.cancelled = True


@pytest.fixture
def ray(monkeypatch):
    """A Ray that records the calls and works in this process."""
    calls = {}

    class Remote:
        def __init__(self, work):
            self.remote = lambda *given: Now(work, *given)

    module = types.ModuleType("ray")
    module.remote = lambda **options: calls.update(remote=options) or Remote
    module.init = lambda **options: calls.update(init=options)
    module.shutdown = lambda: calls.update(shut=True)
    module.cancel = lambda ref: ref.cancel()
    module.exceptions = types.SimpleNamespace(AuthenticationError=type("AuthenticationError", (Exception,), {}))
    monkeypatch.setitem(sys.modules, "ray", module)
    monkeypatch.setenv("RAY_AUTH_MODE", "to be restored")
    monkeypatch.delenv("RAY_AUTH_MODE")
    return calls


@pytest.fixture
def submitit(monkeypatch):
    """A submitit that records the calls and works in this process."""
    calls = {}

    class AutoExecutor:
        def __init__(self, **options):
            calls["executor"] = options

        def update_parameters(self, **options):
            calls["parameters"] = options

        def map_array(self, task, parts):
            calls["parts"] = parts
            return [Now(task, part) for part in parts]

    module = types.ModuleType("submitit")
    module.AutoExecutor = AutoExecutor
    module.core = types.SimpleNamespace(utils=types.SimpleNamespace(FailedJobError=RuntimeError))
    monkeypatch.setitem(sys.modules, "submitit", module)
    return calls


def choice(name):
    given = yaml.safe_load((conf_folder() / "hydra" / "launcher" / f"{name}.yaml").read_text())
    return given | {"workers": 1} if name == "pigevo" else given


@pytest.fixture
def swept(make_jobs, tmp_path):
    """A function that does a sweep with a launcher."""

    def sweep(launcher, seeds=(1,)):
        jobs = make_jobs(tmp_path / "runs", seeds)
        drive(jobs, [], tmp_path / "sweeps", launcher_of(launcher, tmp_path / "sweeps"))
        return jobs

    return sweep


def test_each_launcher_has_a_file_that_shows_all_its_options(tmp_path):
    files = {path.stem: choice(path.stem) for path in (conf_folder() / "hydra" / "launcher").glob("*.yaml")}
    assert {given["name"] for given in files.values()} == set(LAUNCHERS)
    for given in files.values():
        assert set(given) - {"name"} == set(LAUNCHERS[given["name"]].options) - {"home"}
        assert launcher_of(given, tmp_path)


@pytest.mark.parametrize(("mode", "expected"), [(None, "token"), ("disabled", "disabled")])
def test_ray_asks_for_its_token_unless_the_user_says_otherwise(swept, ray, monkeypatch, mode, expected):
    if mode:
        monkeypatch.setenv("RAY_AUTH_MODE", mode)
    swept(choice("ray_cluster"))
    assert os.environ["RAY_AUTH_MODE"] == expected


def test_a_missing_or_wrong_token_of_the_ray_cluster_is_one_sentence(swept, ray, monkeypatch):
    module = sys.modules["ray"]
    for error, message in (
        (module.exceptions.AuthenticationError("Token authentication is enabled"), "Ray's token is missing: with"),
        (ConnectionError("Failed to connect\nand more"), "lets this machine in .Failed to connect.: start one with"),
    ):

        def init(error=error, **_):
            raise error

        monkeypatch.setattr(module, "init", init)
        with pytest.raises(InputError, match=message):
            swept(choice("ray_cluster"))


def test_slurm_executes_nothing_from_a_folder_that_others_can_write_to(swept, tmp_path, submitit):
    (tmp_path / "sweeps" / ".submitit").mkdir(parents=True)
    (tmp_path / "sweeps" / ".submitit").chmod(0o777)
    with pytest.raises(InputError, match="Slurm would execute what lies in"):
        swept(choice("submitit_slurm"))
    assert not submitit


def test_slurm_gets_an_array_of_tasks(swept, tmp_path, submitit):
    given = {"runs_per_task": 2, "slurm_partition": "main", "timeouts": 4}
    jobs = swept(choice("submitit_slurm") | given, (1, 2, 3))
    assert submitit["executor"] == {
        "folder": tmp_path / "sweeps" / ".submitit", "cluster": "slurm", "slurm_max_num_timeout": 4,
    }  # fmt: skip
    assert submitit["parameters"] == {
        "timeout_min": 60, "name": "pigevo", "cpus_per_task": 1, "mem_gb": 2, "slurm_partition": "main",
        "slurm_array_parallelism": 256, "slurm_additional_parameters": {},
        "slurm_setup": ["export PYTHONSAFEPATH=1"],
    }  # fmt: skip
    assert [len(part) for part in submitit["parts"]] == [2, 1]
    assert all(job.is_finished for job in jobs)


def test_the_command_gives_a_cluster_the_runs(tmp_path, monkeypatch, ray):
    monkeypatch.chdir(tmp_path)
    words = ["-m", *small_words("seed=1,2"), "hydra/launcher=ray_cluster", "hydra.launcher.remote.num_cpus=2"]
    assert main(words) == 0
    init = {"address": "auto", "log_to_driver": False, "logging_level": 30}
    assert ray == {"remote": {"num_cpus": 2, "max_retries": 3}, "init": init, "shut": True}
    assert len(list(Path("outputs/sweeps").glob("*/sweep.json"))) == 1
    assert len(list(Path("outputs/default").glob("*/result.json"))) == 2


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "hydra.launcher names no launcher"),
        ("pool", "hydra.launcher names no launcher"),
        (
            {"_target_": "hydra_plugins.x.JoblibLauncher", "n_jobs": 2},
            "JoblibLauncher is a launcher of Hydra's, and not one of pigevo's",
        ),
        ({"name": "pol"}, "no launcher 'pol'; did you mean pool"),
        ({"name": "pool", "workers": 0}, "hydra.launcher.workers = 0 is out of range: it must be at least 1"),
        ({"name": "pool", "wokers": 1}, "there is no setting hydra.launcher.wokers"),
        ({"name": "slurm", "mem_gb": "much"}, "hydra.launcher.mem_gb = 'much' must be a number"),
        ({"name": "slurm", "mem_gb": float("inf")}, "hydra.launcher.mem_gb = inf is out of range"),
        ({"name": "slurm", "mem_gb": float("nan")}, "hydra.launcher.mem_gb = nan is out of range"),
        ({"name": "slurm", "mem_gb": -1}, "hydra.launcher.mem_gb = -1.0 is out of range: it must be from 0 to 1000000"),
    ],
)
def test_a_wrong_launcher_is_one_sentence(tmp_path, given, message):
    with pytest.raises(InputError) as caught:
        launcher_of(given, tmp_path)
    assert message in str(caught.value)


class Piece:
    """A future of which the test decides what it is."""

    def __init__(self, answers=None, error=None, ended=True):
        self.answers, self.error, self.ended = answers, error, ended

    def done(self):
        return self.ended

    def result(self):
        if self.error:
            raise self.error
        return self.answers


def answers_of(jobs):
    return work([job_record(job) for job in jobs])


def test_a_folder_in_use_is_waited_for_and_then_reported(make_jobs, tmp_path, monkeypatch):
    (job,) = make_jobs(tmp_path, (1,))
    monkeypatch.setattr("pigevo.storage.files.RETRY_SECONDS", 0.0)
    monkeypatch.setattr("pigevo.sweeps.job.LOCK_SECONDS", 0.1)
    with locked(job.folder):
        ((state, error, _),) = answers_of([job])
    assert (state, "another process is at work" in error) == ("failed", True)
    monkeypatch.setattr("pigevo.sweeps.job.LOCK_SECONDS", 600)
    lock = contextlib.ExitStack()
    lock.enter_context(locked(job.folder))
    threading.Timer(0.5, lock.close).start()
    ((state, error, _),) = answers_of([job])
    assert (state, error) == ("finished", "")


def test_work_does_runs_and_reports_each(make_jobs, tmp_path):
    good, bad = make_jobs(tmp_path, (1, 2))
    (tmp_path / "2").write_text("")
    (first, second) = answers_of([good, bad])
    assert first[:2] == ("finished", "")
    assert second[0] == "failed"
    assert "cannot be written" in second[1]
    assert (good.folder / ".hydra" / "overrides.yaml").read_text().splitlines()[0] == "- debug=fast"


def test_what_was_stopped_begins_nothing_more(make_jobs, tmp_path, monkeypatch):
    jobs = make_jobs(tmp_path, (1, 2))
    monkeypatch.setattr("pigevo.sweeps.launchers.do", lambda *_, **__: ("interrupted", "stopped", 1.0))
    answers = answers_of(jobs)
    assert len(answers) == 1
    assert [o.state for o in follow([(jobs, Piece(answers))], lambda: None, lambda _: None)] == ["interrupted"] * 2


def test_the_result_on_disk_counts_whatever_the_cluster_says(make_jobs, tmp_path):
    jobs = make_jobs(tmp_path, range(5))
    answers_of(jobs[:3])
    noted = []
    begun = [
        ([jobs[0]], Piece([("finished", "", 1.5)])),
        ([jobs[1]], Piece(error=RuntimeError("node lost\nlong story"))),  # after its last run had ended
        ([jobs[2]], Piece(ended=False)),  # forgotten by the cluster
        ([jobs[3]], Piece(error=RuntimeError("node lost\nlong story"))),
        ([jobs[4]], Piece([("finished", "", 1.0)])),  # into a folder that this machine does not see
    ]
    outcomes = follow(begun, lambda: None, noted.append)
    assert [o.job for o in outcomes] == jobs
    assert [o.state for o in outcomes] == ["finished"] * 3 + ["failed"] * 2
    assert outcomes[0].seconds == 1.5
    assert outcomes[3].error == "lost by the cluster: RuntimeError: node lost"
    assert "do all machines see this folder?" in outcomes[4].error
    assert {id(o) for o in noted} == {id(o) for o in outcomes}


def test_a_request_to_stop_is_passed_on(make_jobs, tmp_path):
    jobs = make_jobs(tmp_path, (1, 2))
    pieces = [
        Piece([("interrupted", "stopped", 1.0)], ended=False),
        Piece(error=RuntimeError("cancelled"), ended=False),
    ]

    def cancel():
        for piece in pieces:
            piece.ended = True

    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    outcomes = follow([([job], piece) for job, piece in zip(jobs, pieces, strict=True)], cancel, lambda _: None)
    assert [o.state for o in outcomes] == ["interrupted"] * 2


def at_work(node):
    """Whether a node is in the middle of a run: it holds the lock of a folder with a checkpoint in it."""
    for pid in descendants(node.pid):
        with contextlib.suppress(OSError):
            held = [os.readlink(link) for link in Path(f"/proc/{pid}/fd").iterdir()]
            folders = [Path(place).parent for place in held if place.endswith("/.lock")]
            if any((f / "checkpoint.npz").exists() and not (f / "champion.npz").exists() for f in folders):
                return True
    return False


def free_port():
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return listening.getsockname()[1]


def make_token(environment):
    command = [sys.executable, "-m", "ray.scripts.scripts", "get-auth-token", "--generate"]
    subprocess.run(command, env=environment | {"RAY_AUTH_MODE": "token"}, check=True, capture_output=True)


@pytest.fixture
def cluster(environment):
    """The address of a cluster, its two nodes, and the environment in which it is found."""
    pytest.importorskip("ray")
    home = Path(tempfile.mkdtemp(prefix="pigevo-ray-", dir="/tmp"))  # Ray's sockets need a short path
    environment = environment | {"RAY_AUTH_MODE": "token", "HOME": str(home)}
    make_token(environment)
    address = f"127.0.0.1:{free_port()}"
    ray = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", "--num-cpus=1", "--disable-usage-stats"]
    ray += ["--object-store-memory=100000000"]
    head = [*ray, "--head", f"--port={address.partition(':')[2]}", "--node-ip-address=127.0.0.1"]
    head += ["--include-dashboard=false", f"--temp-dir={home}"]
    nodes = []

    def start(words):
        log = (home / f"node{len(nodes)}.log").open("w")
        nodes.append(subprocess.Popen(words, env=environment, stdout=log, stderr=log, start_new_session=True))
        output = home / f"node{len(nodes) - 1}.log"
        wait_for(lambda: "Ray runtime started" in output.read_text(), 90, lambda: output.read_text())

    try:
        start(head)
        start([*ray, f"--address={address}", "--node-ip-address=127.0.0.2"])
        yield address, nodes, environment
    finally:
        end([*(pid for node in nodes for pid in descendants(node.pid)), *marked(str(home))])
        for node in nodes:
            node.wait()
        shutil.rmtree(home, ignore_errors=True)


@pytest.mark.ray
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_who_has_no_token_or_another_one_is_told_so(cluster, tmp_path):
    address, _, ray_environment = cluster
    (tmp_path / "home").mkdir()
    stranger = {name: value for name, value in ray_environment.items() if name != "RAY_AUTH_MODE"}
    stranger["HOME"] = str(tmp_path / "home")
    words = ("hydra/launcher=ray_cluster", f"hydra.launcher.init.address={address}")
    for message in ("Ray's token is missing", "lets this machine in"):
        process = sweep(tmp_path, stranger, *words)
        output = process.communicate(timeout=600)[1]
        assert process.returncode == 2, output
        assert message in output.splitlines()[-1], output
        assert "Traceback" not in output, output
        make_token(stranger)


@pytest.mark.ray
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_node_dies_and_all_results_are_those_of_this_machine(cluster, tmp_path, environment):
    address, (_, node), ray_environment = cluster
    remote, local = tmp_path / "remote", tmp_path / "local"
    remote.mkdir()
    local.mkdir()
    for name in ("queue", "numba", "hydra", "deap"):  # Ray's workers look into the working folder first
        (remote / f"{name}.py").write_text("raise SystemExit('it was run out of the working folder')\n")
    words = ("hydra/launcher=ray_cluster", f"hydra.launcher.init.address={address}")
    process = sweep(remote, ray_environment, *words)
    try:
        wait_for(lambda: len(results(remote)) >= 2 or process.poll() is not None, 180, "no results")
        wait_for(lambda: at_work(node) or process.poll() is not None, 60, "the second node does not take part")
        assert process.poll() is None, process.communicate()[1]
        end(descendants(node.pid))
        before = len(results(remote))
        assert before < 12
        output = process.communicate(timeout=600)[1]
    finally:
        end(descendants(process.pid))
    assert process.returncode == 0, output
    assert "12 of 12 runs are finished" in output
    logs = [path.read_text() for path in remote.glob("outputs/*/*/run.log")]
    assert any("going on after generation" in log for log in logs)  # on the node that was left

    here = sweep(local, environment)
    assert here.wait(600) == 0, here.stderr.read()
    assert len(results(local)) == 12
    assert results(remote) == results(local)
    again = sweep(remote, ray_environment, *words)  # nothing is left to be done
    assert "12 finished before" in again.communicate(timeout=600)[1]


DAEMONS = ("munged", "slurmctld", "slurmd")
SBIN = "/usr/sbin:/usr/bin:/sbin:/bin"

NEEDS_SLURM = pytest.mark.skipif(
    sys.platform != "linux" or os.getuid() != 0 or not all(shutil.which(name, path=SBIN) for name in DAEMONS),
    reason="needs root and Debian's packages slurm-wlm and munge",
)

CONFIG = """\
ClusterName=pigevo
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmdPort={port1}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={home}/munge.socket
CryptoType=crypto/munge
StateSaveLocation={home}/state
SlurmdSpoolDir={home}/spool
SlurmctldPidFile={home}/slurmctld.pid
SlurmdPidFile={home}/slurmd.pid
SlurmctldLogFile={home}/slurmctld.log
SlurmdLogFile={home}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
MpiDefault=none
KillWait=5
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=4000 State=UNKNOWN
PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


@pytest.fixture
def slurm(environment):
    """The environment in which sbatch finds a Slurm of its own, on ports of its own."""
    home = Path(tempfile.mkdtemp(prefix="pigevo-slurm-", dir="/tmp"))
    home.chmod(0o755)
    for name in ("state", "spool"):
        (home / name).mkdir()
    with socket.socket() as first, socket.socket() as second:
        first.bind(("127.0.0.1", 0))
        second.bind(("127.0.0.1", 0))
        ports = {"port": first.getsockname()[1], "port1": second.getsockname()[1]}
    (home / "slurm.conf").write_text(CONFIG.format(home=home, host=socket.gethostname().split(".")[0], **ports))
    (home / "munge.key").write_bytes(os.urandom(128))
    (home / "munge.key").chmod(0o600)
    environment = environment | {"SLURM_CONF": str(home / "slurm.conf"), "PATH": f"{os.environ['PATH']}:{SBIN}"}
    munge = ["munged", "-F", "--force", f"--key-file={home}/munge.key", f"--socket={home}/munge.socket"]
    munge += [f"--pid-file={home}/munge.pid", f"--log-file={home}/munge.log", f"--seed-file={home}/munge.seed"]
    started = []

    def start(words, ready, what):
        log = (home / f"{words[0]}.out").open("w")
        started.append(subprocess.Popen(words, env=environment, stdout=log, stderr=log, start_new_session=True))
        wait_for(ready, 30, what)

    def idle():
        sinfo = subprocess.run(
            ["sinfo", "-h", "-o", "%T"], env=environment, capture_output=True, text=True, check=False
        )
        return sinfo.stdout.strip() == "idle"

    try:
        start(munge, (home / "munge.socket").exists, "munged did not start")
        start(["slurmctld", "-D"], lambda: True, "")
        start(["slurmd", "-D"], idle, "Slurm's node did not come up")
        yield environment
    finally:
        family = [pid for process in reversed(started) for pid in descendants(process.pid)]
        end(family, signal.SIGTERM)
        for process in reversed(started):
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        end([*family, *marked(str(home))])  # the daemons of the tasks leave their parents
        shutil.rmtree(home, ignore_errors=True)


def tasks_at_work(environment):
    squeue = subprocess.run(
        ["squeue", "-h", "-t", "R", "-o", "%i"], env=environment, capture_output=True, text=True, check=False
    )
    return squeue.stdout.split()


@pytest.mark.slurm
@NEEDS_SLURM
def test_all_results_are_those_of_this_machine(slurm, tmp_path, environment):
    remote, local = tmp_path / "remote", tmp_path / "local"
    remote.mkdir()
    local.mkdir()
    words = ("hydra/launcher=submitit_slurm", "hydra.launcher.slurm_partition=main")
    process = sweep(remote, slurm, *words, "hydra.launcher.runs_per_task=2")
    try:
        wait_for(lambda: len(results(remote)) >= 3 or process.poll() is not None, 180, "no results")
        assert process.poll() is None, process.communicate()[1]
        assert tasks_at_work(slurm)
        output = process.communicate(timeout=600)[1]
    finally:
        end(descendants(process.pid))
    assert process.returncode == 0, output
    assert "12 of 12 runs are finished" in output
    here = sweep(local, environment)
    assert here.wait(600) == 0, here.stderr.read()
    assert len(results(local)) == 12
    assert results(remote) == results(local)


@pytest.mark.slurm
@NEEDS_SLURM
def test_stopped_and_given_again(slurm, tmp_path):
    words = ("hydra/launcher=submitit_slurm", "hydra.launcher.slurm_partition=main")
    process = sweep(tmp_path, slurm, *words)
    wait_for(lambda: list(tmp_path.glob("outputs/*/*/checkpoint.npz")), 120, "nothing began")
    process.send_signal(signal.SIGINT)
    output = process.communicate(timeout=600)[1]
    assert process.returncode == 130, output
    assert "the same command goes on from there" in output
    wait_for(lambda: not tasks_at_work(slurm), 60, "the tasks go on")
    again = sweep(tmp_path, slurm, *words, "hydra.launcher.runs_per_task=3")
    output = again.communicate(timeout=600)[1]
    assert again.returncode == 0, output
    assert len(results(tmp_path)) == 12
    assert any("going on after generation" in path.read_text() for path in tmp_path.glob("outputs/*/*/run.log"))
