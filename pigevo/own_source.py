"""The files of users: which ones a file is made of, and their modules, kept apart from all others."""

from __future__ import annotations

import ast
import builtins
import hashlib
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.machinery import PathFinder
from importlib.util import resolve_name
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from pigevo.errors import InputError

PRIVATE = "_pigevo_own_"
"""How the names begin under which users' modules are known to Python."""


class Sources:
    """A file, and all modules of its folder that it imports, at the top or inside a function, directly or not.

    They are executed from what the files held when they were read.  `import` finds them by their names below the
    folder in these modules alone: two folders may have modules of one name, and no other module's imports change.
    What comes with Python or is installed is never taken from the folder.  Not seen are `importlib.import_module`,
    what only `from package import *` names, relative imports above the folder, and files with a dot in their names.
    An InputError says that one of the files cannot be read, or is no Python.
    """

    def __init__(self, path: Path) -> None:
        self.path, self._private = path, f"{PRIVATE}{id(self):x}"
        self._names, self._modules = {""}, dict[str, ModuleType]()
        self._read: dict[str, tuple[Path, bytes, str, CodeType]] = {}  # the third: where `from .` looks
        self._builtins = {**vars(builtins), "__import__": self._import}
        self._add(path.stem, path)
        read = [
            (one != path, one.relative_to(path.parent).as_posix(), one, has) for one, has, *_ in self._read.values()
        ]
        self.files = tuple(one for _, _, one, _ in sorted(read))
        self.digest = hashlib.sha256(repr([(name, has) for _, name, _, has in sorted(read)]).encode()).hexdigest()
        self.code = self._read[path.stem][3]

    def module(self, name: str) -> ModuleType:
        """A module by its name below the folder; executed when it is first asked for."""
        if name not in self._names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        if name not in self._modules:
            above, _, last = name.rpartition(".")
            parent, private = self.module(above) if name else None, f"{self._private}.{name}".rstrip(".")
            module = self._modules[name] = sys.modules[private] = ModuleType(private)  # there for dataclasses
            try:
                if name in self._read:
                    path, _, package, code = self._read[name]
                    vars(module).update(__file__=str(path), __package__=package, __builtins__=self._builtins)
                    exec(code, vars(module))
            except BaseException:
                del self._modules[name]
                raise
            if parent is not None:
                setattr(parent, last, module)
        return self._modules[name]

    def _import(self, name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
        """What `import` does in these modules."""
        if level:
            name = resolve_name("." * level + name, globals["__package__"])[len(self._private) + 1 :]
        elif _top(name) not in self._names or is_elsewhere(_top(name)):
            return builtins.__import__(name, globals, locals, fromlist)
        module = self.module(name)
        for one in fromlist or ():
            if (inner := f"{name}.{one}".lstrip(".")) in self._names and not hasattr(module, one):
                self.module(inner)
        return module if fromlist else self.module(_top(name))

    def _add(self, name: str, path: Path) -> None:
        try:
            content = path.read_bytes()
            tree = ast.parse(content, str(path))
            code = compile(tree, str(path), "exec", dont_inherit=True)
        except OSError as error:
            raise InputError(f"{shown(path)} cannot be read: {error.strerror}.") from error
        except (SyntaxError, ValueError) as error:
            line = f" in line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
            raise InputError(f"{shown(path)} is no Python: {getattr(error, 'msg', error)}{line}.") from error
        is_package = path.name == "__init__.py" and path != self.path
        package = f"{self._private}.{name if is_package else name.rpartition('.')[0]}".rstrip(".")
        self._read[name] = path, content, package, code
        self._names |= {name[:end] for end, sign in enumerate(f"{name}.") if sign == "."}
        for parts in _imports(tree, package):
            for depth in range(1, len(parts) + 1):
                place, inner = self.path.parent.joinpath(*parts[:depth]), ".".join(parts[:depth])
                for file in (place / "__init__.py", Path(f"{place}.py")):
                    if inner not in self._read and file.is_file():
                        self._add(inner, file)


def _imports(tree: ast.Module, package: str) -> Iterator[list[str]]:
    """The names, below the folder, of all that a module may import from there; the last may be an attribute."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (one.name.split(".") for one in node.names if not is_elsewhere(_top(one.name)))
        elif isinstance(node, ast.ImportFrom) and (node.level or not is_elsewhere(_top(str(node.module)))):
            with suppress(ImportError):  # above the folder
                above = resolve_name("." * node.level + (node.module or ""), package).split(".")
                yield from ([*above[node.level > 0 :], one.name] for one in node.names)


def _top(name: str) -> str:
    return name.partition(".")[0]


@cache
def is_elsewhere(top: str) -> bool:
    """Whether a module comes with Python, is pigevo's or is installed."""
    spec = PathFinder.find_spec(top, [entry for entry in sys.path if is_installed(Path(entry))])
    return top == "pigevo" or top in sys.stdlib_module_names or bool(spec and spec.origin)


def is_installed(path: Path) -> bool:
    """Whether a file is one of an installed package, of pigevo or of Python's own library."""
    homes = (Path(__file__).parent, Path(os.__file__).resolve().parent)
    return bool({"site-packages", "dist-packages"} & set(path.parts)) or any(map(path.is_relative_to, homes))


def shown(path: Path) -> str:
    """A path as a message tells it: from here if it lies below."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)
