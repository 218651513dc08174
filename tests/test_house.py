"""The structure of the package: the table of rooms in docs/architecture.md is the contract, read and checked here."""

import ast
import sys

from tests.house import (
    FILES,
    TOP,
    files_by_module,
    files_imported,
    files_of,
    imports,
    name_of,
    room_of,
    rooms,
    tree_of,
)

# The packages that a room may use beside Python's own library; rooms not named here may use any that is installed.
PACKAGES = {
    "core": {"numpy", "scipy", "pandas"},
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
    "figures": {"numpy", "scipy", "matplotlib"},
    "tournaments": {"numpy", "scipy", "tqdm"},
    "benchmark": {"numpy", "scipy"},
    "web": {"numpy", "matplotlib", "PIL"},
}
# Rooms that play every game and so may name none; the command for three players has a game of its own.
PLAY_ALL_GAMES = {
    "exact", "simulation", "people", "strategies", "evolution", "settings", "runs", "figures", "sweeps", "studies", "cli"
}  # fmt: skip
NAME_A_GAME = {
    "cli/commands/three_player.py",
    "settings/operator_checks.py",
    "figures/three_player.py",
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
    """What `pigevo` and `pigevo.api` hand out would hide the room that it is from."""
    rooms_ = {f"pigevo.{room}" for room in rooms()}
    for path in FILES:
        if room_of(path) not in (None, "cli"):
            named = {name for name in imports(path) if name.split(".")[0] == "pigevo" and name.count(".") < 2}
            assert named <= rooms_ | {"pigevo", "pigevo.__version__", "pigevo.errors"}, name_of(path)


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


def test_imports_are_written_with_full_names():
    relative = [
        name_of(path) for path in FILES for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ImportFrom) and node.level
    ]  # fmt: skip
    assert relative == []


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


def test_evolution_uses_of_user_code_only_names():
    allowed = {"pigevo.user_code.loading", *(f"pigevo.user_code.loading.{n}" for n in ("Own", "place_of", "failure"))}
    used = {name for path in files_of("evolution") for name in imports(path) if name.startswith("pigevo.user_code")}
    assert used <= allowed


def test_no_module_of_three_players_has_the_name_of_a_function():
    """Importing it would replace the function in the package."""
    from pigevo import three_player

    assert {path.stem for path in files_of("three_player")} & set(three_player.__all__) == set()


def test_every_module_is_found():
    assert len(files_by_module()) == len(FILES) > 50
