"""Neither commands nor workers import modules of the working folder in place of installed ones."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import pigevo
from pigevo.core.imports import working_folder_last
from tests.small import SMALL, environment_of_a_process

MARK = "was run out of the working folder"
STRANGERS = """
    argparse array ast asyncio atexit base64 bisect calendar cProfile click cmath code colorsys concurrent configparser
    contextlib copy csv ctypes dataclasses datetime deap decimal difflib email enum experiments fractions getpass glob
    gzip hashlib heapq html hydra inspect json llvmlite locale logging lzma math matplotlib mimetypes multiprocessing
    numba numbers numpy omegaconf operator pickle platform platformdirs pprint queue random resource scipy select
    selectors shlex shutil signal socket sqlite3 statistics string struct subprocess symtable sysconfig tempfile
    textwrap threading token tokenize tqdm traceback typing unittest uuid weakref webbrowser xml yaml zipfile zlib
""".split()  # noqa: SIM905
PIGEVO = [sys.executable, "-m", "pigevo"]
COMMAND = [
    sys.executable,
    "-P",
    "-c",
    "import sys; from pigevo.cli import command; sys.exit(command())",
]  # as the script does


@pytest.fixture
def folder(tmp_path):
    """A working folder of modules with the names of installed ones, except those that `python -m` itself imports from it."""
    (tmp_path / "probe.py").write_text("import sys; print(*sys.modules)")
    early = run_in([sys.executable, "-m", "probe"], tmp_path, os.environ).stdout.split()
    for name in set(STRANGERS) - set(early):
        (tmp_path / f"{name}.py").write_text(f"raise SystemExit('{name} {MARK}')\n")
    return tmp_path


@pytest.fixture
def environment(tmp_path_factory):
    """An environment in which this pigevo is imported as if it were installed, and not from the working folder."""
    home = str(Path(pigevo.__file__).parents[1])
    cache = {"XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache"))}
    return environment_of_a_process() | cache | {"PYTHONPATH": home, "PYTHONDONTWRITEBYTECODE": "1"}


@pytest.fixture
def plugins(tmp_path):
    """A working folder with files that look like installed plugins of Hydra and numba."""
    announced = tmp_path / "stranger-1.0.dist-info"
    (tmp_path / "hydra_plugins" / "stranger").mkdir(parents=True)
    announced.mkdir()
    (announced / "METADATA").write_text("Metadata-Version: 2.1\nName: stranger\nVersion: 1.0\n")
    (announced / "entry_points.txt").write_text("[numba_extensions]\ninit = extension:init\n")
    for name in ("hydra_plugins/stranger/__init__.py", "hydra_plugins/other.py", "extension.py"):
        (tmp_path / name).write_text(f"import pathlib\npathlib.Path(__file__).with_name('ran').write_text('{MARK}')\n")
    return tmp_path


def run_in(command, folder, environment):
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


SWEEP = " ".join(["-m", *SMALL, "seed=1,2", "hydra.launcher.workers=1"])


@pytest.mark.parametrize(
    ("command", "words", "path"),
    [
        (COMMAND, "--help", ""),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in [
                (COMMAND, "solve --target 5", ""),
                (COMMAND, SWEEP, ""),
                (PIGEVO, "--cfg job", ""),
                (PIGEVO, "duel hold_at:2 hold_at:3 --target 5", ""),
                (PIGEVO, SWEEP, ""),
                (PIGEVO, SWEEP, "."),
            ]
        ),
    ],
)
def test_no_command_or_worker_runs_a_module_of_the_working_folder(folder, environment, command, words, path):
    search = os.pathsep.join(filter(None, [environment["PYTHONPATH"], path]))
    done = run_in([*command, *words.split()], folder, environment | {"PYTHONPATH": search})
    logs = "".join(log.read_text() for log in folder.glob("outputs/*/*/run.log"))
    assert (done.returncode, MARK in done.stdout + done.stderr + logs) == (0, False), done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("words", [["seed=1"], ["-m", "seed=1,2", "hydra.launcher.workers=1"]], ids=["run", "sweep"])
def test_no_plugin_of_the_working_folder_is_loaded(plugins, environment, words):
    done = run_in([*PIGEVO, *words, *SMALL], plugins, environment)
    assert (done.returncode, [*plugins.rglob("ran")]) == (0, []), done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("function", ["own.ops:mixed", "own:mixed", "ops:mixed", "ops.py:mixed"])
def test_workers_load_operators_of_the_working_folder(tmp_path, environment, function):
    (tmp_path / "own").mkdir()
    for name in ("own/__init__.py", "own/ops.py", "ops.py"):
        (tmp_path / name).write_text("def mixed(first, second, context):\n    return first\n")
    words = [*SMALL, "seed=1,2", "crossover=custom", f"crossover.function={function}", "hydra.launcher.workers=1"]
    done = run_in([*PIGEVO, "-m", *words], tmp_path, environment)
    assert done.returncode == 0, done.stderr
    assert "2 of 2 runs are finished" in done.stderr


@pytest.mark.slow
def test_the_worker_has_the_pigevo_of_its_driver(tmp_path, environment):
    """Even if another folder named pigevo is in the working folder."""
    (tmp_path / "pigevo").mkdir()
    (tmp_path / "pigevo" / "__init__.py").write_text(f"raise SystemExit('{MARK}')\n")
    home = str(Path(pigevo.__file__).parents[1])
    begun = [sys.executable, "-c", f"import sys; sys.path.insert(0, {home!r})\n{COMMAND[-1]}"]
    done = run_in([*begun, "-m", *SMALL, "seed=1,2", "hydra.launcher.workers=1"], tmp_path,
                environment | {"PYTHONPATH": ""})  # fmt: skip
    assert done.returncode == 0, done.stderr
    (result, _) = tmp_path.glob("outputs/*/*/result.json")
    assert json.loads(result.read_text())["versions"]["pigevo"] == pigevo.__version__


def test_the_working_folder_goes_last_and_may_be_gone(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr(sys, "path", ["", str(tmp_path / "here"), "/first", "/home", "/second"])
    working_folder_last("/home")
    assert sys.path == ["/first", "/second", "/home", str(tmp_path / "here")]
    working_folder_last("/home")
    assert sys.path == ["/first", "/second", "/home", str(tmp_path / "here")]
    (tmp_path / "here").rmdir()
    monkeypatch.setattr(sys, "path", ["", "/first"])
    working_folder_last()
    assert sys.path == ["/first"]
