"""Kernels that another process compiles while this one compiles those that come first.

Numba compiles one kernel at a time, however many cores there are.  So where the cache of kernels
lacks some that will be needed, a process is begun that calls them with something small, and leaves
them in the cache; who needs one meanwhile waits for it instead of compiling it again.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from pigevo.threads import available_cores

LONGEST = 120.0
"""Seconds that a kernel is waited for at most; then this process compiles it itself."""

STEP = 0.02
"""Seconds between two looks."""

CODE = "import sys; sys.path.append(sys.argv[1]); from pigevo.ahead import call; call(*sys.argv[2:])"

_busy: dict[str, subprocess.Popen[bytes]] = {}


def compile_ahead(folder: Path | None, tasks: Mapping[str, Sequence[str]]) -> None:
    """Have kernels compiled by another process, if this machine has a core for it and the cache lacks any.

    Args:
        folder: the cache's (`pigevo.compiled.cache_folder`), or None where there is none.
        tasks: functions without arguments, as `module:name`, and the names of the kernels that each calls.
    """
    if folder is None or available_cores() < 2:
        return
    left = {task: names for task, names in tasks.items() if not all(any(folder.glob(f"{n}-*")) for n in names)}
    if not left:
        return
    words = [sys.executable, "-P", "-c", CODE, str(Path(__file__).parents[1]), *left]
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
