"""The structure of the package: the table of rooms in docs/architecture.md is the contract, read and checked here.

The source is read, and with it what every file may do.
"""

import ast
import functools
import inspect
import re
import sys
from pathlib import Path

import pigevo
from pigevo.experiments import experiments_folder

ROOT = Path(__file__).parents[1]
PACKAGE = Path(pigevo.__file__).parent
FILES = sorted(p for p in PACKAGE.rglob("*.py") if p.relative_to(PACKAGE).parts[0] not in ("conf", "experiments"))
STUDIES = sorted(p for p in experiments_folder().rglob("*.py") if not {"tests", "conftest.py"} & {*p.parts})
TOP = {"__init__.py", "__main__.py", "api.py", "errors.py", "experiments.py"}


def rooms():
    """The rooms in the order of the table in docs/architecture.md, where each may import those above it."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    return re.findall(r"^\| `(\w+)/` \|", page, flags=re.M)


def name_of(path):
    return path.relative_to(PACKAGE).as_posix()


def room_of(path):
    """The room of a file; None for those at the top."""
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else None


def files_of(*names):
    return [path for path in FILES if room_of(path) in names]


@functools.cache
def tree_of(path):
    return ast.parse(path.read_text(encoding="utf-8"))


@functools.cache
def imports(path):
    """Every module that a file names in an import, wherever it stands; `from a import b` gives a and a.b."""
    modules = []
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            modules += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            modules += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("pigevo."):
            if all(part.isidentifier() for part in node.value.split(".")):
                modules.append(node.value)  # for importlib
    return modules


def calls(path):
    return [node for node in ast.walk(tree_of(path)) if isinstance(node, ast.Call)]


@functools.cache
def files_by_module():
    names = (name_of(path).removesuffix(".py").removesuffix("__init__").strip("/") for path in FILES)
    return {".".join(["pigevo", *filter(None, name.split("/"))]): path for name, path in zip(names, FILES, strict=True)}


def files_imported(path):
    """The files of pigevo that a file imports itself."""
    return {files_by_module().get(name) for name in imports(path)} - {None, path}


# The packages that a room may use beside Python's own library; rooms not named here may use any that is installed.
PACKAGES = {
    "core": {"numpy", "scipy", "pandas", "tqdm"},
    "dice": {"numpy"},
    "storage": {"numpy", "yaml", "platformdirs"},
    "games": {"numpy"},
    "strategies": {"numpy", "pyspiel", "open_spiel"},
    "exact": {"numpy", "numba", "llvmlite", "scipy"},
    "simulation": {"numpy", "numba", "llvmlite", "scipy"},
    "three_player": {"numpy"},
    "people": {"numpy", "scipy"},
    "evolution": {"numpy", "scipy", "deap"},
    "settings": {"numpy", "hydra", "omegaconf", "yaml"},
    "figures": {"numpy", "scipy", "matplotlib", "mpl_toolkits", "PIL"},
    "tournaments": {"numpy", "scipy"},
    "web": {"numpy", "matplotlib", "PIL"},
}
# Rooms that play every game and so may name none; the command for three players has a game of its own.
PLAY_ALL_GAMES = {
    "exact", "simulation", "people", "strategies", "evolution", "settings", "runs", "figures", "sweeps", "cli"
}  # fmt: skip
NAME_A_GAME = {
    "cli/commands/three_player.py",
    "settings/operator_checks.py",
    "strategies/openspiel/__init__.py",
    "strategies/openspiel/policy.py",
}


def test_every_folder_is_a_room_of_the_table():
    assert set(rooms()) == {room_of(path) for path in FILES} - {None}
    assert len(rooms()) == len(set(rooms())) <= 28
    assert {path.name for path in FILES if room_of(path) is None} == TOP


def test_rooms_import_only_rooms_above_them():
    place = {room: n for n, room in enumerate(rooms())}
    against = [
        (name_of(path), name_of(other)) for path in FILES if room_of(path) for other in files_imported(path)
        if (room_of(other) or "") not in ("", room_of(path)) and place[room_of(other)] > place[room_of(path)]
    ]  # fmt: skip
    assert against == []


def test_no_room_below_the_command_line_uses_the_public_interface():
    """Names of `pigevo` and `pigevo.api` would hide the room that they are from."""
    rooms_ = {f"pigevo.{room}" for room in rooms()}
    for path in FILES:
        if room_of(path) not in (None, "cli"):
            modules = {name for name in imports(path) if name.split(".")[0] == "pigevo" and name.count(".") < 2}
            assert modules <= rooms_ | {"pigevo", "pigevo.__version__", "pigevo.errors", "pigevo.experiments"}, name_of(
                path
            )


def test_no_two_files_need_each_other():
    """Kahn's algorithm: what cannot be taken away, file by file, is in a circle."""
    left = {path: {other for other in files_imported(path) if other.name != "__init__.py"} for path in FILES}
    while free := {path for path, needs in left.items() if not needs & left.keys()}:
        left = {path: needs for path, needs in left.items() if path not in free}
    assert [name_of(path) for path in left] == []


