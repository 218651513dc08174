"""Processes that a test starts, and ends by their ids together with their own children."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

RUNS = (
    "debug=fast", "game.target=14", "population.size=8", "fitness.games=20", "generations=1500", "record_every=300",
    "checkpoint_every=25", "seed=range(0,12)",
)  # fmt: skip


def descendants(pid):
    """The ids of a process and of all its descendants whose parents are still alive."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
    pids = [pid]
    for ancestor in pids:
        pids += [child for child, parent in parents.items() if parent == ancestor]
    return pids


def marked(word):
    """The ids of the processes, except this one, with a word in their environment or command line."""
    pids = []
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            text = (place / "environ").read_bytes() + (place / "cmdline").read_bytes()
            if word.encode() in text and int(place.name) != os.getpid():
                pids.append(int(place.name))
    return pids


def end(pids, number=signal.SIGKILL):
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def is_alive(pid):
    """Whether a process runs; a zombie does not."""
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    place = Path(f"/proc/{pid}/stat")
    return not (place.exists() and place.read_text().rpartition(")")[2].split()[0] == "Z")


def wait_for(condition, seconds=60, what="waited in vain"):
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, what() if callable(what) else what
        time.sleep(0.02)


def sweep(folder, environment, *words):
    """Start the sweep of twelve runs."""
    command = [sys.executable, "-m", "pigevo", "-m", *RUNS, *words]
    return subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.PIPE, text=True)


def results(folder):
    """The digest of each finished run, by the name of its folder."""
    import json

    files = folder.glob("outputs/*/*/result.json")
    return {path.parent.name: json.loads(path.read_text())["digest"] for path in files}
