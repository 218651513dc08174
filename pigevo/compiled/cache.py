"""Compiled kernels on disk: a sealed file for each, which is dropped where it is not what was written.

It stands in for numba's own cache, whose files are believed whatever is in them: an empty one
ends every command, a damaged one the process.  Here a file is named after the kernel, its
signature, the processor and the bytecode, and begins with the SHA-256 of what follows; whatever
does not fit is taken away, and the kernel compiled.  Nothing of it is unpickled before that.

Kernels that another process compiles while this one compiles those that come first.

Numba compiles one kernel at a time, however many cores there are.  So where the cache of kernels
lacks some that will be needed, a process is begun that calls them with something small, and leaves
them in the cache; who needs one meanwhile waits for it instead of compiling it again.
"""

from __future__ import annotations

import hashlib
import logging
import os
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from numba.core import compiler as _compiler
from numba.core import serialize as _serialize

from pigevo.core.threads import available_cores
from pigevo.storage.cache_dirs import builds, make_room, own_folder

LONGEST = 120.0
"""Seconds that a kernel is waited for at most; then this process compiles it itself."""

STEP = 0.02
"""Seconds between two looks."""

CODE = "import sys; sys.path.append(sys.argv[1]); from pigevo.compiled.cache import call; call(*sys.argv[2:])"

_busy: dict[str, subprocess.Popen[bytes]] = {}


def compile_ahead(folder: Path | None, tasks: Mapping[str, Sequence[str]]) -> None:
    """Have kernels compiled by another process, if this machine has a core for it and the cache lacks any.

    Args:
        folder: the cache's (`pigevo.compiled.kernel.cache_folder`), or None where there is none.
        tasks: functions without arguments, as `module:name`, and the names of the kernels that each calls.
    """
    if folder is None or available_cores() < 2:
        return
    left = {task: names for task, names in tasks.items() if not all(any(folder.glob(f"{n}-*")) for n in names)}
    if not left:
        return
    words = [sys.executable, "-P", "-c", CODE, str(Path(__file__).parents[2]), *left]
    nothing = subprocess.DEVNULL
    with suppress(OSError):
        process = subprocess.Popen(words, stdin=nothing, stdout=nothing, stderr=nothing)
        _busy.update({name: process for names in left.values() for name in names})


def wait_for(kernel: str, is_there: Callable[[], bool]) -> None:
    """Wait for what another process does with a kernel, if one does: until it is there, or that process has ended."""
    process, until = _busy.get(kernel), time.monotonic() + LONGEST
    while process and process.poll() is None and not is_there() and time.monotonic() < until:
        time.sleep(STEP)


def call(*tasks: str) -> None:
    """Do tasks: what the other process does."""
    for task in tasks:
        module, name = task.split(":")
        getattr(import_module(module), name)()


LOG = logging.getLogger(__name__)

numba_compiler: Any = _compiler  # without types of their own
serialize: Any = _serialize

MARK = b"pigevo kernel 1\n"
SEAL = len(MARK) + hashlib.sha256().digest_size
KERNEL, PARTIAL = ".kernel", ".partial"

_said: set[str] = set()


class KernelCache:
    """What numba asks for the compiled code of one kernel.

    Args:
        function: the kernel, as it is in Python.
        folder: where its files lie: nobody but the user can write there (`pigevo.storage.cache_dirs.own_folder`).
    """

    def __init__(self, function: Any, folder: Path) -> None:
        self._function, self._folder = function, folder
        self._name = f"{function.__module__}.{function.__qualname__}"

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(self._folder)

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The compiled code for a signature, or None; never an error."""
        target.refresh()
        path = self._path(signature, target.codegen())
        wait_for(self._name, path.exists)
        content = sealed_content(path)
        if content is None:
            return None
        try:
            known, reduced = serialize.loads(content)
            return numba_compiler.CompileResult._rebuild(target, *reduced) if known == signature else None
        except Exception:  # written by a numba that was changed by hand, say
            LOG.debug("%s cannot be used", path, exc_info=True)
            _drop(path)
            return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep the compiled code for a signature; where that is not possible, it stays in memory."""
        if compiled.library.has_dynamic_globals:
            return
        try:
            own_folder(self._folder.parent, self._folder.name)  # another process may have emptied the cache
            write_sealed(self._path(signature, compiled.codegen), serialize.dumps((signature, compiled._reduce())))
            make_room(builds(self._folder.parent), keep=self._folder)
        except OSError as error:
            in_memory(f"{self._folder} cannot be written: {error.strerror or error}")

    def enable(self) -> None:
        """Numba asks for this; it always is."""

    def disable(self) -> None:
        """Numba asks for this; nobody calls it."""

    def flush(self) -> None:
        """Numba asks for this when a kernel is compiled anew; the next file takes the place of the last."""

    def _path(self, signature: Any, codegen: Any) -> Path:
        deciding = self._name, str(signature), codegen.magic_tuple(), self._function.__code__.co_code
        return self._folder / f"{self._name}-{hashlib.sha256(repr(deciding).encode()).hexdigest()[:24]}{KERNEL}"


def in_memory(reason: str) -> None:
    """Say, once in a process, that kernels are compiled in memory, and why."""
    if not _said:
        LOG.warning("compiled kernels are not kept, so each process compiles them: %s", reason)
    _said.add(reason)


def sealed_content(path: Path) -> bytes | None:
    """What was sealed in a file; where it is anything else, the file is taken away."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        with open(os.open(path, flags), "rb") as file:  # neither through a link nor waiting for a pipe
            whole = file.read() if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else b""
    except FileNotFoundError:
        return None
    except OSError:
        whole = b""
    content = whole[SEAL:]
    if whole[:SEAL] == _seal(content):
        return content
    _drop(path)
    return None


def write_sealed(path: Path, content: bytes) -> None:
    """Seal content in a file, which is there whole or not at all.

    Raises:
        OSError: it cannot be written.
    """
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
