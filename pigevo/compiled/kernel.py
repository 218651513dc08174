"""The decorator of compiled kernels: numba's `njit`, with a cache on disk (`pigevo.compiled.cache`) and a safe Ctrl-C.

Python handles a signal only after compiled code has returned.  If Ctrl-C then raises an exception while numba converts
the results into objects of Python, the process crashes, or the exception becomes a SystemError.  So the handler waits
for the end of the call.  A kernel that may take long runs in a thread of its own, and Ctrl-C does not wait for it.

This file uses private names of numba, so `pyproject.toml` pins numba to the versions that are tested.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # `signal` wraps it, and takes longer for that than a small kernel
import functools
import logging
import signal
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from types import FrameType, FunctionType
from typing import Any, ParamSpec, TypeVar, cast

import numba
import numpy as np
from numba.core import entrypoints, event
from numba.core.types import IntegerLiteral

from pigevo.compiled.cache import KernelCache, NumbaObject, cache_folder, numba_settings
from pigevo.core.imports import without_working_folder
from pigevo.core.phase_clock import COMPILATIONS

without_working_folder(entrypoints.init_all)  # before numba itself looks for extensions in the whole search path

LOG = logging.getLogger(__name__)

F = TypeVar("F", bound=Callable[..., Any])
P = ParamSpec("P")
Result = TypeVar("Result")

SignalHandler = Callable[[int, FrameType | None], object]

SIGNALS = [int(getattr(signal, name)) for name in (
    "SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK", "SIGALRM", "SIGVTALRM", "SIGPROF", "SIGXCPU", "SIGUSR1", "SIGUSR2",
) if hasattr(signal, name)]  # fmt: skip
"""Signals whose handlers may raise errors: Ctrl-C, and time limits of programs and clusters."""

COMPILING = "_compile_for_args"
"""The function of numba that compiles a kernel.  It is Python code, so that an exception may be raised in it."""

LOOK_SECONDS = 0.2
"""Seconds between two checks for signals, because a signal that arrives just before a wait does not end the wait."""


def kernel(is_long: bool = False, borrows: bool = False, **options: Any) -> Callable[[F], F]:
    """Decorator: compile a function of arrays and numbers, without the interpreter's lock.

    Args:
        is_long: whether it may take many seconds; then Ctrl-C does not wait for it.
        borrows: the kernel creates and returns no arrays, and only other kernels call it.  Then numba does not count
            references, which would take longer than a short loop, and makes no way to call it from Python.
        options: of `numba.njit`.
    """
    # Wrappers are a sixth of the time of compiling. No kernel is a C function, and Python calls none that borrows.
    options |= {"no_cfunc_wrapper": True, "no_cpython_wrapper": borrows}
    if borrows and not numba_settings.BOUNDSCHECK:  # with it, plain loops that create arrays replace SIMD
        options["_nrt"] = False

    def compile_later(function: F) -> F:
        if numba_settings.DISABLE_JIT:
            return cast(F, _ignoring_overflow(function))
        compiled: NumbaObject = numba.njit(nogil=True, **options)(function)
        compiled.get_call_template = _without_literals(compiled.get_call_template)
        folder = cache_folder()
        if folder is not None and isinstance(function, FunctionType):
            compiled._cache = KernelCache(function, folder)
        return cast(F, Kernel(compiled, is_long, borrows))

    return compile_later


def _ignoring_overflow(function: Callable[P, Result]) -> Callable[P, Result]:
    """The Python function with overflow warnings of numpy off, since compiled 64-bit integers wrap around."""

    @functools.wraps(function)
    def call(*arguments: P.args, **named: P.kwargs) -> Result:
        with np.errstate(over="ignore"):
            return function(*arguments, **named)

    return call


def _without_literals(template: Callable[..., object]) -> Callable[..., object]:
    """The template of a kernel, given the type of an integer literal: otherwise numba compiles for each literal."""

    def without_literal(kind: object) -> object:
        return kind.literal_type if isinstance(kind, IntegerLiteral) else kind

    def call_template(arguments: Sequence[object], named: Mapping[str, object]) -> object:
        named_kinds = {name: without_literal(kind) for name, kind in named.items()}
        return template([without_literal(kind) for kind in arguments], named_kinds)

    return call_template


class Kernel:
    """A kernel that Python calls; other kernels call the function that numba compiled.

    Args:
        compiled: the function that numba compiled, with its attributes.
        is_long: whether it may take many seconds.
        borrows: whether only kernels may call it.
    """

    def __init__(self, compiled: NumbaObject, is_long: bool = False, borrows: bool = False) -> None:
        self.compiled, self.py_func, self.is_long, self.borrows = compiled, compiled.py_func, is_long, borrows
        self._numba_type_ = compiled._numba_type_

    def __call__(self, *arguments: object) -> NumbaObject:
        """The kernel's result."""
        if self.borrows:
            raise TypeError(f"only kernels can call {self.py_func.__name__}: Python's calls would crash.")
        if threading.current_thread() is not threading.main_thread():  # where no signal is seen
            return self.compiled(*arguments)
        if self.is_long:
            return in_thread(self.compiled, *arguments)
        handlers: dict[int, SignalHandler] = {
            number: handler for number in SIGNALS if callable(handler := _signal.getsignal(number))
        }
        return self._until_the_end(handlers, arguments) if handlers else self.compiled(*arguments)

    def _until_the_end(self, handlers: Mapping[int, SignalHandler], arguments: tuple[object, ...]) -> NumbaObject:
        """Call the kernel, and handle signals that arrive meanwhile after the call."""
        deferred: list[tuple[int, FrameType | None]] = []

        def handle_or_defer(number: int, frame: FrameType | None) -> None:
            if not _is_compiling(frame):
                deferred.append((number, frame))
                return
            try:
                handlers[number](number, frame)
            except BaseException:
                deferred.append((number, frame))  # once more in `finally`, since Python ignores errors in a destructor
                raise

        try:
            for number in handlers:
                _signal.signal(number, handle_or_defer)
            return self.compiled(*arguments)
        finally:
            with ExitStack() as after:  # each of these is called, whatever the ones before it raise; the last one first
                after.callback(_handle, handlers, deferred)
                for number, handler in handlers.items():
                    after.callback(_restore, number, handler)


