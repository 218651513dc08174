"""Numba kernels whose compiled code is kept in a folder named after their source.

Numba's own cache does not notice that a function called from another file has changed.
So the cache lies in a folder keyed by the source of every kernel file (those of the
studies too), numba's version and Python's.  `NUMBA_CACHE_DIR` is respected as the place
of that folder; where nothing can be written, kernels are compiled anew in each process.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba import config as _config
from numba.core import event

from pigevo.places import user_cache

_settings: Any = _config  # its attributes are made at import, so no type checker knows them

F = TypeVar("F", bound=Callable[..., Any])

KERNEL_FILES = ("**/*kernel*.py", "*lanes.py", "arena/philox.py", "compiled.py")
"""Every file of the package that kernels are defined in; installed, the studies are inside the package."""

STUDY_KERNEL_FILES = "experiments/*/*kernel*.py"
"""Those of the studies in a checkout, where `experiments/` is beside the package."""


def kernel(**options: Any) -> Callable[[F], F]:
    """Decorator: compile a function of arrays and numbers, without the interpreter's lock."""

    def compile_later(function: F) -> F:
        place = cache_folder()
        before = _settings.CACHE_DIR
        try:
            _settings.CACHE_DIR = str(place or "")
            compiled: F = numba.njit(nogil=True, cache=place is not None, **options)(function)
            return compiled
        finally:
            _settings.CACHE_DIR = before

    return compile_later


@functools.cache
def cache_folder() -> Path | None:
    """Where compiled kernels are kept, or None if no place can be written."""
    chosen = _settings.CACHE_DIR or os.environ.get("NUMBA_CACHE_DIR")
    places = [Path(chosen)] if chosen else [user_cache() / "numba", Path(tempfile.gettempdir()) / "pigevo-numba"]
    for place in places:
        folder = place / _key()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
        except OSError:
            continue
        return folder
    return None


def kernel_files() -> list[Path]:
    """The files whose source decides what compiled code can be used again."""
    package = Path(__file__).parent
    return [
        *(file for pattern in KERNEL_FILES for file in sorted(package.glob(pattern))),
        *sorted(package.parent.glob(STUDY_KERNEL_FILES)),
    ]


@contextmanager
def before_compiling(callback: Callable[[], None]) -> Iterator[None]:
    """Inside, `callback` is called once, just before the first kernel that is not in the cache is compiled."""
    with event.install_listener("numba:compile", _Once(callback)):
        yield


class _Once(event.Listener):
    def __init__(self, callback: Callable[[], None]) -> None:
        self._waiting = [callback]

    def on_start(self, event: Any) -> None:
        """A compilation begins."""
        while self._waiting:
            self._waiting.pop()()

    def on_end(self, event: Any) -> None:
        """It has ended."""


def _key() -> str:
    digest = hashlib.sha256(f"{numba.__version__} {sys.version_info[:2]}".encode())
    for file in kernel_files():
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
