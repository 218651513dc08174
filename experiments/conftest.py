"""Tests of studies have the fixtures of all tests."""

from tests.conftest import _log_is_left_alone, environment, pig62

__all__ = ["_log_is_left_alone", "environment", "pig62"]
