"""Kernels with hand-written instructions beside their plain twins.

An instruction of `pigevo.compiled.simd_floats` or `pigevo.compiled.simd_bits` has a twin of its name in
`pigevo.compiled.simd_reference`.  So a kernel that is made of them has one too: itself, with the twins in
their places.  When the kernel is first compiled for a processor, both do small examples; where
the results differ in a bit, or the compiler fails, the twin is compiled instead.
"""

from __future__ import annotations

import functools
import hashlib
import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
import numpy as np
from numba import config as _config
from numba.extending import intrinsic as _intrinsic

from pigevo.compiled.cache import wait_for

LOG = logging.getLogger(__name__)

settings: Any = _config  # its attributes are made at import, so no type checker knows them

Examples = Callable[[], Iterable[tuple[Any, ...]]]

_plain: dict[int, Callable[..., Any]] = {}
"""The twin of each instruction, by its `id`; they live as long as Python."""


def intrinsic(generator: Callable[..., Any]) -> Any:
    """Numba's decorator, with the type of the compiled function and not of its generator."""
    return _intrinsic(generator)


def instruction(plain: Callable[..., Any]) -> Callable[[Callable[..., Any]], Any]:
    """Decorator of what generates LLVM's instructions: numba's `intrinsic`, with a twin.

    Where numba compiles nothing, or checks every place in an array, which instructions do not, it is the twin.

    Args:
        plain: the twin.
    """

    def decorate(generator: Callable[..., Any]) -> Any:
        if settings.DISABLE_JIT:
            return plain
        made: Any = numba.njit(plain) if settings.BOUNDSCHECK else _intrinsic(generator)
        _plain[id(made)] = plain
        return made

    return decorate


def interpreted(kernel: Any) -> Callable[..., Any]:
    """The kernel's plain twin, as Python does it."""
    return ignoring_overflow(_with_twins(kernel, lambda plain: plain, lambda inner: inner))


def in_loops(kernel: Any) -> Callable[..., Any]:
    """The kernel's plain twin, compiled."""
    compiled: Callable[..., Any] = numba.njit(nogil=True)(_with_twins(kernel, numba.njit, numba.njit(nogil=True)))
    return compiled


def _with_twins(kernel: Any, of_plain: Callable[..., Any], of_inner: Callable[..., Any]) -> FunctionType:
    """The Python function of a kernel, whose instructions and inner kernels are replaced by others."""
    function = kernel.py_func
    names = {}
    for name in function.__code__.co_names:
        value = function.__globals__.get(name)
        if id(value) in _plain:
            names[name] = of_plain(_plain[id(value)])
        elif hasattr(value, "py_func"):
            names[name] = of_inner(_with_twins(value, of_plain, of_inner))
    return FunctionType(function.__code__, function.__globals__ | names, function.__name__, function.__defaults__)


def ignoring_overflow(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function in Python without warnings of integer overflow: compiled 64-bit integers wrap around, too."""

    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*arguments)

    return call


class Compared:
    """A kernel with instructions, for callers in Python.

    Args:
        compiled: the kernel.
        examples: give arguments of small calls, whose results are compared.
        folder: where a mark says that they were; None for nowhere.
    """

    def __init__(self, compiled: Any, examples: Examples, folder: Path | None) -> None:
        self.compiled, self._examples, self._folder = compiled, examples, folder
        self._name = f"{compiled.py_func.__module__}.{compiled.py_func.__qualname__}"
        self._twin: Callable[..., Any] | None = None
        self._seen = 0  # signatures that were compared
        self._lock = threading.RLock()  # of several threads that come here first, one compares

    def __call__(self, *arguments: Any) -> Any:
        """The kernel's result, or its twin's."""
        if self._twin is None:
            try:
                result = self.compiled(*arguments)
                if len(self.compiled.overloads) == self._seen or self._agrees(arguments):
                    return result
            except MemoryError:
                raise
            except Exception as error:  # whatever goes wrong in numba, llvmlite or LLVM
                self._replace(f"cannot be built here ({type(error).__name__})")
        assert self._twin is not None
        return self._twin(*arguments)

    def _agrees(self, arguments: Sequence[Any]) -> bool:
        """Whether what was compiled is the same to the bit as the twin; it was found out before, or is now."""
        with self._lock:
            number = len(self.compiled.overloads)
            if number > self._seen and self._twin is None:
                mark = self._mark()
                if mark is not None:
                    wait_for(self._name, mark.exists)
                if mark is None or not mark.exists():
                    if not self._same(self.compiled, arguments):
                        self._replace("gives other results here")
                    elif mark is not None:
                        _write(mark)
                self._seen = number
            return self._twin is None

    def _replace(self, why: str) -> None:
        with self._lock:
            if self._twin is not None:
                return
            name = self.compiled.py_func.__name__
            LOG.warning("the fast code of %s %s: plain loops take its place, which are slower", name, why)
            loops = in_loops(self.compiled)
            try:
                right = self._same(loops, None)
            except Exception:
                right = False
            self._twin = loops if right else interpreted(self.compiled)

    def _same(self, kernel: Callable[..., Any], given: Sequence[Any] | None) -> bool:
        twin = interpreted(self.compiled)
        for example in self._examples():
            mine, its = _copy(example, given), _copy(example, None)
            if not _equal((kernel(*mine), mine), (twin(*its), its)):
                return False
        return True

    def _mark(self) -> Path | None:
        if self._folder is None:
            return None
        processor = self.compiled.targetctx.codegen().magic_tuple()
        deciding = repr((processor, [str(signature) for signature in self.compiled.overloads]))
        digits = hashlib.sha256(deciding.encode()).hexdigest()[:24]
        return self._folder / f"{self._name}-{digits}.same"


def _write(mark: Path) -> None:
    try:
        mark.touch(0o600)
    except OSError:  # it will be found out again
        LOG.debug("%s cannot be written", mark, exc_info=True)


def _copy(value: Any, like: Any) -> Any:
    """Arguments with arrays of their own, read-only where those of another call are: numba tells them apart."""
    if isinstance(value, tuple):
        parts = [_copy(one, None if like is None else like[n]) for n, one in enumerate(value)]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    if isinstance(value, np.ndarray):
        value = value.copy()
        value.flags.writeable = like is None or like.flags.writeable
    return value


def _equal(one: Any, other: Any) -> bool:
    """Whether results are the same to the bit, whatever Python calls their types."""
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(_equal, one, other))
    if one is None or other is None:
        return one is other
    a, b = np.asarray(one), np.asarray(other)
    return a.shape == b.shape and a.astype(b.dtype).tobytes() == b.tobytes()
