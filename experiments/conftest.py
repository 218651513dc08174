"""Tests of studies have the fixtures of all tests, and those that have a command are tested as commands are."""

from tests.cli.conftest import answer, pigevo, record_of, refused
from tests.conftest import _log_is_left_alone, environment, pig62

__all__ = ["_log_is_left_alone", "answer", "environment", "pig62", "pigevo", "record_of", "refused"]
