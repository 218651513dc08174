"""Compiled kernels on disk, in a folder named after their source; a damaged file is removed and compiled again.

numba's own cache does not notice changes of functions in other files, and does not check its files: an empty file makes
every command fail, a damaged one crashes the process.  Here the name of the folder is a hash of the sources of all
kernel files of the package and of the versions and settings of numba and Python.  The file of a kernel that is defined
outside the package has a name that also depends on the kernel files beside the kernel's source.  The folder must be
writable only by the user, because its content is executed: it is in the user's cache folder, or the one that
`NUMBA_CACHE_DIR` names.  Without such a folder each process compiles its kernels.  A file begins with the SHA-256 of
the rest, which is checked before anything is unpickled.

Numba compiles one kernel at a time, however many cores there are.  So a second process compiles those that will be
needed next (`compile_ahead`) and leaves them here; a process that needs one of them meanwhile waits for it.
"""

from __future__ import annotations

import functools
import hashlib
import logging
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import FunctionType
from typing import Any, TypeAlias

import numba
from numba import config as _config
from numba.core import compiler as _compiler
from numba.core import runtime as _runtime
from numba.core import serialize as _serialize

from pigevo.core.machine import available_cores
from pigevo.core.phase_clock import COMPILATIONS
from pigevo.storage.cache_dirs import BUILD, builds, make_room, own_cache, own_folder

LOG = logging.getLogger(__name__)

NumbaObject: TypeAlias = Any
"""An object of numba that has no type hints, or whose attributes are made at import."""

numba_settings: NumbaObject = _config
numba_compiler: NumbaObject = _compiler
serialize: NumbaObject = _serialize
runtime: NumbaObject = _runtime

KERNEL_FILES = "*kernel*.py"
"""Files that define kernels; the code in the files of this folder becomes a part of compiled kernels, too."""

PACKAGE = Path(__file__).parents[1]

CODE_SETTINGS = ("BOUNDSCHECK", "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT")
"""Settings of numba that change the code compiled from the same source, other than the processor."""

KERNELS_FOLDER = "PIGEVO_KERNELS"
"""The variable by which a worker in a sandbox finds the kernels of its driver, which it can only read."""

MARK = b"pigevo kernel 1\n"
SEAL_LENGTH = len(MARK) + hashlib.sha256().digest_size
KERNEL, PARTIAL = ".kernel", ".partial"

LONGEST_WAIT = 120.0
"""Seconds to wait for the other process before this one compiles the kernel itself."""

WAIT_STEP = 0.02

_COMPILE_SCRIPT = """import gc, sys; gc.disable(); sys.path.append(sys.argv[1]); from importlib import import_module
for call in sys.argv[2:]: module, name = call.split(":"); getattr(import_module(module), name)()"""

_compiling: dict[str, subprocess.Popen[bytes]] = {}
"""The process that compiles a kernel, by the kernel's name."""

_has_warned = False


@functools.cache
def cache_folder() -> Path | None:
    """The folder of compiled kernels; None, with a warning, where no folder belongs to this user alone."""
    try:
        folder = own_folder(kernels_folder(), f"{BUILD}{_key()}")
    except OSError as error:
        warn_of_no_cache(f"{error.strerror or error}.")
        return None
    with suppress(OSError):
        os.utime(folder)  # builds that have not been used for the longest time are removed first
    return folder


def compile_ahead(calls: Mapping[str, str]) -> None:
    """Compile kernels in a second process, if the cache lacks one of them and a core is free.

    Args:
        calls: for each kernel, `module.name`, a function that calls it with something small, `module:name`.
    """
    folder = cache_folder()
    if folder is None or available_cores() < 2:
        return
    lacking = {kernel: call for kernel, call in calls.items() if not any(folder.glob(f"{kernel}-*{KERNEL}"))}
    if not lacking:
        return
    command = [sys.executable, "-P", "-c", _COMPILE_SCRIPT, str(PACKAGE.parent), *dict.fromkeys(lacking.values())]
    nothing = subprocess.DEVNULL
    with suppress(OSError):
        process = subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing)
        _compiling.update(dict.fromkeys(lacking, process))


def _wait_for(kernel: str, path: Path) -> None:
    """Wait while another process compiles the kernel, until it is in the cache or that process has ended."""
    process, until = _compiling.get(kernel), time.monotonic() + LONGEST_WAIT
    COMPILATIONS.begin()
    try:
        while process and process.poll() is None and not path.exists() and time.monotonic() < until:
            time.sleep(WAIT_STEP)
    finally:
        COMPILATIONS.end()


def kernels_folder() -> Path:
    """The folder that holds a folder for each build."""
    chosen = os.environ.get(KERNELS_FOLDER) or numba_settings.CACHE_DIR or os.environ.get("NUMBA_CACHE_DIR")
    return own_folder(Path(chosen).absolute()) if chosen else own_cache("numba")


