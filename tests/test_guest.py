"""Pigevo inside what is not its own: a program finds its process as it was, and a system may lack what POSIX has."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.small import environment_of_a_process

# What pigevo needs is imported before: scipy and numpy add filters for warnings of their own when they are imported, by
# whomever, and to take these away would change what they mean to show.
PROGRAM = """
import atexit, gc, locale, logging, os, random, runpy, signal, sys, threading, warnings
import matplotlib, numba, numpy as np, scipy.special

def state():
    return {
        "warnings": [*warnings.filters], "showwarning": warnings.showwarning, "errors of numpy": np.geterr(),
        "printing of numpy": np.get_printoptions(), "random": random.getstate(),
        "random of numpy": np.random.get_state()[1].tobytes(),
        "rcParams": {key: dict.get(matplotlib.rcParams, key) for key in matplotlib.rcParams},
        "handlers": [*logging.root.handlers], "level": logging.root.level, "last": logging.lastResort.level,
        "pigevo's logger": [(logger.level, [*logger.handlers]) for logger in [logging.getLogger("pigevo")]],
        "locale": locale.setlocale(locale.LC_ALL), "folder": os.getcwd(), "environment": dict(os.environ),
        "signals": [signal.getsignal(number) for number in signal.valid_signals()],
        "hooks": (sys.excepthook, threading.excepthook, sys.unraisablehook), "path": [*sys.path],
        "finders": [*sys.meta_path], "limits": (sys.getrecursionlimit(), sys.getswitchinterval()),
        "numba": {key: getattr(numba.config, key) for key in dir(numba.config) if key.isupper()},
        "threads of Python": sorted(thread.name for thread in threading.enumerate()),
        "streams": [stream.errors for stream in (sys.stdin, sys.stdout, sys.stderr)],
        "threads": numba.get_num_threads(), "garbage": (gc.isenabled(), gc.get_threshold()),
    }

def compare(after):
    global before
    now = state()
    for key, value in now.items():
        assert value == before[key], (after, key, before[key], value)

before = state()
import pigevo
compare("import")
game = pigevo.Pig(target=12)
pigevo.optimal(game)
pigevo.play_match(pigevo.hold_at(game, 3), pigevo.hold_at(game, 4), games=100, seed=1)
compare("match")
small = ("debug=fast", "game.target=12", "population.size=6", "fitness.games=10", "baseline=none")
run = pigevo.evolve(*small)
compare("run")
run.plot()
compare("figure")
pigevo.evolve(*small, folder="run")
compare("run in a folder")
from pigevo.cli import main
from pigevo.core.imports import leave_garbage
assert main([*small, "hydra.run.dir=command"]) == 0
compare("command")
count, sys.argv[1:] = atexit._ncallbacks(), ["rules"]
try:
    runpy.run_module("pigevo", run_name="__main__", alter_sys=True)  # as a notebook's %run -m pigevo
except SystemExit as end:
    assert end.code == 0
atexit.unregister(leave_garbage)
assert atexit._ncallbacks() == count
"""

NOTEBOOK = """
import os
from pigevo.cli import main
{}
assert main(["show", "hold_at:3", "--target", "12", "--picture", "map", "--to", "p.png"]) == 0
import matplotlib
print(matplotlib.get_backend(), os.environ.get("MPLBACKEND"))
"""


def stays(program, folder):
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, env=environment_of_a_process(), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_is_the_whole_processs_stays_as_it_was(tmp_path):
    stays(PROGRAM, tmp_path)


def test_a_notebook_shows_its_pictures_after_a_command_that_drew_some(tmp_path):
    assert stays(NOTEBOOK.format('os.environ["MPLBACKEND"] = "svg"'), tmp_path).endswith("svg svg\n")


def test_a_program_that_chose_no_backend_has_that_of_matplotlib_after_a_command(tmp_path):
    chosen = stays(NOTEBOOK.format(""), tmp_path).splitlines()[-1].split()
    usual = stays("import matplotlib; print(matplotlib.get_backend())", tmp_path).split()
    assert chosen == [*usual, "None"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_log_that_cannot_be_ended_changes_no_status():
    program = """
