"""The code of a user as text: which modules belong to a file, their digest, and how they are imported.

A module belongs to a file if the file imports it, at the top or inside a function, and it
lies in the file's own folder (or in the package that the file is part of).  What is installed or comes
with Python does not belong to it, even if a file in the folder has the same name.  The imports of what
belongs to it are rewritten to private names, so that two folders may both have a `helper.py`,
a changed file can be loaded beside the old one, and an import inside a function finds its
module at any time.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.machinery
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pigevo.errors import InputError
from pigevo.places import shown

PREFIX = "_pigevo_own_"
"""How the private names of loaded modules begin; a digest follows."""

NOT_OWN = frozenset(sys.stdlib_module_names) | {"pigevo"}
"""Modules that no file of a user can stand for."""

_INSTALLED = ("site-packages", "dist-packages")


@dataclass(frozen=True, eq=False)
class Source:
    """One module.

    Args:
        name: its dotted name below the code's root.
        path: its file, or the folder of a package without `__init__.py`.
        content: the bytes of the file.
        package: whether it may hold other modules.
        tree: what the file says; None where it is no Python text.
    """

    name: str
    path: Path
    content: bytes
    package: bool
    tree: ast.Module | None


class Code:
    """A file of Python and all that belongs to it, read once.

    Args:
        path: the file, absolute.

    Raises:
        InputError: one of the files cannot be read, or is no Python.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.folder = path.parent
        self.root = self.folder
        while (self.root / "__init__.py").is_file() and self.root != self.root.parent:
            self.root = self.root.parent
        self.sources: dict[str, Source] = {}
        *above, _ = path.relative_to(self.root).parts
        initial = path.name == "__init__.py"
        self.main = ".".join([*above, *([] if initial else [path.stem.replace(".", "_")])])
        self._tops: dict[str, str | None] = {}
        self._add(self.main, path, initial)
        for depth in range(1, len(above) + 1):
            self._follow(above[:depth])

    @property
    def files(self) -> tuple[Path, ...]:
        """All files, the one that was named first."""
        others = {source.path for source in self.sources.values() if source.path.is_file()} - {self.path}
        return (self.path, *sorted(others))

    @property
    def digest(self) -> str:
        """A SHA-256 of the names below the root and the bytes of all files."""
        found = hashlib.sha256()
        for source in sorted(self.sources.values(), key=lambda source: source.name):
            place = source.path.relative_to(self.root).as_posix()
            found.update(f"{place}\n{len(source.content)}\n".encode() + source.content)
        return found.hexdigest()

    @property
    def private(self) -> str:
        """The private name under which everything of this content, at this place, is imported."""
        return PREFIX + hashlib.sha256(f"{self.root}\n{self.main}\n{self.digest}".encode()).hexdigest()[:16]

    def rewritten(self, source: Source) -> ast.Module:
        """The module with the imports of what belongs to the code under their private names."""
        assert source.tree is not None
        tree = ast.parse(source.content, str(source.path))
        return ast.fix_missing_locations(_Private(self).visit(tree))  # type: ignore[no-any-return]

    def top(self, name: str) -> str | None:
        """The name below the root of the module that `import name` finds, if it belongs to the code."""
        if name not in self._tops:
            self._tops[name] = self._find_top(name)
        return self._tops[name]

    def _find_top(self, name: str) -> str | None:
        if name in NOT_OWN:
            return None
        for place in dict.fromkeys((self.folder, self.root)):
            if (path := _module_in(place, name)) is not None:
                return None if _is_hidden(path, name) else ".".join([*place.relative_to(self.root).parts, name])
        return None

    def _add(self, name: str, path: Path, package: bool) -> None:
        if name in self.sources:
            return
        content = _read(path) if path.is_file() else b""
        tree = _parsed(path, content) if path.suffix == ".py" and path.is_file() else None
        self.sources[name] = Source(name, path, content, package, tree)
        if tree is not None:
            for parts in self._imported(tree, name.split(".") if package else name.split(".")[:-1]):
                self._follow(parts)

    def _follow(self, parts: Iterable[str]) -> None:
        """Add the module of that name below the root, with the packages above it, as far as it is there."""
        place, names = self.root, []
        for part in parts:
            names.append(part)
            if part == "*":  # perhaps every module of the package
                for path in sorted(place.glob("*.py")):
                    if path.stem != "__init__":
                        self._add(".".join([*names[:-1], path.stem]), path, False)
                return
            found = _module_in(place, part)
            if found is None:
                return
            package = found.is_dir() or found.name == "__init__.py"
            self._add(".".join(names), found, package)
            if not package:  # what follows is an attribute
                return
            place = place / part

    def _imported(self, tree: ast.Module, package: list[str]) -> Iterator[list[str]]:
        """The names below the root that a module imports, of attributes too."""
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                yield from (found for alias in node.names for found in self._absolute(alias.name))
            elif isinstance(node, ast.ImportFrom):
                said = node.module.split(".") if node.module else []
                if node.level:
                    bases = [package[: len(package) + 1 - node.level] + said] if node.level <= len(package) + 1 else []
                else:
                    bases = list(self._absolute(node.module or ""))
                yield from ([*base, alias.name] for base in bases for alias in node.names)
            elif isinstance(node, ast.Call) and _name(node.func) in ("import_module", "__import__"):
                for word in node.args[:1]:
                    if isinstance(word, ast.Constant) and isinstance(word.value, str):
                        yield from self._absolute(word.value)

    def _absolute(self, name: str) -> Iterator[list[str]]:
        first, *rest = name.split(".")
        if top := self.top(first):
            yield [*top.split("."), *rest]


