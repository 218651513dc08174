"""Which files a user's file is made of: itself, and the modules of its own folder that it imports."""

from __future__ import annotations

import ast
import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

from pigevo.errors import InputError


def files_of(path: Path) -> tuple[Path, ...]:
    """The file and all modules of its folder that it imports, at the top or inside a function, directly or not.

    Args:
        path: the file, absolute.

    Raises:
        InputError: one of the files cannot be read, or is no Python.
    """
    found, waiting, root = {path: None}, [path], path.parent
    while waiting:
        for folder, name in _imports(waiting.pop(), root):
            for place in _places(folder, name):
                if place not in found and place.is_relative_to(root):
                    found[place] = None
                    waiting.append(place)
    first, *others = found
    return (first, *sorted(others))


def digest_of(files: tuple[Path, ...]) -> str:
    """A SHA-256 of the files' bytes and their names below the first one's folder: moving it changes nothing."""
    folder, found = files[0].parent, hashlib.sha256()
    for path in files:
        content = path.read_bytes()
        found.update(f"{path.relative_to(folder).as_posix()}\n{len(content)}\n".encode() + content)
    return found.hexdigest()


def _imports(path: Path, root: Path) -> Iterator[tuple[Path, str]]:
    """The dotted names that a file imports, each with the folder below which it lies.

    What `from a import b` gives may be an attribute or a module.
    """
    for node in ast.walk(_parsed(path)):
        if isinstance(node, ast.Import):
            yield from ((root, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            folder = path.parents[min(node.level, len(path.parents)) - 1] if node.level else root
            yield from ((folder, f"{node.module or ''}.{alias.name}".strip(".")) for alias in node.names)


def _places(folder: Path, name: str) -> Iterator[Path]:
    """The files in a folder that importing a name executes; what comes with Python is not looked for there."""
    parts = name.split(".")
    if parts[0] in sys.stdlib_module_names and not (folder / "__init__.py").is_file():
        return
    for depth in range(1, len(parts) + 1):
        place = folder.joinpath(*parts[:depth])
        yield from (file for file in (place.with_suffix(".py"), place / "__init__.py") if file.is_file())


def _parsed(path: Path) -> ast.Module:
    try:
        return ast.parse(path.read_bytes(), str(path))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    except (SyntaxError, ValueError) as error:
        line = f" in line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        said = error.msg if isinstance(error, SyntaxError) else str(error)
        raise InputError(f"{path} is no Python: {said}{line}.") from error
