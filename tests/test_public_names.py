"""Public names: importing them is light, each exists and has its real type, their arguments are checked, and examples run.

The examples are those in the docstrings of public names, of all that is registered, and of internal names.
"""

import ast
import doctest
import importlib
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
import typing
import zipfile
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

import numpy as np
import pytest

import pigevo
from pigevo import people, three_player
from pigevo.errors import InputError
from pigevo.experiments import benchmark
from pigevo.games import GAMES
from pigevo.settings.schema import GROUPS, registry_of
from pigevo.strategies import STRATEGIES

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


@pytest.mark.parametrize(
    "words", ["--help", "duel --help", "dule hold_at:20 optimal", "cube_randm", "experimnt=cube_random"]
)
def test_help_and_a_typo_need_no_numpy_no_operator_no_progress_bar_and_no_metadata_of_packages(words):
    quietly = "from contextlib import redirect_stderr as e, redirect_stdout as o; import io; f = io.StringIO()"
    call = f"from pigevo.cli.entry import main\nwith e(f), o(f): main({words.split()})\nassert len(f.getvalue()) > 50"
    loaded = loaded_after(f"{quietly}\n{call}", depth=3)
    assert "pigevo.cli.output" in loaded
    assert not {"numpy", "tqdm", "email", "importlib.metadata", "pigevo.evolution.operators"} & loaded


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
reveal_type(pigevo.optimal(game=game).strategy)
reveal_type(pigevo.win_probability(mine, pigevo.hold_at(game, 8)).overall)
reveal_type(pigevo.evolve("cube_random", mutation=0.005))
reveal_type(pigevo.load_sweep("folder"))
reveal_type(pigevo.play_match(mine, mine, games=10, seed=1).wins)
reveal_type(three_player.solve(three_player.Game(target=9)))
reveal_type(pigevo.tournament([mine, mine]))
pigevo.evolve("cube_random").result["champion"]["overall"]

class Mine(pigevo.Selection):
    def __call__(self, scores: object, context: pigevo.Context) -> object:
        return scores

pigevo.evolve(selection=Mine)
"""
TYPES = ["Strategy", "Strategy", "float", "Run", "Sweep", "int", "ThreeSolution", "Tournament"]
WRONG_NAMES = {
    "pigevo.nosuch": "nosuch",
    "three_player.nosuch": "nosuch",
    "tournaments.nosuch": "nosuch",
    "pigevo.win_probability(1, 2)": "int",
    "pigevo.optimal(2)": "int",
    "pigevo.hold_at(game, 20).rol": "rol",
}


@pytest.fixture
def script(tmp_path):
    """A user's script whose last lines are wrong, each in its own way."""
    path = tmp_path / "script.py"
    path.write_text(SCRIPT + "\n".join(WRONG_NAMES) + "\n", encoding="utf-8")
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
    assert sorted(map(int, errors)) == list(range(first, first + len(WRONG_NAMES))), done.stdout
    for number, word in enumerate(WRONG_NAMES.values(), first):
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
    assert wrong == set(range(first, first + len(WRONG_NAMES))), found


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


GAME = pigevo.Pig(target=9)
STRATEGY = pigevo.hold_at(GAME, 3)
RIGHT = {"Game": GAME, "Strategy": STRATEGY, "Iterable[Strategy]": [STRATEGY, STRATEGY]}
NO_GAMES_NOR_STRATEGIES = ["hold_at:3", None, 5, np.zeros((9, 9, 9)), pigevo.optimal(GAME)]


def needed(function):
    parameters = inspect.signature(function).parameters.values()
    return [p for p in parameters if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD]


FUNCTIONS = {
    name: getattr(pigevo, name)
    for name in dir(pigevo)
    if name[0] != "_" and name != "InputError" and callable(getattr(pigevo, name))
}
TAKERS = [
    pytest.param(function, place, id=f"{name}-{parameter.name}")
    for name, function in FUNCTIONS.items()
    for place, parameter in enumerate(needed(function))
    if parameter.annotation in RIGHT and not inspect.isclass(function)
]


def test_the_arguments_that_take_a_game_or_a_strategy_are_many():
    assert len(TAKERS) > 35


@pytest.mark.parametrize(("function", "place"), TAKERS)
def test_another_thing_than_a_game_or_a_strategy_is_refused_by_the_argument_s_name(function, place):
    parameters = needed(function)
    arguments = [RIGHT.get(parameter.annotation, 3) for parameter in parameters]
    for wrong in NO_GAMES_NOR_STRATEGIES:
        given = [*arguments]
        given[place] = [STRATEGY, wrong] if "Iterable" in parameters[place].annotation else wrong
        with pytest.raises(InputError, match=rf"^{function.__name__}: (each of )?{parameters[place].name} must be a "):
            function(*given)
        named = dict(zip([parameter.name for parameter in parameters], given, strict=True))
        with pytest.raises(InputError, match=parameters[place].name):
            function(**named)


