"""Progress bars where there is no terminal."""

import io
from types import SimpleNamespace

import pytest

from pigevo.core import progress_bar
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