def test_there_are_at_most_twelve_floors():
    needs = {room: {room_of(other) for path in files_of(room) for other in files_imported(path)} for room in rooms()}
    floors = {}
    for room in rooms():
        floors[room] = 1 + max((floors[other] for other in needs[room] & floors.keys()), default=0)
    assert max(floors.values()) <= 12


def test_rooms_use_only_their_packages():
    for room, allowed in PACKAGES.items():
        for path in files_of(room):
            used = {name.split(".")[0] for name in imports(path)} - set(sys.stdlib_module_names) - {"pigevo"}
            assert used <= allowed, name_of(path)


def test_no_file_that_plays_every_game_names_one():
    from pigevo.games import GAMES

    classes = {entry.function.__name__ for entry in GAMES.values()} | {"Race"}
    modules = {entry.function.__module__ for entry in GAMES.values()} | {"pigevo.games.race"}
    for path in files_of(*PLAY_ALL_GAMES):
        if name_of(path) in NAME_A_GAME:
            continue
        nodes = list(ast.walk(tree_of(path)))
        used = {node.id for node in nodes if isinstance(node, ast.Name)}
        words = {node.value for node in nodes if isinstance(node, ast.Constant) and node.value in GAMES}
        if name_of(path) == "cli/options.py":
            words -= {"pig"}  # the game that commands play unless another is chosen: said once, in the option itself
        assert not set(imports(path)) & modules, name_of(path)
        assert not {n.split(".")[-1] for n in imports(path) if n.startswith("pigevo.games.")} & classes, name_of(path)
        assert not used & classes, name_of(path)
        assert not words, name_of(path)


WRITES_PICTURES = {"figures/axes.py"}  # its `save_figure` alone
OPENING = {"open", "save", "load", "savez", "savefig", "read_text", "read_bytes", "write_text", "write_bytes"}
PICKLING = {"pickle", "cPickle", "dill", "cloudpickle", "shelve", "joblib"}


def test_evolution_games_and_figures_open_no_file():
    for path in [path for path in files_of("evolution", "games", "figures") if name_of(path) not in WRITES_PICTURES]:
        names = {getattr(call.func, "id", getattr(call.func, "attr", "")) for call in calls(path)}
        assert not names & OPENING, name_of(path)
        assert not {"pigevo.storage.files", "pathlib", "io"} & set(imports(path)), name_of(path)


def test_random_numbers_are_those_of_pigevo_dice():
    philox = {"numpy.random", "numpy.random.Philox"}
    for path in FILES:
        of_random = {"random", "secrets"} & {name.split(".")[0] for name in imports(path)}
        of_random |= {name for name in imports(path) if name.startswith("numpy.random")}
        attributes = {ast.unparse(node) for node in ast.walk(tree_of(path)) if isinstance(node, ast.Attribute)}
        modules = ("np.random.", "numpy.random.", *(f"{name}." for name in of_random & {"random"}))
        called = {name for name in attributes if name.startswith(modules)}
        match name_of(path):
            case "dice/__init__.py":
                assert of_random <= philox
            case "evolution/dry_run.py":
                assert called == {"random.getstate", "np.random.get_state"}
            case "evolution/deap_adapter.py":
                assert called
            case name:
                assert not of_random | called, name


