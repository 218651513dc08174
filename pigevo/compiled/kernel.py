"""Numba kernels whose compiled code is kept in a folder named after their source.

A compiled kernel does not notice that a function called from another file has changed.
So the cache lies in a folder keyed by the source of every kernel file (those of the
studies too), numba's version and settings, and Python's.  It lies where nobody but the user
can write, for what is in it is executed: in the user's cache folder, or the one that
`NUMBA_CACHE_DIR` names.  Where there is no such place, kernels are compiled in each process.
"""

from __future__ import annotations

import functools
import hashlib
import logging
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba import config as _config
from numba.core import entrypoints, event
from numba.core.types import IntegerLiteral

from pigevo.compiled.cache import KernelCache, in_memory
from pigevo.compiled.interruptible import Kernel
from pigevo.compiled.verified_kernel import Compared, Examples, ignoring_overflow
from pigevo.core.import_path import without_working_folder
from pigevo.storage.cache_dirs import BUILD, own_cache, own_folder

without_working_folder(entrypoints.init_all)  # before numba does so, which asks every folder for extensions

LOG = logging.getLogger(__name__)

_settings: Any = _config  # its attributes are made at import, so no type checker knows them

F = TypeVar("F", bound=Callable[..., Any])

KERNEL_FILES = ("**/*kernel*.py", "compiled/*.py")
"""Every file of the package that kernels are defined in; installed, the studies are inside the package."""

STUDY_KERNEL_FILES = "experiments/*/*kernel*.py"
"""Those of the studies in a checkout, where `experiments/` is beside the package."""

DECIDING = ("BOUNDSCHECK", "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT")
"""Numba's settings that make other code of the same source, the processor's aside."""


def kernel(
    examples: Examples | None = None, is_long: bool = False, borrows: bool = False, **options: Any
) -> Callable[[F], F]:
    """Decorator: compile a function of arrays and numbers, without the interpreter's lock.

    Args:
        examples: of a kernel with SIMD instructions (`simd_floats`, `simd_bits`) that Python calls: gives arguments of
            small calls, by which it is compared with its plain twin.
        is_long: whether it may take many seconds; then Ctrl-C does not wait for it.
        borrows: of a kernel that others call: that it makes and returns no arrays.  Then no references are counted,
            which takes longer than a short loop.
        options: of `numba.njit`.
    """
    if borrows and not _settings.BOUNDSCHECK:  # there the instructions' twins do make arrays
        options["_nrt"] = False

    def compile_later(function: F) -> F:
        if _settings.DISABLE_JIT:
            return cast(F, ignoring_overflow(function))
        compiled: Any = numba.njit(nogil=True, **options)(function)
        compiled.get_call_template = _for_any_number(compiled.get_call_template)
        folder = cache_folder()
        if folder is not None:
            compiled._cache = KernelCache(function, folder)
        return cast(F, Kernel(compiled, Compared(compiled, examples, folder) if examples else compiled, is_long))

    return compile_later


def _for_any_number(template: Callable[..., Any]) -> Callable[..., Any]:
    """Numba's typing of a call of this kernel by another: integer literals are dropped, so that it compiles once.

    Left alone, numba compiles it anew for each number that stands in the call.
    """

    def ask(arguments: Sequence[Any], named: Mapping[str, Any]) -> Any:
        return template([_any_number(kind) for kind in arguments], {n: _any_number(kind) for n, kind in named.items()})

    return ask


def _any_number(kind: Any) -> Any:
    return kind.literal_type if isinstance(kind, IntegerLiteral) else kind


@functools.cache
def cache_folder() -> Path | None:
    """Where compiled kernels are kept, or None, with a word to the user, if there is no place of the user's own."""
    try:
        folder = own_folder(kernels_folder(), f"{BUILD}{_key()}")
    except OSError as error:
        in_memory(f"{error.strerror or error}.")
        return None
    with suppress(OSError):
        os.utime(folder)  # the builds that were not used for longest are the first to go
    return folder


def kernels_folder() -> Path:
    """Where the folders of all builds lie.

    Raises:
        OSError: nowhere that only the user can write.
    """
    chosen = _settings.CACHE_DIR or os.environ.get("NUMBA_CACHE_DIR")
    return own_folder(Path(chosen).absolute()) if chosen else own_cache("numba")


def kernel_files() -> list[Path]:
    """The files whose source decides what compiled code can be used again."""
    package = Path(__file__).parents[1]
    return [
        *(file for pattern in KERNEL_FILES for file in sorted(package.glob(pattern))),
        *sorted(package.parent.glob(STUDY_KERNEL_FILES)),
    ]


class _Once(event.Listener):
    """Says when the first kernel is compiled that is not in the cache."""

    said = False

    def on_start(self, event: Any) -> None:
        """A compilation begins."""
        if not self.said:
            kept = "; they are kept" if cache_folder() else ""
            LOG.info("compiling kernels for this machine, which takes some seconds%s", kept)
        self.said = True

    def on_end(self, event: Any) -> None:
        """It has ended."""


event.register("numba:compile", _Once())  # type: ignore[no-untyped-call]


def _key() -> str:
    settings = [(name, str(getattr(_settings, name, None))) for name in DECIDING]
    digest = hashlib.sha256(f"{numba.__version__} {sys.version_info[:2]} {settings}".encode())
    for file in kernel_files():
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
