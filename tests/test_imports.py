"""Imports stay light, and every public name exists."""

import importlib
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import pigevo

PACKAGE = Path(pigevo.__file__).parent
WITHOUT_COMPILER = [
    "import pigevo; dir(pigevo); pigevo.__version__",
    "import pigevo; pigevo.hold_at(pigevo.Pig(target=9)).digest",
    "import pigevo.evolution.plan",
    "from pigevo.settings import schema as s; import importlib as i; [list(getattr(i.import_module(m), n)) for m, n in s.GROUPS.values()]",
    "import pigevo.exact",
    "from pigevo import three_player; three_player.Game(target=9), dir(three_player)",
    "from pigevo.three_player import Strategy, Piglet; Strategy.from_function(Piglet(2), lambda a, b, c, k: 1)",
    "import pigevo.settings",
    "import pigevo.cli; from pigevo.cli.commands import command_names as n, load_command; [load_command(c) for c in n()]",
    "import pigevo.settings.settings",
    "import pigevo.web.notebook, pigevo.strategies.openspiel, pigevo.strategies",
    "from pigevo import Context, Crossover, Evaluation, Fitness, Mutation, Plays, Population, Replacement, Selection",
]


def loaded_after(statement, depth=1):
    """The modules in a fresh interpreter after a statement, by as many parts of their names."""
    code = f"import sys\n{statement}\nprint(*{{'.'.join(name.split('.')[:{depth}]) for name in sys.modules}})"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env={"PYTHONPATH": str(PACKAGE.parent)},
    )  # fmt: skip
    return set(done.stdout.split())


def test_imports_without_the_compiler():
    code = f"""for statement in {WITHOUT_COMPILER!r}:
    exec(statement, {{}})
    assert not {{"numba", "llvmlite", "matplotlib"}} & set(sys.modules), statement"""
    assert "pigevo" in loaded_after(code)


def test_the_help_needs_no_operator_no_progress_bar_and_no_metadata_of_packages():
    loaded = loaded_after("from pigevo.cli.entry import overview; overview()", depth=3)
    assert "pigevo.cli.glossary" in loaded
    assert not {"tqdm", "email", "importlib.metadata", "pigevo.evolution.operators"} & loaded


def test_a_win_probability_loads_few_modules_of_pigevo():
    pair = "pigevo.hold_at(pigevo.Pig(), 20), pigevo.hold_at(pigevo.Pig(), 25)"
    loaded = loaded_after(f"import pigevo; pigevo.win_probability({pair})", depth=9)
    assert len([name for name in loaded if name.split(".")[0] == "pigevo"]) <= 36


def test_importing_the_package_imports_nothing_heavy():
    assert loaded_after("import pigevo") & {"numpy", "scipy", "numba", "deap", "hydra", "matplotlib"} == set()


@pytest.mark.parametrize("name", ["pigevo", "pigevo.three_player"])
def test_every_public_name_exists(name):
    module = importlib.import_module(name)
    assert set(module.__all__) <= set(dir(module))
    assert all(getattr(module, public) is not None for public in module.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'solv'"):
        module.solv  # noqa: B018


@pytest.mark.parametrize("words", [["-c", "import pigevo"], ["-m", "pigevo", "--help"]])
def test_out_of_a_zip_file_it_says_what_is_wrong(tmp_path, words):
    with zipfile.ZipFile(tmp_path / "pigevo.whl", "w") as wheel:
        for file in ("__init__.py", "__main__.py"):
            wheel.write(Path(pigevo.__file__).with_name(file), f"pigevo/{file}")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "pigevo.whl")}
    done = subprocess.run([sys.executable, *words], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 1
    assert "pigevo cannot be imported out of the zip file" in done.stderr
    assert "pip install FILE.whl" in done.stderr
