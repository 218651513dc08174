"""Users' files: the source files that a file imports, and their modules, separate from all others."""

from __future__ import annotations

import ast
import builtins
import hashlib
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.util import resolve_name
from itertools import accumulate
from pathlib import Path
from types import CodeType, ModuleType
from typing import NamedTuple

from pigevo.core.text import reason
from pigevo.errors import InputError
from pigevo.storage.records import decoded, read_bytes

LARGEST = 2**24  # the size limit of a user's file in bytes

PRIVATE = "_pigevo_own_"  # the prefix of the names of users' modules in Python
DEPENDENCIES = {
    "numpy": "numpy", "scipy": "scipy", "numba": "numba", "deap": "deap", "hydra": "hydra-core",
    "matplotlib": "matplotlib", "tqdm": "tqdm", "click": "click",
}  # fmt: skip
"""The installed package of each module that most users' files import; to find those of other modules takes long."""


@cache
def packages_of_modules() -> Mapping[str, list[str]]:
    """The installed packages by the names of their modules without a parent."""
    from importlib.metadata import packages_distributions  # takes a while to import, and is rarely needed

    return packages_distributions()


class ReadModule(NamedTuple):
    """A module as it was read: its file, the file's content, the package of its relative imports, and its code."""

    path: Path
    content: bytes
    package: str
    code: CodeType


class Sources:
    """A file and all modules of its folder that it imports, directly or indirectly.

    They are executed from the content that the files had when they were read; an InputError is raised if they are not
    Python. Only these modules can import each other by their names below the folder, so two folders may have modules of
    the same name. Modules of Python and installed ones are never taken from the folder. Not supported are
    `import_module("name")`, names only in `from package import *`, relative imports above the folder, and files with a
    dot in their names. `content` is that of the file itself, if it has been read before.
    """

    def __init__(self, path: Path, content: bytes | None = None) -> None:
        self.path, self._private = path, f"{PRIVATE}{hashlib.sha256(os.fsencode(path)).hexdigest()[:16]}"
        self._builtins = {**vars(builtins), "__import__": self._import}
        self._read: dict[str, ReadModule] = {}
        self._names, self._modules = {""}, {"": ModuleType(self._private)}
        self._add(path.stem, path, content)
        self.code = self._read[path.stem].code
        self.files = (path, *sorted({module.path for module in self._read.values()} - {path}))
        sources = path.stem, [(name, module.content) for name, module in sorted(self._read.items())]
        self.digest = hashlib.sha256(repr(sources).encode()).hexdigest()

    def module(self, name: str) -> ModuleType:
        """A module by its name below the folder; executed on first use."""
        if name not in self._names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        if name not in self._modules:
            above, _, last = name.rpartition(".")
            parent, module = self.module(above), ModuleType(f"{self._private}.{name}")
            self._modules[name] = sys.modules[module.__name__] = module  # needed by dataclasses and pickle
            sys.modules[self._private] = self._modules[""]
            try:
                if read := self._read.get(name):
                    vars(module).update(__file__=str(read.path), __package__=read.package, __builtins__=self._builtins)
                    exec(read.code, vars(module))
            except BaseException:
                del self._modules[name]
                raise
            setattr(parent, last, module)
        return self._modules[name]

    def _import(
        self,
        name: str,
        globals: Mapping[str, object] | None = None,
        locals: Mapping[str, object] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """The `import` of these modules."""
        if level and globals is not None:
            name = resolve_name("." * level + name, str(globals["__package__"]))[len(self._private) + 1 :]
        elif name.partition(".")[0] not in self._names or is_installed_module(name):
            return builtins.__import__(name, globals, locals, fromlist or ())
        module = self.module(name)
        for attribute in fromlist or ():
            if (inner := f"{name}.{attribute}".lstrip(".")) in self._names and not hasattr(module, attribute):
                self.module(inner)
        return module if fromlist else self.module(name.partition(".")[0])

    def _add(self, name: str, path: Path, content: bytes | None = None) -> None:
        content = read_bytes(os.path.relpath(path), LARGEST) if content is None else content
        tree, code = compiled(path, content)
        package = name if path.name == "__init__.py" and path != self.path else name.rpartition(".")[0]
        self._read[name] = ReadModule(path, content, f"{self._private}.{package}".rstrip("."), code)
        self._names.update(accumulate(name.split("."), "{}.{}".format))
        for imported in _imports(tree, self._read[name].package):
            for inner in accumulate(imported.split("."), "{}.{}".format):
                package_path = self.path.parent / inner.replace(".", "/")
                for file in (package_path / "__init__.py", Path(f"{package_path}.py")):
                    if inner not in self._read and file.is_file():
                        self._add(inner, file)


def compiled(path: Path, content: bytes) -> tuple[ast.Module, CodeType]:
    """A user's file as a syntax tree and as code.

    Raises:
        InputError: it is not Python.
    """
    name = os.path.relpath(path)
    try:
        source = decoded(content)
        if source.lstrip().startswith("{") and '"nbformat"' in source:  # its JSON is often an expression of Python, too
            raise ValueError("it is a notebook: export it as a Python file, or copy the function to one")
        tree = ast.parse(source, name)
        return tree, compile(tree, str(path), "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise InputError(f"{name} cannot be read: {reason(error)}.") from error


def public_functions(tree: ast.Module) -> Iterator[tuple[str, ast.arguments, int]]:
    """Each public function that a file defines, a lambda with a name too: its name, its arguments and its line."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            defined = [(node.name, node.args)]
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
            defined = [(target.id, node.value.args) for target in node.targets if isinstance(target, ast.Name)]
        else:
            continue
        yield from ((name, arguments, node.lineno) for name, arguments in defined if not name.startswith("_"))


def _imports(tree: ast.Module, package: str) -> Iterator[str]:
    """The dotted names that a module may import from its folder; the last part may be an attribute."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if not is_installed_module(alias.name))
        elif isinstance(node, ast.ImportFrom) and (node.level or not is_installed_module(str(node.module))):
            with suppress(ImportError):  # above the folder
                above = resolve_name("." * node.level + (node.module or ""), package)
                below = above.partition(".")[2] if node.level else above
                yield from (f"{below}.{alias.name}".lstrip(".") for alias in node.names)


def is_installed_module(name: str) -> bool:
    """Whether a module belongs to Python, pigevo or an installed package."""
    top = name.partition(".")[0]
    if top.startswith(PRIVATE):
        return False
    return top == "pigevo" or top in sys.stdlib_module_names or bool(packages_of(top))


def packages_of(top: str) -> list[str]:
    """The installed packages that contain a module without a parent; none contains one of Python's own."""
    if top in DEPENDENCIES:
        return [DEPENDENCIES[top]]
    return [] if top in sys.stdlib_module_names else sorted(set(packages_of_modules().get(top, [])))


def is_installed_file(path: Path) -> bool:
    """Whether a file belongs to an installed package, to pigevo or to Python's own library."""
    homes = Path(__file__).parents[1], Path(os.__file__).resolve().parent
    return any(map(path.is_relative_to, homes)) or bool({"site-packages", "dist-packages"} & set(path.parts))