def kernel_files() -> list[Path]:
    """The files of the package whose source decides whether compiled code can be used again."""
    return [*sorted(PACKAGE.rglob(KERNEL_FILES)), *sorted(Path(__file__).parent.glob("*.py"))]


@functools.cache
def _sources_beside(file: Path) -> str:
    """The hash of a file outside the package and of the kernel files beside it, which its kernels may call.

    It is empty for a file of the package: the name of the cache's folder depends on all kernel files of the package.
    """
    if file.is_relative_to(PACKAGE) or not file.is_file():
        return ""
    digest = hashlib.sha256(file.read_bytes())
    for beside in sorted(file.parent.glob(KERNEL_FILES)):
        digest.update(beside.read_bytes())
    return digest.hexdigest()


def _key() -> str:
    """The hash of everything that decides the compiled code of a build."""
    values = [(name, str(getattr(numba_settings, name, None))) for name in CODE_SETTINGS]
    digest = hashlib.sha256(f"{numba.__version__} {sys.version_info[:2]} {values}".encode())
    for file in kernel_files():
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


class KernelCache:
    """The cache of one kernel, with the methods that numba calls.

    Args:
        function: the kernel, as it is in Python.
        folder: where its files lie: nobody but the user can write there (`pigevo.storage.cache_dirs.own_folder`).
    """

    def __init__(self, function: FunctionType, folder: Path) -> None:
        self._function, self._folder = function, folder
        self._name = f"{function.__module__}.{function.__qualname__}"
        self._sources = _sources_beside(Path(function.__code__.co_filename))

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(self._folder)

    def load_overload(self, signature: object, target: NumbaObject) -> NumbaObject:
        """The compiled code for a signature, or None; never an error."""
        runtime.rtsys.initialize(target)  # `target.refresh()` would load what only compilation needs, which takes .2 s
        path = self._path(signature, target.codegen())
        _wait_for(self._name, path)
        content = sealed_content(path)
        if content is None:
            return None
        try:
            stored_signature, reduced = serialize.loads(content)
            return numba_compiler.CompileResult._rebuild(target, *reduced) if stored_signature == signature else None
        except Exception:  # written by a numba that was changed by hand, say
            LOG.debug("%s cannot be used", path, exc_info=True)
            _drop(path)
            return None

    def save_overload(self, signature: object, compiled: NumbaObject) -> None:
        """Write the compiled code for a signature; if that fails, it stays in memory only."""
        if compiled.library.has_dynamic_globals:
            return
        try:
            own_folder(self._folder.parent, self._folder.name)  # another process may have emptied the cache
            write_sealed(self._path(signature, compiled.codegen), serialize.dumps((signature, compiled._reduce())))
            make_room(builds(self._folder.parent), keep=self._folder)
        except OSError as error:
            warn_of_no_cache(f"{self._folder} cannot be written: {error.strerror or error}")

    def enable(self) -> None:
        """Required by numba; the cache is always enabled."""

    def disable(self) -> None:
        """Required by numba; never called."""

    def flush(self) -> None:
        """Called by numba before a kernel is compiled again; the next file replaces the last."""

    def _path(self, signature: object, codegen: NumbaObject) -> Path:
        deciding = self._name, self._sources, str(signature), codegen.magic_tuple(), self._function.__code__.co_code
        return self._folder / f"{self._name}-{hashlib.sha256(repr(deciding).encode()).hexdigest()[:24]}{KERNEL}"


def warn_of_no_cache(reason: str) -> None:
    """Warn, once in a process, that kernels are not cached on disk, and why."""
    global _has_warned
    if not _has_warned:
        LOG.warning("compiled kernels are not kept, so each process compiles them: %s", reason)
    _has_warned = True


def sealed_content(path: Path) -> bytes | None:
    """The content of a file with a checksum; a file whose checksum is wrong is removed."""
    try:
        whole = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError:
        whole = b""
    content = whole[SEAL_LENGTH:]
    if whole[:SEAL_LENGTH] == _seal(content):
        return content
    _drop(path)
    return None


def write_sealed(path: Path, content: bytes) -> None:
    """Write content and its checksum to a file in one step."""
    handle, partial = tempfile.mkstemp(PARTIAL, path.name, path.parent)
    try:
        with open(handle, "wb") as file:
            file.write(_seal(content) + content)
        os.replace(partial, path)
    except BaseException:
        _drop(Path(partial))
        raise


def _seal(content: bytes) -> bytes:
    return MARK + hashlib.sha256(content).digest()


def _drop(path: Path) -> None:
    with suppress(OSError):
        path.unlink()
