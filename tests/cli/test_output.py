"""Answers on a terminal, whose lines are broken between words, and elsewhere as they are."""

import sys

import pytest

from pigevo.cli import main
from pigevo.cli.output import fitted

LONG = "replicator  a large population after a time of 2000, from nearly equal shares; hold_at:20 leads with 25 %"


@pytest.fixture
def terminal(capsys, monkeypatch):
    """Standard output is a terminal of 80 columns."""
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True)
    monkeypatch.setenv("COLUMNS", "80")


@pytest.mark.usefixtures("terminal")
def test_a_long_line_goes_on_below_its_second_column():
    assert fitted(f"short\n  {LONG}").split("\n") == [
        "short",
        "  replicator  a large population after a time of 2000, from nearly equal shares;",
        "              hold_at:20 leads with 25 %",
    ]
    assert fitted("x" * 100) == "x" * 100  # a path is not broken


@pytest.mark.usefixtures("terminal")
def test_a_number_stays_with_its_percent_sign():
    assert fitted(f"{'a ' * 37}ends 25 %") == f"{'a ' * 37}ends\n25 %"


def test_a_file_has_the_lines_as_they_are(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert fitted(LONG) == LONG


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize(
    "words", ["duel hold_at:3 optimal", "turns hold_at:3", "dynamics hold_at:3 turtle:2 optimal", "respond hold_at:3"]
)
def test_answers_fit_a_terminal_of_80_columns(capsys, words):
    assert main([*words.split(), "--target", "20"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80