def test_nothing_is_pickled():
    """Nothing but what is hashed: `identity.py` has only a pickler."""
    for path in FILES:
        if name_of(path) == "user_code/identity.py":
            assert re.findall(r"\bpickle\.(\w+)", path.read_text()) == ["Pickler"]
        else:
            assert not {name.split(".")[0] for name in imports(path)} & PICKLING, name_of(path)
        for keyword in [keyword for call in calls(path) for keyword in call.keywords if keyword.arg == "allow_pickle"]:
            assert ast.unparse(keyword.value) == "False"


def test_every_kernel_file_is_part_of_the_key_of_the_cache():
    """Those of the package of every key; those of a study, which import no kernels of another, of the study's."""
    from pigevo.compiled.cache import KERNEL_FILES, kernel_files

    making = {"pigevo.compiled.kernel.kernel", "numba.njit", "numba.jit", "numba.extending.intrinsic"}
    assert {path for path in FILES if making & set(imports(path))} <= set(kernel_files())
    of_studies = {path for path in STUDIES if making & set(imports(path))}
    assert experiments_folder() / "bonnet2018" / "kernels.py" in of_studies
    for path in of_studies:
        assert path.match(KERNEL_FILES), path
        assert all(node.level < 2 for node in ast.walk(tree_of(path)) if isinstance(node, ast.ImportFrom)), path


EVERYDAY_WORDS = {
    "archive", "deap", "elites", "exact", "games", "hold_at", "optimal", "random", "score", "tournament"
}  # fmt: skip
"""Operators' names that also stand for commands, columns, strategies and packages."""

PLAYED = {"optimal", "score"}
"""Of these the strategy `optimal` and the throws that end a score are compared by name."""

MAY_NAME_OPERATORS = {
    ("cli/summary.py", "offspring"), ("cli/summary.py", "games"),  # whether the command that is advised changes it
    ("runs/load.py", "elites"),  # the name of an outcome
    ("cli/commands/tournament.py", "knockout"),  # the head of a column
}  # fmt: skip


def test_operators_are_named_only_in_their_own_files():
    """What other files must know of an operator, it says itself: see `pigevo.evolution.operators`."""
    from pigevo.evolution.operators import KINDS
    from pigevo.settings.schema import registry_of

    own = {(n, Path(inspect.getfile(e.function))) for kind in KINDS for n, e in registry_of(kind).items()}
    names = {name for name, _ in own}
    found = set()
    for path in FILES:
        nodes = list(ast.walk(tree_of(path)))
        operands = [
            operand for node in nodes if isinstance(node, ast.Compare) for operand in (node.left, *node.comparators)
        ]
        compared = {part for one in operands for part in getattr(one, "elts", [one])}
        for node in nodes:
            word = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
            if word not in names or (word, path) in own or (word in EVERYDAY_WORDS and node not in compared):
                continue
            found.add((name_of(path), word))
    assert {(path, word) for path, word in found if word not in PLAYED} == MAY_NAME_OPERATORS


def test_no_assert_does_work():
    """`python -O` leaves asserts out: they state what type checkers cannot see, and neither call nor compute."""
    for path in [*FILES, *STUDIES]:
        for stated in [node.test for node in ast.walk(tree_of(path)) if isinstance(node, ast.Assert)]:
            called = {ast.unparse(node.func) for node in ast.walk(stated) if isinstance(node, ast.Call)}
            assert called <= {"isinstance"}, f"{path}: assert {ast.unparse(stated)}"
            assert not isinstance(stated, ast.Attribute), f"{path}: assert {ast.unparse(stated)} may compute a property"