NUMBERS = [
    pytest.param(function, parameter, id=f"{name}-{parameter.name}")
    for name, function in FUNCTIONS.items()
    for parameter in inspect.signature(function).parameters.values()
    if parameter.annotation in ("int", "float", "bool", "int | None", "float | None") and not inspect.isclass(function)
]


def test_there_are_arguments_that_take_a_number():
    assert len(NUMBERS) > 25


@pytest.mark.parametrize(("function", "parameter"), NUMBERS)
def test_another_thing_than_a_number_or_a_truth_value_is_refused(function, parameter):
    arguments = {needs.name: RIGHT.get(needs.annotation, 3) for needs in needed(function)}
    for wrong in ("x", [1], np.zeros(2), None):
        if wrong is None and "None" in parameter.annotation:
            continue
        words = None if parameter.annotation == "int" else parameter.name  # a whole number is called what it counts
        with pytest.raises(InputError, match=words):
            taken = function(**{**arguments, parameter.name: wrong})
            next(taken)  # what yields its results refuses at the first one


@pytest.mark.parametrize("name", [*GAMES])
def test_a_game_refuses_fields_of_another_kind(name):
    game = GAMES[name].function
    for field in inspect.signature(game).parameters:
        for wrong in ("x", "false", np.zeros(2), object()):
            with pytest.raises(InputError):
                game(**{field: wrong})
    for too_large in {"target", "cap", "turns"} & {*inspect.signature(game).parameters}:
        with pytest.raises(InputError):  # not a process that takes all memory
            game(**{too_large: 10**30})


def test_numbers_of_numpy_are_numbers():
    assert pigevo.Pig(target=np.int64(9), allow_pass=np.bool_(False)) == GAME
    assert GAMES["big_pig"].function(target=np.int16(9), bonus=np.int64(25)) == GAMES["big_pig"].function(target=9)
    played = pigevo.play_match(STRATEGY, STRATEGY, games=np.int64(10), seed=np.uint8(1), paired=np.bool_(True))
    assert played == pigevo.play_match(STRATEGY, STRATEGY, games=10, seed=1, paired=True)


@pytest.mark.parametrize("wrong", NO_GAMES_NOR_STRATEGIES)
def test_so_do_classes(wrong):
    """A class refuses what a function refuses."""
    for make in (
        lambda: pigevo.Strategy(wrong, STRATEGY.roll), lambda: pigevo.CubeGrid(wrong, 3),
        lambda: pigevo.Strategy.from_function(wrong, lambda i, j, k: k < 3),
        lambda: pigevo.Strategy.from_holds(wrong, 3),
    ):  # fmt: skip
        with pytest.raises(InputError, match="game must be a game"):
            make()


@pytest.mark.parametrize(("wrong", "instead"), [
    ("hold_at:3", r"not 'hold_at:3': write parse_strategy\('hold_at:3', game\)\."),
    (np.zeros(3), r"not an array: write Strategy\(game, array\)\."),
    (pigevo.optimal(GAME), r"its \.strategy is one\."),
    (None, r"not None\."),
])  # fmt: skip
def test_the_sentence_says_what_to_write(wrong, instead):
    with pytest.raises(InputError, match=instead):
        pigevo.win_probability(STRATEGY, wrong)
    with pytest.raises(InputError, match=instead):
        pigevo.tournament([STRATEGY, wrong] if not isinstance(wrong, str) else {"a": STRATEGY, "b": wrong})


def test_a_strategy_where_a_game_is_meant_says_where_its_game_is():
    with pytest.raises(InputError, match=r"its \.game is one"):
        pigevo.optimal(STRATEGY)


def test_a_generator_of_strategies_is_taken():
    several = [pigevo.hold_at(GAME, n) for n in (2, 3)]
    assert np.array_equal(pigevo.win_matrix(strategy for strategy in several), pigevo.win_matrix(several))


@pytest.mark.parametrize("wrong", [None, 5])
def test_a_word_is_a_text(wrong):
    with pytest.raises(InputError, match="text must be a word"):
        pigevo.parse_strategy(wrong, GAME)


@pytest.mark.parametrize("wrong", ["x", None, 5, STRATEGY])
def test_functions_for_three_players_say_what_they_take(wrong):
    for of_game in (three_player.solve, three_player.lifted):
        with pytest.raises(InputError, match="three players play a race with one die"):
            of_game(wrong)
    mine = three_player.lifted(pigevo.Pig(target=3))
    for of_strategies in (three_player.play, three_player.evaluate, three_player.win_probabilities):
        with pytest.raises(InputError, match="takes strategies for three"):
            of_strategies([mine, mine, wrong])
        with pytest.raises(InputError, match="takes a list of three strategies"):
            of_strategies(wrong)
    with pytest.raises(InputError, match="takes strategies for three"):
        three_player.certify(wrong, np.zeros((4, 4, 4, 3)))


def test_a_target_that_is_too_large_for_three_is_refused_before_any_memory_is_taken():
    with pytest.raises(InputError, match="too large for three players"):
        three_player.solve(pigevo.Pig(target=1000))


