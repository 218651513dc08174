"""What type checkers and editors see of the public names: their real types, and no name that does not exist."""

import ast
import importlib
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pigevo

PACKAGE = Path(pigevo.__file__).parent
LAZY = sorted(
    ".".join(path.parent.relative_to(PACKAGE.parent).parts) for path in PACKAGE.rglob("__init__.py")
    if "_HOMES = {" in path.read_text(encoding="utf-8")
)  # fmt: skip

SCRIPT = """\
import pigevo
from pigevo import three_player, tournaments

game = pigevo.Pig(target=20)
mine = pigevo.Strategy.from_function(game, lambda i, j, k: k < 8, name="mine")
reveal_type(mine)
reveal_type(pigevo.optimal(game).strategy)
reveal_type(pigevo.win_probability(mine, pigevo.hold_at(game, 8)).overall)
reveal_type(pigevo.evolve("cube_random", mutation=0.005))
reveal_type(pigevo.load_sweep("folder"))
reveal_type(pigevo.play_match(mine, mine, games=10, seed=1).wins)
reveal_type(three_player.solve(three_player.Game(target=9)))
reveal_type(pigevo.tournament([mine, mine]))
"""
TYPES = ["Strategy", "Strategy", "float", "Run", "Sweep", "int", "ThreeSolution", "Tournament"]
WRONG = {
    "pigevo.nosuch": "nosuch",
    "three_player.nosuch": "nosuch",
    "tournaments.nosuch": "nosuch",
    "pigevo.win_probability(1, 2)": "int",
    "pigevo.hold_at(game, 20).rol": "rol",
}


@pytest.fixture
def script(tmp_path):
    """A user's script whose last lines are wrong, each in its own way."""
    path = tmp_path / "script.py"
    path.write_text(SCRIPT + "\n".join(WRONG) + "\n", encoding="utf-8")
    return path


def checked_types(found):
    """The names of the revealed types, without their modules."""
    return [re.sub(r"\W+$", "", name).rpartition(".")[2] for name in found]


@pytest.mark.parametrize("package", LAZY)
def test_what_a_type_checker_reads_are_the_registered_names(package):
    module = importlib.import_module(package)
    [block] = [
        node for node in ast.parse(Path(module.__file__).read_text(encoding="utf-8")).body
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING" and node.orelse
    ]  # fmt: skip
    lines = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    assert all(alias.asname == alias.name for line in lines for alias in line.names)  # else they are private
    read = {(line.module, alias.name) for line in lines for alias in line.names}
    prefix = "" if package == "pigevo" else f"{package}."
    registered = {(prefix + home, name) for home, names in module._HOMES.items() for name in names}
    assert read == registered


def test_there_are_nine_packages_with_lazy_names():
    assert {"pigevo", "pigevo.three_player", "pigevo.exact"} < set(LAZY)
    assert len(LAZY) == 9


@pytest.mark.slow
def test_mypy_knows_the_types_and_refuses_what_is_wrong(script, tmp_path):
    pytest.importorskip("mypy", reason="mypy is in the extra `check`")
    words = ["--strict", "--follow-imports=silent", "--ignore-missing-imports", f"--cache-dir={tmp_path / 'cache'}"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *words, str(script)], capture_output=True, text=True, cwd=PACKAGE.parent
    )
    notes = re.findall(r'note: Revealed type is "([^"]+)"', done.stdout)
    assert checked_types(notes) == TYPES, done.stdout
    errors = dict(re.findall(r"script\.py:(\d+): error: (.*)", done.stdout))
    first = len(SCRIPT.splitlines()) + 1
    assert sorted(map(int, errors)) == list(range(first, first + len(WRONG))), done.stdout
    for number, word in enumerate(WRONG.values(), first):
        assert word in errors[str(number)]


@pytest.mark.slow
def test_pyright_knows_the_types_and_refuses_what_is_wrong(script):
    pyright = shutil.which("pyright", path=Path(sys.executable).parent)
    if pyright is None:
        pytest.skip("pyright is not installed")
    config = {"include": ["script.py"], "extraPaths": [str(PACKAGE.parent)], "reportSelfClsParameterName": "none"}
    (script.parent / "pyrightconfig.json").write_text(json.dumps(config))
    words = [pyright, "--outputjson", "--pythonpath", sys.executable, "-p", str(script.parent)]
    done = subprocess.run(words, capture_output=True, text=True, cwd=script.parent)
    try:
        found = json.loads(done.stdout)["generalDiagnostics"]
    except ValueError:
        pytest.skip("pyright cannot start here")
    notes = [row["message"] for row in found if row["severity"] == "information"]
    assert checked_types(note.rpartition('is "')[2] for note in notes) == TYPES
    wrong = {row["range"]["start"]["line"] + 1 for row in found if row["severity"] == "error"}
    first = len(SCRIPT.splitlines()) + 1
    assert wrong == set(range(first, first + len(WRONG))), found


@pytest.mark.slow
def test_jedi_completes_names_and_attributes():
    jedi = pytest.importorskip("jedi")
    code = "import pigevo\ngame = pigevo.Pig(target=20)\np = pigevo.win_probability(pigevo.hold_at(game, 8), "
    names = {c.name for c in jedi.Script("import pigevo\npigevo.win_").complete()}
    assert names == {"win_matrix", "win_probability"}
    [signature] = jedi.Script(code).get_signatures()
    assert [parameter.name for parameter in signature.params][:2] == ["a", "b"]
    then = code + "pigevo.hold_at(game, 9))\np."
    assert {"first", "second", "overall"} <= {c.name for c in jedi.Script(then).complete()}
    assert "solve" in {c.name for c in jedi.Script("from pigevo import three_player\nthree_player.so").complete()}
