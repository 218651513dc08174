"""The house rules of DESIGN.md, held by reading the source."""

import ast
import re
import sys
from pathlib import Path

import pytest

import pigevo
from pigevo.studies.find import experiments_folder

PACKAGE = Path(pigevo.__file__).parent
FILES = sorted(p for p in PACKAGE.rglob("*.py") if p.relative_to(PACKAGE).parts[0] not in ("conf", "experiments"))
STUDIES = sorted(p for p in experiments_folder().rglob("*.py"))
ROOMS = (
    "games",
    "dice",
    "strategies",
    "exact",
    "arena",
    "three_player",
    "people",
    "playing",
    "evolution",
    "runs",
    "figures",
    "sweeps",
    "tournaments",
    "benchmark",
    "studies",
    "openspiel",
    "faces",
    "web",
    "config",
    "settings",
    "cli",
)
ALSO = {"choice": "settings", "laws": "settings"}  # modules that belong to a room of another name
DOORS = {"__init__", "__main__", "front"}  # they open on the rooms, and no room below the command line uses them

# Which rooms each room may import, itself aside; small helpers beside the rooms are free to all.
PLAYED = {"games", "dice", "strategies", "exact", "arena"}
MAY_IMPORT = {
    "games": set(),
    "dice": set(),
    "strategies": {"games", "dice"},
    "exact": {"games", "dice", "strategies"},
    "arena": {"games", "dice", "strategies"},
    "three_player": {"games", "dice", "exact"},
    "people": PLAYED,
    "playing": PLAYED | {"people"},
    "evolution": PLAYED,
    "config": PLAYED | {"evolution"},
    "settings": PLAYED | {"evolution", "config"},
    "runs": PLAYED | {"evolution", "config", "settings", "figures"},
    "figures": PLAYED | {"evolution", "runs"},
    "sweeps": PLAYED | {"evolution", "config", "settings", "figures", "runs"},
    "tournaments": PLAYED | {"figures"},
    "benchmark": PLAYED | {"evolution", "figures", "runs"},
    "studies": PLAYED | {"evolution", "config", "settings", "figures", "runs", "sweeps", "tournaments", "benchmark"},
    "openspiel": {"games", "strategies"},
    "faces": PLAYED | {"figures", "runs", "sweeps", "tournaments", "three_player"},
    "web": PLAYED | {"evolution", "config", "settings", "figures", "runs", "sweeps"},
    "cli": set(ROOMS),
    "front": PLAYED | {"evolution", "config", "settings", "runs", "sweeps"},
}
THIRD_PARTIES = {
    "games": {"numpy"},
    "dice": {"numpy"},
    "strategies": {"numpy"},
    "exact": {"numpy", "numba", "llvmlite", "scipy"},
    "arena": {"numpy", "numba", "scipy", "llvmlite"},
    "three_player": {"numpy"},
    "people": {"numpy", "scipy"},
    "playing": {"numpy"},
    "evolution": {"numpy", "scipy", "deap"},
    "config": {"hydra", "omegaconf", "yaml"},
    "settings": {"numpy"},
    "figures": {"numpy", "scipy", "matplotlib"},
    "tournaments": {"numpy", "scipy"},
    "benchmark": {"numpy", "scipy"},
    "openspiel": {"numpy", "pyspiel", "open_spiel"},
    "faces": {"matplotlib"},
    "web": {"numpy", "matplotlib", "PIL"},
}
# Single modules of other rooms, and the one file that may import each.
EXCEPTIONS = {
    "three_player/match.py": {"pigevo.arena.result"},  # Wilson's interval
    "three_player/match_kernels.py": {"pigevo.arena.philox"},  # the compiled dice
    "three_player/figures.py": {f"pigevo.figures.{name}" for name in ("axes", "labels", "style")},  # the house's style
}
MAY_DRAW = {"three_player/figures.py"}
MAY_TOUCH_RANDOM = {"evolution/deap_adapter.py"}
MAY_LOOK_AT_RANDOM = {"laws.py"}  # whether an operator has drawn from what is not its own
OPENS_LATE = {"notebook.py": {"faces"}}  # the helper by which records below find their faces, when a notebook asks
# All that evolution may know of a user's own functions: how they and their failures are named.
OF_OWN_CODE = {"pigevo.own_code", *(f"pigevo.own_code.{name}" for name in ("Own", "place_of", "failure"))}


def name_of(path):
    return path.relative_to(PACKAGE).as_posix()


def room_of(path):
    first = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return home_of(first)