def _restore(number: int, handler: SignalHandler) -> None:
    """Make this the handler of a signal again; handlers of pending signals are called before, and may raise."""
    try:
        _signal.signal(number, handler)
    finally:
        if _signal.getsignal(number) != handler:
            _signal.signal(number, handler)


def _handle(handlers: Mapping[int, SignalHandler], deferred: Sequence[tuple[int, FrameType | None]]) -> None:
    """Call the handlers of deferred signals, each once, in order; of their errors the last one is raised."""
    if deferred:
        with ExitStack() as after:
            for number, frame in reversed(dict(deferred).items()):
                after.callback(handlers[number], number, frame)


def in_thread(function: Callable[..., Result], *arguments: object) -> Result:
    """Call a function in a thread of its own, so that Ctrl-C is handled at once."""
    results: list[Result] = []
    errors: list[BaseException] = []

    def work() -> None:
        try:
            results.append(function(*arguments))
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(LOOK_SECONDS)
    if errors:
        raise errors[0]
    return results[0]


def _is_compiling(frame: FrameType | None) -> bool:
    """Whether a stack frame belongs to numba's compilation of the kernel called last."""
    while frame is not None and frame.f_code is not Kernel._until_the_end.__code__:
        if frame.f_code.co_name == COMPILING:
            return True
        frame = frame.f_back
    return False


class _Compilation(event.Listener):
    """Measures the time of compilation, and says once that kernels which are not in the cache are compiled."""

    said = False

    def on_start(self, event: object) -> None:
        COMPILATIONS.begin()
        if not self.said:
            kept = "; they are kept" if cache_folder() else ""
            LOG.info("compiling kernels for this machine, which takes some seconds%s", kept)
        self.said = True

    def on_end(self, event: object) -> None:
        COMPILATIONS.end()


event.register("numba:compile", _Compilation())  # type: ignore[no-untyped-call]