class _Private(ast.NodeTransformer):
    """Rewrites absolute imports of a user's own modules to their private names."""

    def __init__(self, code: Code) -> None:
        self._code = code
        self._prefix = code.private

    def _renamed(self, name: str) -> str | None:
        first, _, rest = name.partition(".")
        top = self._code.top(first)
        return f"{self._prefix}.{top}" + (f".{rest}" if rest else "") if top else None

    def visit_Import(self, node: ast.Import) -> list[ast.stmt]:
        """`import a.b` binds `a`; so `a.b` is imported under that name, and then `a` itself."""
        made: list[ast.stmt] = []
        for alias in node.names:
            renamed = self._renamed(alias.name)
            if renamed is None:
                made.append(ast.copy_location(ast.Import([alias]), node))
                continue
            first = alias.name.split(".")[0]
            made.append(ast.copy_location(ast.Import([ast.alias(renamed, alias.asname or first)]), node))
            if alias.asname is None and "." in alias.name:
                above, _, _ = f"{self._renamed(first)}".rpartition(".")
                made.append(ast.copy_location(ast.ImportFrom(above, [ast.alias(first)], 0), node))
        return made

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:
        """`from a import x` keeps what it binds."""
        if not node.level and (renamed := self._renamed(node.module or "")):
            return ast.copy_location(ast.ImportFrom(renamed, node.names, 0), node)
        return node


def is_installed(path: Path | None) -> bool:
    """Whether a file lies where packages are installed."""
    return path is not None and not {*_INSTALLED}.isdisjoint(path.parts)


def _is_hidden(path: Path, name: str) -> bool:
    """Whether `import name` finds an installed module, and not the user's file."""
    finder = importlib.machinery.PathFinder
    first = finder.find_spec(name)
    if first is not None and first.origin is not None and Path(first.origin).resolve() == path:
        return False  # Python was started in the file's folder
    installed = [entry for entry in sys.path if Path(entry).name in _INSTALLED]
    return finder.find_spec(name, installed) is not None


def _module_in(place: Path, name: str) -> Path | None:
    """The file of a module, or the folder of a package without `__init__.py`, in the order in which Python looks."""
    for ending in ("/__init__.py", *importlib.machinery.EXTENSION_SUFFIXES, ".py"):
        if (found := place / f"{name}{ending}").is_file():
            return found
    return place / name if (place / name).is_dir() else None


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{shown(path)} cannot be read: {error.strerror}.") from error


def _parsed(path: Path, content: bytes) -> ast.Module:
    try:
        return ast.parse(content, str(path))
    except SyntaxError as error:
        line = f" in line {error.lineno}" if error.lineno else ""
        raise InputError(f"{shown(path)} is no Python: {error.msg}{line}.") from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise InputError(f"{shown(path)} is no Python: {error}.") from error


def _name(node: ast.expr) -> str:
    return getattr(node, "id", getattr(node, "attr", ""))
