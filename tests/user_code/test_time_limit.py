"""Users' functions that take too long, in threads too, and what follows them."""

import contextlib
import subprocess
import sys
import threading
import time

import pytest

from pigevo.user_code.time_limit import TimeIsUp, limit_of, limited


def endless():
    while True:
        with contextlib.suppress(Exception):
            time.sleep(0)


def stubborn():
    while True:
        try:
            while True:
                pass
        except BaseException as error:
            seen.append(error)
            if len(seen) > 1:
                raise


seen: list[BaseException] = []


def sleepy():
    while True:
        time.sleep(0.1)


@pytest.mark.parametrize("call", [endless, stubborn])
def test_a_call_that_takes_too_long_is_interrupted(call):
    with (
        limit_of(0.3),
        pytest.raises(TimeIsUp, match=r"^it takes more than 0\.3 s of processor time; perhaps it never ends$"),
    ):
        limited(call, "mine")


def test_one_that_sleeps_is_interrupted_after_ten_times_that_by_the_clock():
    with limit_of(0.1), pytest.raises(TimeIsUp, match=r"^it takes more than 1 s; perhaps it never ends$"):
        limited(sleepy, "mine")


def test_one_in_another_thread_too():
    caught = []

    def run():
        with limit_of(0.3):
            try:
                limited(endless, "mine")
            except TimeIsUp as error:
                caught.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(30)
    assert len(caught) == 1


def test_what_is_in_time_is_returned_and_nothing_comes_later():
    with limit_of(0.3):
        for _ in range(300):
            assert limited(lambda: 3, "mine") == 3
        until = time.monotonic() + 1
        while time.monotonic() < until:
            pass


def test_there_is_one_interruption_however_long_a_busy_machine_handles_it():
    def handled() -> str:
        try:
            limited(endless, "mine")
        except TimeIsUp as error:
            time.sleep(0.5)  # a second error would come here
            return str(error)
        return "it ends"

    with limit_of(0.3):
        assert limited(handled, "mine") == "it takes more than 0.3 s of processor time; perhaps it never ends"


@pytest.mark.parametrize("seconds", [9.0, 0.01])
def test_a_profiler_and_a_debugger_go_on_afterwards(seconds):
    """Python 3.11 repeats an instruction for ever if it is traced after an error of NULL was raised in its thread."""
    code = f"""
import contextlib, cProfile, sys
from pigevo.user_code.time_limit import TimeIsUp, limit_of, limited

def busy():
    return sum(i for i in range(1 if {seconds} > 1 else 10**12))

with contextlib.suppress(TimeIsUp), limit_of({seconds}):
    limited(busy, "busy")
profile = cProfile.Profile()
print(profile.runcall(lambda: 3))
trace = lambda *event: trace
sys.settrace(trace)
print((lambda: 4)())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["3", "4"], done.stderr
