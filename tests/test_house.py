"""The rooms of the house, held by reading the source: who imports whom."""

import ast
import re
import sys
from pathlib import Path

import pytest

from tests.house import FILES, PACKAGE, ROOMS, all_files, home_of, imports, in_rooms, name_of, room_of, tree_of

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
    "tournaments": {"numpy", "scipy", "tqdm"},
    "benchmark": {"numpy", "scipy"},
    "openspiel": {"numpy", "pyspiel", "open_spiel"},
    "faces": {"matplotlib"},
    "web": {"numpy", "matplotlib", "PIL"},
}
# Single modules of other rooms, and the one file that may import each.
EXCEPTIONS = {
    "three_player/match.py": {"pigevo.simulation.match"},  # Wilson's interval
    "three_player/match_kernels.py": {"pigevo.simulation.dice_kernels"},  # the compiled dice
    "figures/three_player.py": {f"pigevo.figures.{name}" for name in ("axes", "labels", "style")},  # the house's style
}
MAY_DRAW = {"figures/three_player.py"}
OPENS_LATE = {"core/notebook.py": {"faces"}}  # the helper by which records below find their faces, when a notebook asks
# All that evolution may know of a user's own functions: how they and their failures are named.
OF_OWN_CODE = {
    "pigevo.user_code.loading",
    *(f"pigevo.user_code.loading.{name}" for name in ("Own", "place_of", "failure")),
}


def rooms_imported(path):
    allowed = EXCEPTIONS.get(name_of(path), set())
    parts = (name.split(".") for name in imports(path) if ".".join(name.split(".")[:3]) not in allowed)
    return {home_of(p[1]) for p in parts if p[0] == "pigevo" and len(p) > 1} - {None}


def third_parties(path):
    tops = {name.split(".")[0] for name in imports(path)}
    return tops - set(sys.stdlib_module_names) - {"pigevo"}


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
    assert rooms_imported(PACKAGE / "api.py") <= MAY_IMPORT["front"]


@pytest.mark.parametrize(
    "path", [p for p in all_files() if p.values[0].stem not in DOORS and not p.id.startswith("cli/")]
)
def test_no_room_below_the_command_line_goes_out_by_a_door(path):
    """What `pigevo` and `pigevo.api` hand out would hide the room that it is from."""
    free = {"pigevo", "pigevo.__version__"} | {f"pigevo.{module.stem}" for module in PACKAGE.iterdir()}
    named = {name for name in imports(path) if name.count(".") < 2 and name.split(".")[0] == "pigevo"}
    assert named <= free - {f"pigevo.{door}" for door in DOORS}


@pytest.mark.parametrize("path", in_rooms("evolution"))
def test_evolution_knows_of_own_functions_only_how_they_are_named(path):
    assert {name for name in imports(path) if name.startswith("pigevo.own_")} <= OF_OWN_CODE


# The rooms that play every game, and so must know none: `Pig` and the like may be named in games only.
MAY_NAME_A_GAME = {"cli/commands/three_player.py", "settings/operator_checks.py"}  # what operators are tried on
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