def home_of(module):
    """The room that a module of the package is, or belongs to; None for a helper."""
    home = ALSO.get(module, module)
    return home if home in ROOMS else None


def tree_of(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(path):
    """Every module that a file names in an import, wherever it stands; `from a import b` gives a and a.b."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                continue  # of a study; the package has none
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("pigevo."):
            if all(part.isidentifier() for part in node.value.split(".")):
                yield node.value  # for importlib


def rooms_imported(path):
    allowed = EXCEPTIONS.get(name_of(path), set())
    parts = (name.split(".") for name in imports(path) if ".".join(name.split(".")[:3]) not in allowed)
    return {home_of(p[1]) for p in parts if p[0] == "pigevo" and len(p) > 1} - {None}


def third_parties(path):
    tops = {name.split(".")[0] for name in imports(path)}
    return tops - set(sys.stdlib_module_names) - {"pigevo"}


def in_rooms(*rooms):
    return [pytest.param(p, id=name_of(p)) for p in FILES if room_of(p) in rooms]


def all_files():
    return [pytest.param(p, id=name_of(p)) for p in FILES]


def test_the_house_is_read():
    assert len(FILES) > 50
    assert {room_of(p) for p in FILES} == {*ROOMS, None}


def test_the_page_on_the_architecture_says_what_is_held_here():
    page = (PACKAGE.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| .+ \| (.+) \|$", page, flags=re.M)
    assert {room: set(re.findall(r"`(\w+)`", may)) for room, may in rows} == MAY_IMPORT | {"cli": set()}
    assert dict(rows)["cli"] == "all"
    assert set(re.findall(r"`(\w+\.py)`", page)) <= {
        path.name for path in [*FILES, *Path(__file__).parent.glob("*.py")]
    }


@pytest.mark.parametrize("path", in_rooms(*ROOMS))
def test_imports_follow_the_arrows(path):
    room = room_of(path)
    assert rooms_imported(path) - {room} <= MAY_IMPORT[room]


@pytest.mark.parametrize("path", [p for p in all_files() if room_of(p.values[0]) is None])
def test_helpers_know_no_rooms(path):
    if path.parent == PACKAGE and path.stem in DOORS:
        return
    assert rooms_imported(path) == OPENS_LATE.get(name_of(path), set())


def test_the_front_door_opens_on_no_more_rooms_than_it_needs():
    assert rooms_imported(PACKAGE / "front.py") <= MAY_IMPORT["front"]


@pytest.mark.parametrize(
    "path", [p for p in all_files() if p.values[0].stem not in DOORS and not p.id.startswith("cli/")]
)
def test_no_room_below_the_command_line_goes_out_by_a_door(path):
    """What `pigevo` and `pigevo.front` hand out would hide the room that it is from."""
    free = {"pigevo", "pigevo.__version__"} | {f"pigevo.{module.stem}" for module in PACKAGE.iterdir()}
    named = {name for name in imports(path) if name.count(".") < 2 and name.split(".")[0] == "pigevo"}
    assert named <= free - {f"pigevo.{door}" for door in DOORS}


@pytest.mark.parametrize("path", in_rooms("evolution"))
def test_evolution_knows_of_own_functions_only_how_they_are_named(path):
    assert {name for name in imports(path) if name.startswith("pigevo.own_")} <= OF_OWN_CODE


# The rooms that play every game, and so must know none: `Pig` and the like may be named in games only.
MAY_NAME_A_GAME = {"cli/commands/three_player.py", "laws.py"}  # what operators are tried on
OF_EVERY_GAME = (
    "exact",
    "arena",
    "people",
    "playing",
    "strategies",
    "evolution",
    "config",
    "settings",
    "runs",
    "figures",
    "sweeps",
    "studies",
    "faces",
    "cli",
)


@pytest.mark.parametrize("path", [p for p in in_rooms(*OF_EVERY_GAME) if p.id not in MAY_NAME_A_GAME])
def test_no_file_names_a_game(path):
    from pigevo.games import GAMES

    classes = {entry.function.__name__ for entry in GAMES.values()} | {"Race"}
    modules = {entry.function.__module__ for entry in GAMES.values()} | {"pigevo.games.race"}
    used = {node.id for node in ast.walk(tree_of(path)) if isinstance(node, ast.Name)}
    words = {node.value for node in ast.walk(tree_of(path))
             if isinstance(node, ast.Constant) and node.value in GAMES and not is_default_of_option(node, path)}  # fmt: skip
    assert set(imports(path)) & modules == set()
    assert {name.split(".")[-1] for name in imports(path) if name.startswith("pigevo.games.")} & classes == set()
    assert used & classes == set()
    assert words == set()


def is_default_of_option(node, path):
    """The game that commands play unless another is chosen: said once, in the option itself."""
    return name_of(path) == "cli/options.py" and node.value == "pig"


@pytest.mark.parametrize("path", in_rooms(*THIRD_PARTIES))
def test_rooms_use_no_other_packages_than_theirs(path):
    drawing = {"matplotlib"} if name_of(path) in MAY_DRAW else set()
    assert third_parties(path) <= THIRD_PARTIES[room_of(path)] | drawing


@pytest.mark.parametrize("path", all_files())
def test_no_import_hides_its_room(path):
    assert not any(isinstance(node, ast.ImportFrom) and node.level for node in ast.walk(tree_of(path)))


def test_no_module_of_three_players_has_the_name_of_a_function():
    """Importing it would replace the function in the package."""
    from pigevo import three_player

    modules = {path.stem for path in FILES if room_of(path) == "three_player"}
    assert modules & set(three_player.__all__) == set()


def calls(path):
    return [node for node in ast.walk(tree_of(path)) if isinstance(node, ast.Call)]


@pytest.mark.parametrize("path", in_rooms("evolution", "games", "figures"))
def test_evolution_games_and_figures_open_no_file(path):
    opening = {
        "open",
        "save",
        "load",
        "savez",
        "savefig",
        "read_text",
        "read_bytes",
        "write_text",
        "write_bytes",
    }
    named = {getattr(c.func, "id", getattr(c.func, "attr", "")) for c in calls(path)}
    assert named & opening == set()
    assert {"pigevo.files", "pathlib", "io"} & set(imports(path)) == set()


@pytest.mark.parametrize("path", [p for p in all_files() if p.id in MAY_LOOK_AT_RANDOM])
def test_who_may_look_at_random_does_no_more(path):
    used = [node for node in ast.walk(tree_of(path)) if isinstance(node, ast.Attribute)]
    of_random = {node.attr for node in used if ast.unparse(node.value) in ("random", "np.random", "numpy.random")}
    assert of_random == {"getstate", "get_state"}
    assert "from random" not in path.read_text()


@pytest.mark.parametrize("path", [p for p in all_files() if p.id not in MAY_TOUCH_RANDOM | MAY_LOOK_AT_RANDOM])
def test_no_file_but_the_adapter_touches_random(path):
    named = set(imports(path))
    assert {n for n in named if n.split(".")[0] in ("random", "secrets")} == set()
    assert {n for n in named if n.startswith("numpy.random")} <= {"numpy.random", "numpy.random.Philox"}
    if name_of(path) != "dice.py":
        assert not any(n.startswith("numpy.random") for n in named)
    attributes = [
        node for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Attribute) and node.attr == "random" and getattr(node.value, "id", "") in ("np", "numpy")
    ]  # fmt: skip
    assert attributes == []


@pytest.mark.parametrize("path", all_files())
def test_nothing_is_pickled(path):
    assert {n.split(".")[0] for n in imports(path)} & {
        "pickle",
        "cPickle",
        "dill",
        "cloudpickle",
        "shelve",
        "joblib",
    } == set()
    for call in calls(path):
        for keyword in call.keywords:
            if keyword.arg == "allow_pickle":
                assert isinstance(keyword.value, ast.Constant)
                assert keyword.value.value is False


@pytest.mark.parametrize("path", all_files())
def test_files_are_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) < 300


def public(node, inside=""):
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not child.name.startswith("_"):
            yield f"{inside}{child.name}", child
            if isinstance(child, ast.ClassDef):
                yield from public(child, f"{child.name}.")


@pytest.mark.parametrize("path", all_files())
def test_every_public_name_has_a_docstring(path):
    tree = tree_of(path)
    assert ast.get_docstring(tree), "the module itself"
    assert [name for name, node in public(tree) if not ast.get_docstring(node)] == []


def test_every_kernel_file_is_part_of_the_key_of_the_cache():
    from pigevo.compiled import kernel_files

    keyed = set(kernel_files())
    using = {
        path for path in [*FILES, *STUDIES]
        if any(n in ("pigevo.compiled.kernel", "numba.njit", "numba.jit", "numba.extending.intrinsic") for n in imports(path))
    }  # fmt: skip
    assert experiments_folder() / "bonnet2018" / "iteration_kernels.py" in using
    assert using <= keyed
