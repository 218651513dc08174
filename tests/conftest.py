"""Fixtures of all tests."""

import gc
import logging
import os
import signal

import pytest
from hypothesis import HealthCheck, settings

from pigevo.core.imports import collect_less_often

collect_less_often()  # thousands of tests are collected first, and looks at them find nothing
settings.register_profile(
    "busy", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)  # the machine may be busy
settings.load_profile("busy")

os.environ.pop("COLUMNS", None)  # the width of a terminal, which pytest-xdist hands on, is that of no test
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # in a shell's background, whose children would never hear Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish():
    """Leave what is imported and collected out of all later searches for garbage: it stays to the end."""
    gc.freeze()


@pytest.fixture(autouse=True)
def _log_is_left_alone():
    """Close the log that a command in this process has begun, so that the next test does not write to it."""
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    yield
    root.setLevel(level)
    new = [handler for handler in root.handlers if handler not in before]
    for handler in [handler for handler in new if type(handler).__module__.startswith("pigevo.")]:
        root.removeHandler(handler)
        handler.close()


@pytest.fixture(scope="session")
def pig62():
    """The solution of Pig to 62 for three players, which takes a while."""
    from tests.cases import solved

    return solved(62)


@pytest.fixture
def environment():
    """The environment of a process that imports this pigevo and uses its compiled kernels."""
    from tests.small import environment_of_a_process

    return environment_of_a_process()
