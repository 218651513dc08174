"""The source of pigevo as tests of the house read it: its files, their rooms and what they import."""

import ast
from pathlib import Path

import pytest

import pigevo
from pigevo.studies.find import experiments_folder

ROOT = Path(__file__).parents[1]
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


def in_rooms(*rooms):
    return [pytest.param(p, id=name_of(p)) for p in FILES if room_of(p) in rooms]


def all_files():
    return [pytest.param(p, id=name_of(p)) for p in FILES]


def beside_the_package():
    """The files of the documentation, the studies and the tests, without what building and running the first leave."""
    folders = ("docs", "experiments", "tests")
    found = [path.relative_to(ROOT) for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    return [pytest.param(ROOT / p, id=p.as_posix()) for p in found if not {"_build", "outputs"} & set(p.parts)]
