"""Answers on a terminal, whose lines are broken between words, and elsewhere as they are."""

import re
import sys

import pytest

from pigevo.cli import main
from pigevo.cli.output import fitted
from pigevo.core.tables import table
from tests.cli.terminal import Terminal

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


NAMES = "keep_pace_and_end_race:21,8,29 next_multiple_and_end_race:24,28 optimal"
WIDE = {
    f"dynamics {NAMES} --populations 20": "takes over (95 % interval)",
    f"tournament {NAMES} --games 20 --times 5": "round robin",
    f"show {NAMES.removesuffix(' optimal')} --picture none": "decides wrongly",
    "show optimal --at 10,20 --picture none": "how often in a game",
    "rules": "exploitability",
    "rules --card": "against one who knows it",
    "describe lexicase": "python -m pigevo selection=lexicase",
    "strategies": "overall",
}
IN_TURN = "import sys; from pigevo.cli import main; [(main(words.split()), print('END')) for words in sys.argv[1:]]"


def test_tables_and_descriptions_fit_a_pseudo_terminal(tmp_path):
    """Without a line that wraps or a number that is cut; a head may be broken, but stays above its own column."""
    status, lines = Terminal(WIDE, tmp_path, 80, ("-c", IN_TURN)).end()
    assert status == 0
    printed = "\n".join(lines).split("END")[:-1]
    for (words, part), answer in zip(WIDE.items(), printed, strict=True):
        assert max(map(len, answer.splitlines())) <= 80, words
        assert set(part.split()) <= set(answer.split()), words
        assert not re.search(r"[\d.(]$\n\s*[\d.)]+(\)|$)", answer, flags=re.M), words


def test_a_table_is_broken_at_its_heads_first_and_never_in_its_numbers():
    heads, rows = ("name", "a long head", "interval"), [("x" * 9, "0.25", "0.1 to 0.4"), ("y", "0.5", "0.2 to 0.8")]
    whole = ["  name       a long head    interval", f"  {'x' * 9}         0.25  0.1 to 0.4",
             "  y                  0.5  0.2 to 0.8"]  # fmt: skip
    assert table(heads, rows, "<>>") == table(heads, rows, "<>>", 36) == whole
    assert table(heads, rows, "<>>", 31)[:2] == ["             a long", "  name         head    interval"]
    assert table(heads, rows, "<>>", 24)[-4:] == [
        "", "  name         interval", f"  {'x' * 9}  0.1 to 0.4", "  y          0.2 to 0.8"
    ]  # fmt: skip