def test_the_default_of_a_user_s_game_is_taken_as_it_is():
    @dataclass(frozen=True)
    class Loose(type(GAMES["progressive"].function())):
        note: int = None

    assert Loose(9).note is None
    with pytest.raises(InputError, match=r"Loose\.note = 'x' must be a whole number"):
        Loose(9, note="x")


RUNS = {"load_sweep", "sweep", "compare", "benchmark", "optimal"}
"""Those that take more than half a second."""

SLOW = {"tune", "selection_pressure", "simple_rule_against"}
"""The same for internal names."""

NAMES = [
    pytest.param(module.__name__, name, marks=pytest.mark.slow if name in RUNS else ())
    for module in (pigevo, three_player, benchmark)
    for name in module.__all__
    if inspect.isclass(getattr(module, name)) or inspect.isroutine(getattr(module, name))
] + [("pigevo.dice", "Draw"), ("pigevo.tournaments", "dominated"), ("pigevo.tournaments", "eliminate")]
NAMES += [
    ("pigevo.people", name) for name in people.__all__ if "Example:" in (inspect.getdoc(getattr(people, name)) or "")
]

REGISTERED = [
    entry.function
    for registry in (STRATEGIES, *map(registry_of, GROUPS))
    for entry in map(registry.__getitem__, registry)
]
NAMES += sorted(
    {(function.__module__, function.__qualname__) for function in REGISTERED if "Example:" in (function.__doc__ or "")}
    - {("pigevo.games.pig", "Pig"), ("pigevo.games.race", "Piglet")}
)  # public names, too


def with_examples(nodes, before=""):
    """The qualified names of functions, classes and methods whose docstrings have examples."""
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            if ">>>" in (ast.get_docstring(node) or ""):
                yield before + node.name
            if isinstance(node, ast.ClassDef):
                yield from with_examples(node.body, f"{before}{node.name}.")


def internal():
    """The examples that no list above has: methods, and functions without a public name."""
    listed = set()
    for home, name in (getattr(case, "values", case) for case in NAMES):
        public = getattr(importlib.import_module(home), name)
        listed.add((public.__module__, public.__qualname__))
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if path.relative_to(PACKAGE).parts[0] not in ("conf", "experiments") and ">>>" in text:
            home = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
            names = with_examples(ast.parse(text).body)
            yield from ((home, name) for name in names if (home, name) not in listed)


@pytest.mark.parametrize(("home", "name"), NAMES)
def test_the_example_of_a_public_name_prints_what_it_says(home, name, tmp_path, monkeypatch):
    if name == "to_openspiel":
        pytest.importorskip("pyspiel")
    monkeypatch.chdir(tmp_path)
    examples = doctest.DocTestFinder(recurse=False).find(getattr(importlib.import_module(home), name), name, globs={})
    output: list[str] = []
    runner = doctest.DocTestRunner()
    done = [runner.run(test, out=output.append) for test in examples]
    assert sum(result.attempted for result in done) > 1
    assert not sum(result.failed for result in done), "".join(output)


INTERNAL = [pytest.param(*case, marks=pytest.mark.slow if case[1] in SLOW else ()) for case in internal()]


@pytest.mark.parametrize(("home", "name"), INTERNAL)
def test_the_example_of_an_internal_name_prints_what_it_says(home, name, tmp_path, monkeypatch):
    """In the names of its module, where its readers find it."""
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(home)
    examples = doctest.DocTestFinder(recurse=False).find(attrgetter(name)(module), name, globs=dict(vars(module)))
    output: list[str] = []
    runner = doctest.DocTestRunner()
    done = [runner.run(test, out=output.append) for test in examples]
    assert sum(result.attempted for result in done) > 0
    assert not sum(result.failed for result in done), "".join(output)


def test_types_of_public_names_are_found_by_tools_that_read_them():
    circular = {"sweep", "to_openspiel"}  # what they return is imported for type checkers only
    public = {name: getattr(pigevo, name) for name in dir(pigevo) if name not in circular}
    read = [value for value in public.values() if inspect.isclass(value) or inspect.isfunction(value)]
    for value in read:
        typing.get_type_hints(value)
    for method in (pigevo.Strategy.from_holds, pigevo.CubeGrid.strategy, pigevo.CubeGrid.to_tables):
        assert typing.get_type_hints(method)
    assert len(read) > 50


def test_what_a_test_replaces_in_numpy_is_used_for_that_while_only():
    code = """
from unittest import mock
import numpy, pigevo
with mock.patch("numpy.array_equal", return_value=True):
    game = pigevo.Pig(target=12)
    first, second = pigevo.hold_at(game, 3), pigevo.hold_at(game, 9)
assert first != second
with mock.patch("numpy.array_equal", return_value=True) as replaced:
    assert first == second
    assert replaced.called
"""
    exec(code, {})
    assert "pigevo" in loaded_after(code)
