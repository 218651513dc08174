"""Calls of kernels from Python, in which Ctrl-C does what it should.

While compiled code runs, Python keeps a signal for later; numba makes Python's objects of the
results, and an exception in the middle of that, as Ctrl-C raises, crashes the process.  So it waits
for the end of the call.  A kernel that may take long has a thread of its own, and nobody
waits for its end after Ctrl-C.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

COMPILING = "_compile_for_args"
"""A function of numba's, below which all is Python: there an exception may be raised."""

LOOK_SECONDS = 0.2
"""So often Python looks for signals: one that comes just before a wait begins does not end it."""


class Kernel:
    """A kernel as Python sees it; to other kernels it is what is compiled.

    Args:
        compiled: what numba made.
        call: what is called, if it is not that itself.
        is_long: whether it may take many seconds.
    """

    def __init__(self, compiled: Any, call: Callable[..., Any], is_long: bool) -> None:
        self.compiled, self.call, self.py_func = compiled, call, compiled.py_func
        self._is_long = is_long
        self._numba_type_ = compiled._numba_type_

    def __call__(self, *arguments: Any) -> Any:
        """The kernel's result."""
        if threading.current_thread() is not threading.main_thread():  # where no signal is seen
            return self.call(*arguments)
        if self._is_long:
            return in_thread(self.call, *arguments)
        handler = signal.getsignal(signal.SIGINT)
        return self._until_the_end(handler, arguments) if callable(handler) else self.call(*arguments)

    def _until_the_end(self, handler: Callable[[int, FrameType | None], Any], arguments: tuple[Any, ...]) -> Any:
        came: list[tuple[int, FrameType | None]] = []

        def keep(number: int, frame: FrameType | None) -> None:
            if not _is_below(frame, COMPILING):
                came.append((number, frame))
                return
            try:
                handler(number, frame)
            except BaseException:
                came.append((number, frame))  # for Python passes over what is raised in a destructor, say
                raise

        signal.signal(signal.SIGINT, keep)
        try:
            return self.call(*arguments)
        finally:
            signal.signal(signal.SIGINT, handler)
            if came:
                handler(*came[-1])


def in_thread(function: Callable[..., Any], *arguments: Any) -> Any:
    """A function's result, from a thread of its own; an exception here, as by Ctrl-C, does not wait for it."""
    results: list[Any] = []
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


def _is_below(frame: FrameType | None, name: str) -> bool:
    """Whether a function of that name was called on the way to a frame, from a kernel's call on."""
    while frame is not None and frame.f_code is not Kernel._until_the_end.__code__:
        if frame.f_code.co_name == name:
            return True
        frame = frame.f_back
    return False
