"""A sweep on a real Ray cluster of two nodes on the loopback interface, one of which is killed in the middle.

`make test-ray` runs it; `make test` does not.
"""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.processes import descendants, end, marked, results, sweep, wait_for

pytestmark = [pytest.mark.ray, pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")]


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
