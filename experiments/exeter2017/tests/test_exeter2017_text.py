"""The claims of the README of exeter2017 follow from its tables."""

import re

import pytest

from experiments.common.tests.prose import readme_and_tables

README, TABLES = readme_and_tables("exeter2017")
ROWS_OF_SECTIONS = {
    "2.2.1": "2.2.1",
    "17 | ten pairs": "17 |",
    "17 | the former": "17 |",
    "17, played": "17, played",
    "18": "18",
    "3.3.5 |": "3.3.5 |",
    "3.3.5, played": "3.3.5, played",
    "N&P": "N&P",
    "2.3.4": "2.3.4",
    "3.3.6 |": "3.3.6 |",
    "3.3.6, played": "3.3.6, played",
}
"""How the rows of the README's table begin, and those of the table of all printed figures."""


def test_the_rows_that_agree_are_those_of_the_table_and_all_are_counted():
    counted = 0
    for beginning, start in ROWS_OF_SECTIONS.items():
        (line,) = [line for line in README.splitlines() if line.startswith(f"| {beginning}")]
        rows = [row for row in TABLES["table"].splitlines() if row.startswith(f"| {start}")]
        if start == "17 |":
            rows = [row for row in rows if ("in general" in row) == ("former" in beginning)]
        assert line.rstrip(" |").endswith(f"| {sum('| yes |' in row for row in rows)} of {len(rows)}")
        counted += len(rows)
    assert counted == sum(row.count("|") == 8 for row in TABLES["table"].splitlines()[2:]) == 84


def test_what_differs_is_what_the_text_says():
    rows = [row for row in TABLES["table"].splitlines() if "| no |" in row]
    assert sum("in general" in row and "by the printed figures of both seats" in row for row in rows) == 5
    assert [row for row in rows if "in general" not in row] == [
        row for row in rows if "36 against 52, hold at 36 first" in row
    ]
    for row in rows:
        if "in general" in row:  # rounded twice, and so by the report's own formula right
            published = re.search(r"general \| ([\d.]+)", row).group(1)
            by_seats = re.search(r"([\d.]+) by the printed", row).group(1)
            assert round(float(by_seats) + 1e-9, 4) == float(published)


def test_the_matches_expected_outside_are_those_of_the_games_that_are_named():
    rows = [row.strip("| ").split(" | ") for row in TABLES["fair"].splitlines()]
    shares = {row[0]: float(row[-1].strip()) for row in rows if row[0].startswith(("expected", "chance"))}
    for games, within in (("1,537", "so many games"), ("3,000", "3,000 games")):
        expected = shares[f"expected outside of 100 matches of {games} games"]
        assert expected == pytest.approx(100 * (1 - shares[f"chance to lie within, in {within}"]), abs=0.006)
        assert f" {expected:.2f}".replace(" 0.", " .") in README.split("## The fair test")[1].split("\n\n")[1]
