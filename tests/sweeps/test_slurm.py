"""A sweep on a real Slurm of one node, from Debian's packages `slurm-wlm` and `munge`, started here as root.

`make test-slurm` runs it; `make test` does not.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.processes import descendants, end, marked, results, sweep, wait_for

DAEMONS = ("munged", "slurmctld", "slurmd")
SBIN = "/usr/sbin:/usr/bin:/sbin:/bin"

pytestmark = [
    pytest.mark.slurm,
    pytest.mark.skipif(
        sys.platform != "linux" or os.getuid() != 0 or not all(shutil.which(name, path=SBIN) for name in DAEMONS),
        reason="needs root and Debian's packages slurm-wlm and munge",
    ),
]

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
