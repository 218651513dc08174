"""Seconds by phase."""

import time

import pytest

from pigevo.core.phase_clock import PhaseClock


def test_phases_add_up_and_one_inside_another_belongs_to_the_outer_one():
    clock = PhaseClock()
    sleep = clock.timed("play", time.sleep)
    sleep(0.01)
    with clock("select"):
        sleep(0.01)
    assert min(clock.seconds["play"], clock.seconds["select"]) >= 0.01
    before = dict(clock.seconds)
    sleep(0.01)
    since = clock.since(before, {"vary": 3.0, "play": 1.0})
    assert (since["vary"], since["select"]) == (3, 0)
    assert since["play"] >= 1.01


def test_an_error_ends_a_phase():
    clock = PhaseClock()
    with pytest.raises(ValueError), clock("play"):
        raise ValueError
    with clock("select"):
        pass
    assert list(clock.seconds) == ["play", "select"]
