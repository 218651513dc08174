"""The source of pigevo as the tests of its structure read it: files, rooms, and what they import."""

import ast
import functools
import re
from pathlib import Path

import pigevo
from pigevo.studies.find import experiments_folder

ROOT = Path(__file__).parents[1]
PACKAGE = Path(pigevo.__file__).parent
FILES = sorted(p for p in PACKAGE.rglob("*.py") if p.relative_to(PACKAGE).parts[0] not in ("conf", "experiments"))
STUDIES = sorted(experiments_folder().rglob("*.py"))
TOP = {"__init__.py", "__main__.py", "api.py", "errors.py"}


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
    found = []
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("pigevo."):
            if all(part.isidentifier() for part in node.value.split(".")):
                found.append(node.value)  # for importlib
    return found


def calls(path):
    return [node for node in ast.walk(tree_of(path)) if isinstance(node, ast.Call)]


@functools.cache
def files_by_module():
    names = (p.relative_to(PACKAGE.parent).with_suffix("").as_posix().replace("/", ".") for p in FILES)
    return dict(zip((name.removesuffix(".__init__") for name in names), FILES, strict=True))


def files_imported(path):
    """The files of pigevo that a file imports itself."""
    found = {files_by_module().get(name) for name in imports(path)}
    return found - {None, path}


def beside_the_package():
    """The files of the documentation, the studies and the tests, without what building and running the first leave."""
    found = [path for folder in ("docs", "experiments", "tests") for path in sorted((ROOT / folder).rglob("*.py"))]
    return [path for path in found if not {"_build", "outputs"} & set(path.relative_to(ROOT).parts)]