import logging
from pigevo.cli import commands, entry, main
from pigevo.runs.progress import FileHandler
def dispatch(words, began):
    logging.root.addHandler(FileHandler("/dev/full"))
    logging.root.handlers[-1].stream.write("a line")
    return 3
entry._dispatch = dispatch
assert (main(["--version"]), logging.root.handlers) == (3, [])
"""
    stays(program, None)


IN_THREADS = """
import warnings
from concurrent.futures import ThreadPoolExecutor

import matplotlib

import pigevo

small = ("debug=fast", "game.target=12", "population.size=6", "fitness.games=10", "baseline=none")
pigevo.evolve(*small, folder="first")
before = {key: dict.get(matplotlib.rcParams, key) for key in matplotlib.rcParams}, [*warnings.filters]
with ThreadPoolExecutor(4) as pool:
    digests = [run.result["digest"] for run in pool.map(lambda n: pigevo.evolve(*small, seed=n, folder=f"{n}"), range(12))]
    list(pool.map(lambda n: pigevo.load_run(f"{n}").plot(), range(12)))
assert digests == [pigevo.evolve(*small, seed=n).result["digest"] for n in range(12)]
assert before == ({key: dict.get(matplotlib.rcParams, key) for key in matplotlib.rcParams}, [*warnings.filters])
"""


def test_runs_in_threads_draw_and_change_nothing_of_matplotlib_and_warnings(tmp_path):
    stays(IN_THREADS, tmp_path)


ROOT = Path(__file__).parents[1]
LACKING = """
import fcntl, os, subprocess, sys, types  # the third one looks for msvcrt itself, and takes it for Windows

def locking(descriptor, how, length):
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # as on Windows, the lock of an open file

sys.modules["msvcrt"] = types.ModuleType("msvcrt")
sys.modules["msvcrt"].locking, sys.modules["msvcrt"].LK_NBLCK = locking, 2
for name in ("fcntl", "resource", "termios", "tty", "pwd", "grp"):
    sys.modules[name] = None  # so that an import of it fails
del os.killpg
"""
RUN = ["experiment=cube_random", "debug=fast", "fitness=exact"]
HOLD = """
import time
from pathlib import Path
from pigevo.storage.files import in_use, locked
with locked(Path("held")):
    print(in_use(Path("held")), in_use(Path("free")), flush=True)
    time.sleep(60)
"""


@pytest.fixture
def begin(tmp_path):
    pytest.importorskip("fcntl", reason="what is left out must be here")
    (tmp_path / "lacking").mkdir()
    (tmp_path / "lacking" / "sitecustomize.py").write_text(LACKING)
    places = os.pathsep.join([str(tmp_path / "lacking"), str(ROOT)])

    def begin(*words):
        return subprocess.Popen(
            [sys.executable, *words], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=environment_of_a_process() | {"PYTHONPATH": places},
        )  # fmt: skip

    return begin


def done(process):
    """The output of a process that ends with status 0."""
    out, err = process.communicate(timeout=600)
    assert process.returncode == 0, err
    return out


@pytest.mark.slow
def test_a_run_a_sweep_and_a_tournament_without_what_windows_lacks(begin, tmp_path):
    (tmp_path / "mine.py").write_text("def rule(i, j, k):\n    return k < 4\n")
    pigevo = ("-m", "pigevo")
    result = json.loads(done(begin(*pigevo, *RUN, "--json")))
    (folder,) = (path.parent for path in tmp_path.glob("outputs/cube_random/*/result.json"))
    assert result["digest"]
    done(begin(*pigevo, "-m", *RUN, "seed=0,1", "baseline=none"))
    assert len(list(tmp_path.glob("outputs/cube_random/*/result.json"))) == 3
    assert "same" in done(begin(*pigevo, "verify", str(folder)))
    assert "hold_at:3" in done(begin(*pigevo, "tournament", "mine.py:rule", "hold_at:3", "--target", "9"))


def test_a_folder_at_work_is_locked_without_fcntl(begin, tmp_path):
    holder = begin("-c", HOLD)
    assert holder.stdout.readline() == "True False\n"
    looks = "from pathlib import Path\nfrom pigevo.storage.files import in_use\nprint(in_use(Path('held')))"
    assert done(begin("-c", looks)) == "True\n"
    holder.kill()
    holder.communicate()
    assert done(begin("-c", looks)) == "False\n"


@pytest.mark.slow
def test_the_tests_are_found_without_what_windows_lacks(begin):
    places = [str(ROOT / folder) for folder in ("tests", "experiments")]
    assert "test_guest.py" in done(begin("-m", "pytest", "--collect-only", "-p", "no:xdist", *places))


def test_a_program_s_own_plugins_of_hydra_are_found_after_pigevo_is_imported(tmp_path):
    """pigevo looks for plugins without the working folder, for itself alone."""
    for path, text in {
        "hydra_plugins/more_configs.py": """
