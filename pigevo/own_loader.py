"""The code of a user, imported under private names; nothing is written beside it."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import threading
import types
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from pathlib import Path

from pigevo.own_sources import NOT_OWN, PREFIX, Code, Source

_LOCK = threading.RLock()
_codes: dict[str, Code] = {}


def load_module(code: Code) -> types.ModuleType:
    """The module of a file; the same one again for as long as nothing that belongs to it changes.

    Whatever the file raises goes on to the caller.
    """
    with _LOCK:
        private = code.private
        _codes.setdefault(private, code)
        if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
            sys.meta_path.insert(0, _Finder())
        if private not in sys.modules:
            above = types.ModuleType(private, "Names below which the code of a user is imported.")
            above.__path__ = []
            sys.modules[private] = above
        name = f"{private}.{code.main}"
        if name in sys.modules:
            return sys.modules[name]
        with _executing(code.folder):
            return importlib.import_module(name)


def code_of(module: str) -> Code | None:
    """The code that a module was loaded from by `load_module`, as it was then."""
    return _codes.get(module.partition(".")[0])


class _Finder(MetaPathFinder):
    """Finds what belongs to loaded code by its private name, and nothing else."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> ModuleSpec | None:
        if not fullname.startswith(PREFIX):
            return None
        private, _, name = fullname.partition(".")
        code = _codes.get(private)
        source = code.sources.get(name) if code else None
        if code is None or source is None:
            raise ModuleNotFoundError(f"No module named {name!r}", name=fullname)
        if source.path.is_dir():
            spec = ModuleSpec(fullname, None, is_package=True)
            spec.submodule_search_locations = [str(source.path)]
            return spec
        if source.tree is None:
            loader = ExtensionFileLoader(fullname, str(source.path))
            return importlib.util.spec_from_file_location(fullname, source.path, loader=loader)
        spec = ModuleSpec(fullname, _Loader(code, source), origin=str(source.path), is_package=source.package)
        spec.has_location = True
        if source.package:
            spec.submodule_search_locations = [str(source.path.parent)]
        return spec


class _Loader(Loader):
    """Executes a module from the text that its digest is of."""

    def __init__(self, code: Code, source: Source) -> None:
        self._code = code
        self._source = source

    def exec_module(self, module: types.ModuleType) -> None:
        tree = self._code.rewritten(self._source)
        exec(compile(tree, str(self._source.path), "exec", dont_inherit=True), module.__dict__)

    def get_source(self, name: str) -> str:
        """The text, for tracebacks and `inspect`."""
        return importlib.util.decode_source(self._source.content)


@contextmanager
def _executing(folder: Path) -> Iterator[None]:
    """Inside, the folder is the last place where modules are looked for by plain names; none of them stays."""
    before, writing = set(sys.modules), sys.dont_write_bytecode
    entry = str(folder)
    sys.path.append(entry)
    sys.dont_write_bytecode = True
    try:
        yield
    finally:
        sys.dont_write_bytecode = writing
        for number in reversed(range(len(sys.path))):
            if sys.path[number] is entry:
                del sys.path[number]
                break
        new = {name for name in set(sys.modules) - before if "." not in name and name not in NOT_OWN}
        gone = {name for name in new if not name.startswith(PREFIX) and _lies_in(folder, sys.modules[name])}
        for name in list(sys.modules):
            if name.partition(".")[0] in gone:
                del sys.modules[name]


def _lies_in(folder: Path, module: types.ModuleType) -> bool:
    """Whether a module is a file of the folder, or a package in it."""
    file = getattr(module, "__file__", None)
    if not file or not file.endswith(".py"):
        return False
    path = Path(file)
    return (path.parent.parent if path.name == "__init__.py" else path.parent) == folder
