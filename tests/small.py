"""Small runs and sweeps, settings of studies made small, the processes that a test starts for them, and how it ends these."""

import contextlib
import importlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from omegaconf import OmegaConf

from pigevo.settings.settings import Settings

posix = pytest.mark.skipif(os.name != "posix", reason="it is done as POSIX has it")


def module_of_posix(name):
    """The module; None where Python has none of that name, as on Windows: the tests that need it are marked `posix`."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


SMALL = (
    "debug=fast", "game.target=12", "population.size=6", "fitness.games=10", "mutation=0.03", "workers=1",
    "generations=6", "checkpoint_every=2", "record_every=2", "figures=none",
)  # fmt: skip


def small_words(*words):
    """The settings of a small run and others, as on the command line, without those that the others make void."""
    chosen = dict(word.partition("=")[::2] for word in words)
    void = {
        "generations": chosen.get("cubes", "").startswith("waves"),
        "fitness.games": chosen.get("fitness") in ("exact", "exact_vs_optimal", "archive", "archive_race", "panel"),
        "mutation": chosen.get("mutator") in ("self_adapting", "boundary"),
    }
    return [*(word for word in SMALL if not void.get(word.partition("=")[0])), *words]


def small_settings(*words):
    """The settings of a small run as `Settings`."""
    return Settings.of(*small_words(*words))


def shorter(study, added, dropped=()):
    """The settings of a study, by part and name, without words that begin so, and with further words.

    What the study states beside them is left out: `debug=fast` makes small what no word sets.
    """
    whole = OmegaConf.to_container(OmegaConf.load(study.HERE / "settings.yaml"))
    return {
        part: {
            name: " ".join([*(word for word in words.split() if not word.startswith(dropped)), added])
            for name, words in settings.items()
        }
        for part, settings in whole.items()
        if part != "stated"
    }


def done_here(jobs, *, on_outcome=None, title=""):
    """A launcher that does all jobs in this process."""
    from pigevo.runs import run
    from pigevo.sweeps import JobOutcome

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pigevo.runs.pictures.draw_run", lambda *_: None)
        for job in jobs:
            run(job.settings, job.folder)
    return [JobOutcome(job, "finished") for job in jobs]


def two_rates(home, seeds, *words):
    """A sweep of two mutation rates, done here: the sweep's own folder, inside the home of all sweeps."""
    from pigevo.sweeps import Job
    from pigevo.sweeps.run_sweep import drive

    jobs = [
        Job(small_settings(*words, f"mutation={rate}", f"seed={seed}"), home / "default" / f"{rate}-{seed}")
        for rate in (0, 0.3)
        for seed in range(seeds)
    ]
    return drive(jobs, ["mutation=0,0.3", f"seed=range({seeds})"], home / "sweeps", done_here)


def one_small_game(patch):
    """Give the page one small game beside Pig to 100: solving all of them takes half a minute."""
    from pigevo.games import Piglet

    patch.setattr("pigevo.web.site.other_games", lambda: {"piglet": Piglet()})
    patch.setattr("pigevo.web.site.adapting_file", lambda _: b"{}")


def resealed(folder, **figures):
    """Change figures of a run's result, or files beside it, and compute all hashes again."""
    from pigevo.runs.result import read_result
    from pigevo.storage.records import hashes_of, with_checksum

    record = {k: v for k, v in read_result(folder, checksum=False).items() if k not in ("hash", "format")} | figures
    record["files"] = hashes_of(folder, record["files"])
    (folder / "result.json").write_bytes(with_checksum(record))


def without_champions(folder):
    """Remove the recorded champions from a run's folder, as an earlier version would have left it."""
    from pigevo.runs.result import write_result

    (folder / "champions.csv").unlink()
    record = json.loads((folder / "result.json").read_text())
    del record["hash"], record["format"]
    names = [name for name in record.pop("files") if name != "champions.csv"]
    write_result(folder, record, names)


def environment_of_a_process():
    """The environment of a process that imports this pigevo and uses its compiled kernels.

    The threads that OpenBLAS starts with numpy would have nothing to do, and wait busily.
    """
    from pigevo.compiled.cache import cache_folder

    place = cache_folder()
    folder = {"NUMBA_CACHE_DIR": str(place.parent)} if place else {}
    paths = {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    return {"OPENBLAS_NUM_THREADS": "1"} | os.environ | paths | folder


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


def end(pids, number=None):
    """Send a signal to processes, SIGKILL unless it has another number."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL if number is None else number)


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
    files = folder.glob("outputs/*/*/result.json")
    return {path.parent.name: json.loads(path.read_text())["digest"] for path in files}