from hydra.core.config_search_path import ConfigSearchPath
from hydra.plugins.search_path_plugin import SearchPathPlugin
from pathlib import Path
class More(SearchPathPlugin):
    def manipulate_search_path(self, search_path: ConfigSearchPath) -> None:
        search_path.append("more", f"file://{Path(__file__).parents[1] / 'more'}")
""",
        "more/db/plug.yaml": "host: of_the_plugin",
        "conf/config.yaml": "x: 1",
        "app.py": """
import hydra
import pigevo
pigevo.evolve("debug=fast", "game.target=9", "baseline=none")
@hydra.main(version_base=None, config_path="conf", config_name="config")
def main(cfg):
    assert cfg.db.host == "of_the_plugin", cfg
    assert pigevo.evolve("debug=fast", "game.target=9", "baseline=none").champion.game.target == 9
    print("found")
main()
""",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    done = subprocess.run(
        [sys.executable, "app.py", "+db=plug"], cwd=tmp_path, env=environment_of_a_process(),
        capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "found\n"), done.stderr


PLUGIN = {
    "site/hydra_plugins/slurm/__init__.py": "",
    "site/hydra_plugins/slurm/_config.py": """
from dataclasses import dataclass
from hydra.core.config_store import ConfigStore
@dataclass
class Slurm:
    _target_: str = "hydra_plugins.slurm.launcher.SlurmLauncher"
    array_parallelism: int = 256
ConfigStore.instance().store(group="hydra/launcher", name="submitit_slurm", node=Slurm, provider="slurm")
""",
    "site/hydra_plugins/slurm/launcher.py": """
from hydra.plugins.launcher import Launcher
from . import _config
class SlurmLauncher(Launcher):
    def setup(self, **_): ...
    def launch(self, *_): ...
""",
    "program.py": """
import sys
from hydra import compose, initialize
from hydra.core.config_store import ConfigStore
from hydra.core.plugins import Plugins
from pigevo.settings.compose import Composer
def program():
    Plugins.instance()
    with initialize(version_base=None):
        chosen = compose(overrides=["hydra/launcher=submitit_slurm"], return_hydra_config=True).hydra.launcher
        assert chosen.array_parallelism == 256, chosen
def pigevo():
    chosen = Composer()(["hydra/launcher=submitit_slurm", "hydra.launcher.runs_per_task=3"]).hydra.launcher
    assert (chosen.name, chosen.runs_per_task, "_target_" in chosen) == ("slurm", 3, False), chosen
for name in sys.argv[1:]:
    globals()[name]()
print("both")
""",
}


@pytest.mark.parametrize("order", ["pigevo program", "program pigevo program"])
def test_a_plugin_s_launcher_of_the_same_name_is_the_program_s_and_pigevo_has_its_own(tmp_path, order):
    """As hydra-submitit-launcher's, and hydra-ray-launcher's, whose file of settings Hydra imports only once."""
    for path, text in PLUGIN.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    environment = environment_of_a_process()
    environment["PYTHONPATH"] += f"{os.pathsep}{tmp_path / 'site'}"
    done = subprocess.run(
        [sys.executable, "-W", "error", "program.py", *order.split()], cwd=tmp_path, env=environment,
        capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "both\n"), done.stderr
