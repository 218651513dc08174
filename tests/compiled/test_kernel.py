"""Compiled kernels: Ctrl-C ends a call when that is safe, and never the process; numbers make no new ones."""

import _signal
import os
import signal
import threading
import time

import numba
import numpy as np
import pytest
from numba.extending import overload

from pigevo.cli import main
from pigevo.compiled import kernel as module
from pigevo.compiled.kernel import Kernel, in_thread
from pigevo.exact import solve
from pigevo.exact.kernels import solve_pair
from pigevo.runs.progress import Interruption

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")
LONG = 200_000_000
"""Rounds that take half a second or so."""


@numba.njit(nogil=True)
def two_arrays(rounds):
    """Numba makes two arrays and a tuple of it, and an exception meanwhile has crashed it."""
    a, b = np.zeros(3), np.zeros(2)
    x = 0.0
    for n in range(rounds):
        x = (x + n) * 0.5
    a[0] = x
    return a, b, x


kernel = Kernel(two_arrays)


class Compiled:
    """Stands for compiled code that calls a function."""

    py_func = _numba_type_ = None

    def __init__(self, function):
        self.function = function

    def __call__(self, *arguments):
        return self.function(*arguments)


def ctrl_c_after(begun):
    """Press Ctrl-C in another thread as soon as a call has begun."""
    threading.Thread(target=lambda: begun.wait(600) and os.kill(os.getpid(), signal.SIGINT)).start()


@pytest.fixture(autouse=True)
def _handler():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    kernel(3)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def ctrl_c_later():
    """Ctrl-C after a while, most likely in the middle of the call; surely before `join`."""
    timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    yield timer
    timer.join()


def test_ctrl_c_waits_for_the_end_of_a_call(ctrl_c_later):
    done = []
    with pytest.raises(KeyboardInterrupt):  # and no SystemError, nor a segmentation fault
        done.append(kernel(LONG))
        ctrl_c_later.join()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert kernel(3)[2] > 0


def test_python_hears_of_ctrl_c_only_when_the_results_are_there():
    """Wherever numba's own making of Python's objects would run a signal's handler, as here in the midst of the call."""
    reached = []

    def call(n):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0)
        reached.append(n)

    with pytest.raises(KeyboardInterrupt):
        Kernel(Compiled(call))(4)
    assert reached == [4]


def test_a_run_that_was_asked_to_stop_gets_its_result_and_knows_of_it_once(ctrl_c_later):
    with Interruption() as stop:
        result = kernel(LONG)
        ctrl_c_later.join()
        time.sleep(0)
        assert stop.requested
    assert len(result) == 3


def interrupting(meanwhile):
    """A kernel in whose compilation there is a Ctrl-C."""

    def compiled_for(a):
        return a + 1

    @overload(compiled_for)
    def _compile(a):
        meanwhile()
        return lambda a: a + 1

    return Kernel(numba.njit(lambda a: compiled_for(a)))


def test_ctrl_c_ends_a_compilation_at_once():
    after = []

    def meanwhile():
        os.kill(os.getpid(), signal.SIGINT)
        after.append(1)

    interrupted = interrupting(meanwhile)
    with pytest.raises(KeyboardInterrupt):
        interrupted(2)
    assert (after, len(interrupted.compiled.overloads)) == ([], 0)


def test_a_ctrl_c_that_python_passed_over_counts_after_the_call():
    def meanwhile():
        try:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(1)
        except KeyboardInterrupt:  # as in a destructor
            return

    interrupted = interrupting(meanwhile)
    with pytest.raises(KeyboardInterrupt):
        interrupted(2)
    assert len(interrupted.compiled.overloads) == 1
    assert interrupted(2) == 3


def test_nobody_waits_for_a_long_kernel_after_ctrl_c():
    begun, may_end, ended = (threading.Event() for _ in range(3))

    def call(n):
        begun.set()
        may_end.wait(600)
        ended.set()
        return n + 1

    long = Kernel(Compiled(call), is_long=True)
    ctrl_c_after(begun)
    with pytest.raises(KeyboardInterrupt):
        long(1)
    assert not ended.is_set()
    may_end.set()
    assert long(2) == 3


def test_a_thread_hands_over_what_was_raised():
    with pytest.raises(ZeroDivisionError):
        in_thread(lambda: 1 // 0)
    assert in_thread(lambda a, b: a - b, 5, 3) == 2


def test_a_command_says_interrupted(capsys, monkeypatch):
    begun, may_end = threading.Event(), threading.Event()

    def call(*_):
        begun.set()
        may_end.wait(600)

    monkeypatch.setattr(solve, "optimal_tables", Kernel(Compiled(call), is_long=True))
    ctrl_c_after(begun)
    status = main(["solve", "--target", "7", "--sides", "5"])
    may_end.set()
    assert (status, capsys.readouterr().err) == (130, "\npigevo: interrupted.\n")


def test_a_kernel_is_compiled_once_for_all_whole_numbers_that_other_kernels_give_it(monkeypatch):
    monkeypatch.setattr(module, "cache_folder", lambda: None)  # what comes from there has compiled nothing

    @module.kernel()
    def doubled(number):
        return 2 * number

    @module.kernel()
    def asking(number):
        return doubled(3) + doubled(number) + doubled(number=4)

    assert asking(5) == 24
    assert [str(kind) for signature in doubled.compiled.overloads for kind in signature] == ["int64"]


def test_a_kernel_that_only_kernels_can_call_says_so_instead_of_crashing_the_process():
    with pytest.raises(TypeError, match="only kernels can call solve_pair"):
        solve_pair(0.5, 0.5, 0.5, 0.5)
    assert numba.njit(lambda: solve_pair(0.5, 0.5, 0.5, 0.5))() == 1.0


@pytest.mark.parametrize("number", [1, 2])
def test_an_error_of_another_signals_handler_leaves_ctrl_c_as_it_was(monkeypatch, number):
    """A host's time limit raises one from its handler of SIGALRM, which a change of handlers calls, too."""
    before, change, changes = signal.getsignal(signal.SIGINT), _signal.signal, []

    def interrupted(signal_number, handler):
        changes.append(handler)
        if len(changes) == 1:
            change(signal_number, handler)
        if len(changes) == number:
            raise TimeoutError
        return change(signal_number, handler)

    monkeypatch.setattr("_signal.signal", interrupted)
    with pytest.raises(TimeoutError):
        Kernel(Compiled(lambda n: n))(4)
    assert signal.getsignal(signal.SIGINT) is before


def test_a_time_limit_of_the_calling_program_raises_its_own_error_after_the_call():
    def too_late(number, frame):
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, too_late)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.01)
        with pytest.raises(TimeoutError):
            kernel(LONG // 10)
        assert signal.getsignal(signal.SIGALRM) is too_late
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_of_two_signals_in_one_call_both_are_handled_and_the_last_error_comes():
    calls = []

    def too_late(number, frame):
        calls.append(number)
        raise TimeoutError

    def stop(number, frame):
        calls.append(number)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, too_late), signal.signal(signal.SIGINT, stop)

    def both(n):
        for number in (signal.SIGALRM, signal.SIGINT):
            signal.raise_signal(number)
        return n

    try:
        with pytest.raises(KeyboardInterrupt):
            Kernel(Compiled(both))(4)
        assert calls == [signal.SIGALRM, signal.SIGINT]
        assert (signal.getsignal(signal.SIGALRM), signal.getsignal(signal.SIGINT)) == (too_late, stop)
    finally:
        signal.signal(signal.SIGALRM, before[0])
        signal.signal(signal.SIGINT, before[1])
