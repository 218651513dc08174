"""Seconds by phase."""

import time

import pytest

from pigevo.core.phase_clock import Compilations, PhaseClock


def test_phases_add_up_and_one_inside_another_belongs_to_the_outer_one():
    clock = PhaseClock()
    with clock("play"):
        time.sleep(0.01)
    with clock("select"), clock("play"):
        time.sleep(0.01)
    assert min(clock.seconds["play"], clock.seconds["select"]) >= 0.01
    clock.begin({"vary": 3.0, "play": 1.0}, time.perf_counter() - 2)
    begun = time.perf_counter()
    with clock("play"):
        time.sleep(0.01)
    time.sleep(0.02)
    parts = clock.parts()
    assert (parts["vary"], parts["select"]) == (3, 0)
    assert parts["play"] >= 1.01
    assert parts["start"] == pytest.approx(2, abs=0.01)
    assert parts["rest"] >= 0.02
    assert sum(parts.values()) == pytest.approx(6 + time.perf_counter() - begun, abs=0.01)


def test_compilation_is_a_part_of_its_own_and_of_no_other(monkeypatch):
    monkeypatch.setattr("pigevo.core.phase_clock.COMPILATIONS", compilations := Compilations())
    clock = PhaseClock()
    with clock("play"):
        compilations.begin()
        compilations.begin()
        time.sleep(0.05)
        compilations.end()
        time.sleep(0.05)
        compilations.end()
        time.sleep(0.01)
    parts = clock.parts()
    assert parts["compile"] >= 0.1
    assert 0.01 <= parts["play"] < 0.1


def test_an_error_ends_a_phase():
    clock = PhaseClock()
    with pytest.raises(ValueError), clock("play"):
        raise ValueError
    with clock("select"):
        pass
    assert list(clock.seconds) == ["play", "select"]
