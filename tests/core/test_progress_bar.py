"""Progress bars where there is no terminal, and seconds by phase."""

import io
import os
import time
from types import SimpleNamespace

import pytest

from pigevo.core import progress_bar
from pigevo.core.phase_clock import Compilations, PhaseClock
from pigevo.core.progress_bar import ProgressBar


@pytest.fixture
def clock(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(progress_bar, "time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


@pytest.mark.parametrize("by_iteration", [False, True])
def test_a_bar_without_a_terminal_says_a_line_a_minute(clock, capsys, by_iteration):
    options = {"desc": "sweep: 0 of 9 runs", "total": 30, "disable": None, "file": io.StringIO()}
    if by_iteration:
        for _ in ProgressBar(range(30), **options):
            clock[0] += 25
    else:
        bar = ProgressBar(**options)
        for _ in range(30):
            clock[0] += 25
            bar.update()
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 10  # at the first step after each minute: every 75 s
    assert lines[0] == "sweep: 0 of 9 runs: 10 % after about 75 seconds, about 11 minutes to go"


def test_a_terminal_that_does_not_tell_its_size_shows_a_bar_at_once():
    pty = pytest.importorskip("pty")
    reading, terminal = pty.openpty()  # of 0 lines and 0 columns
    with (
        os.fdopen(reading, "rb", buffering=0) as screen,
        open(terminal, "w") as file,
        ProgressBar(total=3, desc="reading 3 files", disable=None, file=file),
    ):
        assert b"reading 3 files:   0%" in screen.read(500)


def test_what_was_done_before_is_no_part_of_the_speed(clock, capsys):
    bar = ProgressBar(initial=50, total=100, disable=None, file=io.StringIO())
    clock[0] = 120
    bar.update(10)
    assert capsys.readouterr().err.splitlines() == ["60 % after about 2 minutes, about 8 minutes to go"]


def test_a_bar_that_is_not_wanted_says_nothing(clock, capsys):
    bar = ProgressBar(total=100, disable=True)
    clock[0] = 120
    bar.update(10)
    assert not capsys.readouterr().err


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


@pytest.mark.parametrize("is_closed", [False, True])
def test_without_standard_error_there_is_no_bar(capsys, monkeypatch, is_closed):
    stream = io.StringIO() if is_closed else None  # a program without a console has none
    if stream:
        stream.close()
    monkeypatch.setattr("sys.stderr", stream)
    with ProgressBar(total=3, disable=None) as bar:
        bar.update()
    assert list(ProgressBar(range(3), disable=None)) == [0, 1, 2]
    assert not capsys.readouterr().out
