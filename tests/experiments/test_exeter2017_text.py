"""Every figure of the README of exeter2017 is one of the tables beside it, of its settings, or of the report."""

import re

import pytest

from pigevo.studies.find import experiments_folder, load_study
from tests.experiments.prose import numbers, paragraphs, rows_of, unfounded

PLACE = experiments_folder() / "exeter2017"
STUDY = load_study("exeter2017")
README = (PLACE / "README.md").read_text()
TABLES = {path.name: path.read_text() for path in PLACE.glob("*.md") if path.name != "README.md"}
PARAGRAPHS = [one for one in paragraphs(README) if numbers(one)]
ALL = ""
"""The beginning of any row."""

SOURCES = {
    "Nine students": [],
    "has every printed figure": [("table.md", "computed"), ("table.md", "played")],
    "| 2.2.1": [("table.md", "2.2.1")],
    "| 17 | ten pairs": [("table.md", "17 |")],
    "| 17 | the former": [("table.md", "17 |")],
    "| 17, played": [("table.md", "17, played")],
    "| 18": [("table.md", "18")],
    "| 3.3.5 |": [("table.md", "3.3.5 |")],
    "| 3.3.5, played": [("table.md", "3.3.5, played")],
    "| N&P": [("table.md", "N&P")],
    "| 2.3.4": [("table.md", "2.3.4")],
    "| 3.3.6 |": [("table.md", "3.3.6 |")],
    "| 3.3.6, played": [("table.md", "3.3.6, played")],
    "**Where they differ": [("table.md", "17 | 15 against 20"), ("table.md", "17, played | 36 against 52"), ("table.md", "3.3.5"),
                           ("table.md", "played")],
    "**Played again": [("practical.md", "pairs"), ("practical.md", "farther"), ("practical.md", "largest")],
    "The figures 1": [("states.md", ALL)],
    "Figure 1": [],
    "Figure 2": [],
    "Figure 4": [],
    "*Figures 1 and": [],
    "*Figure 4": [],
    "writes out every": [("equations.md", "Piglet")],
    "**The order": [("order.md", "hold at"), ("order.md", "cycles"), ("order.md", "what it wins"), ("order.md", "strategies that"),
                    ("order.md", "best"), ("order.md", "4 | hold at 20"), ("tournaments.md", "matches")],
    "**Ten tournaments": [("tournaments.md", ALL)],
    "*Figure 18": [],
    "*A thousand": [("boxes.md", ALL)],
    "The number of games": [("fair.md", "games for"), ("fair.md", "chance to lie"), ("fair.md", "expected outside")],
    "The 100 results": [("fair.md", "100 results"), ("fair.md", "by law")],
    "A rule of": [("fair.md", "hold_at"), ("fair.md", "games for")],
    "*Figures 15": [],
    "Turtle is": [("table.md", "3.3.6 |"), ("roll_and_wait.md", ALL)],
    "**There are far": [("cycles.md", "123"), ("cycles.md", "168")],
    "**Evolution finds": [("cycles.md", ALL)],
    "\"Around a quarter": [("stalemates.md", ALL)],
    "**No local": [("responses.md", ALL)],
    "**Risk": [("risk.md", ALL)],
    "**An opponent": [("adapting.md", ALL)],
    "**Another face": [("faces.md", "1 |"), ("faces.md", "6 |")],
    "**Populations": [("exploiters.md", ALL)],
    "Exact policy": [("iteration.md", ALL)],
    "The data of": [("people.md", "averse"), ("people.md", "neutral"), ("people.md", "seeking")],
    "**The slopes": [("people.md", ALL)],
    "**The hold value": [("people.md", ALL)],
    "**Panic": [("people.md", ALL)],
    "**Does mirroring": [("people.md", ALL)],
    "*Figures 7": [],
    "Figure 18": [],
    "Figures 15": [],
    "Figures 7": [],
    "Figures 10": [],
    "Figures 13": [],
}  # fmt: skip
"""How each paragraph begins, and the tables and beginnings of the rows that it tells of."""


@pytest.fixture(scope="module")
def known():
    """Settings of the study, and numbers of the report's figures and sections."""
    s = STUDY
    settings = [
        *range(1, 19), 20, 21, 25, 30, 36, 52, 2004, 2017, 100, 300, len(s.holds.VALUES), s.holds.GAMES, s.holds.PLAYED,
        s.holds.TESTS * s.holds.GAMES, s.optimum.SERIES, s.optimum.LENGTH, s.persons.REPEATS, *s.persons.HOLDS.values(),
        *s.persons.LATE_TURNS, max(s.cycles.HOLDS), s.cycles.REACHED,
    ]  # fmt: skip
    fair = s.read_published()["fair_test"]
    shares = {"95 %", "90 %", str(fair["distance"]).removeprefix("0"), ".8"}
    return {f"{one:,}" for one in settings} | {str(one) for one in settings} | shares | {"0"}


def source_of(paragraph):
    beginning = max((one for one in SOURCES if paragraph.startswith(one)), key=len)
    return rows_of(TABLES, SOURCES[beginning])


@pytest.mark.parametrize("paragraph", PARAGRAPHS, ids=lambda text: text[:40])
def test_every_number_is_that_of_a_row(paragraph, known):
    assert unfounded(paragraph, source_of(paragraph), known | counted(paragraph)) == []


def counted(paragraph):
    """`5 of 10`, where that is what the rows say."""
    if not paragraph.startswith("|"):
        return set()
    rows = source_of(paragraph)
    if paragraph.startswith("| 17 |"):
        general = [row for row in rows if "in general" in row]
        rows = general if "former" in paragraph else [row for row in rows if row not in general]
    agree = sum("| yes |" in row for row in rows)
    assert paragraph.rstrip(" |").endswith(f"| {agree} of {len(rows)}")
    return {str(agree), str(len(rows))}


def test_every_line_of_the_table_is_told_of():
    rows_of_text = {row for paragraph in PARAGRAPHS if paragraph.startswith("| ") for row in source_of(paragraph)}
    rows = [row for row in TABLES["table.md"].splitlines() if row.count("|") == 8][2:]
    assert len(rows) == 84
    assert [row for row in rows if row not in rows_of_text] == []


def test_what_differs_is_what_the_text_says():
    rows = [row for row in TABLES["table.md"].splitlines() if "| no |" in row]
    assert sum("in general" in row and "by the printed figures of both seats" in row for row in rows) == 5
    assert [row for row in rows if "in general" not in row] == [
        row for row in rows if "36 against 52, hold at 36 first" in row
    ]
    for row in rows:
        if "in general" in row:  # rounded twice, and so by the report's own formula right
            published = re.search(r"general \| ([\d.]+)", row).group(1)
            by_seats = re.search(r"([\d.]+) by the printed", row).group(1)
            assert round(float(by_seats) + 1e-9, 4) == float(published)


def test_the_tables_and_pictures_it_names_are_there():
    links = re.findall(r"\]\(([\w/.]+)\)", README)
    assert len(links) > 15
    assert [name for name in links if not (PLACE / name).exists()] == []
    assert {f"pictures/{path.name}" for path in (PLACE / "pictures").iterdir()} <= set(links)
    assert set(TABLES) <= set(links)


def test_the_matches_expected_outside_are_those_of_the_games_that_are_named():
    rows = [row.strip("| ").split(" | ") for row in TABLES["fair.md"].splitlines()]
    shares = {row[0]: float(row[-1].strip()) for row in rows if row[0].startswith(("expected", "chance"))}
    for games, within in (("1,537", "so many games"), ("3,000", "3,000 games")):
        expected = shares[f"expected outside of 100 matches of {games} games"]
        assert expected == pytest.approx(100 * (1 - shares[f"chance to lie within, in {within}"]), abs=0.006)
        assert f" {expected:.2f}".replace(" 0.", " .") in README.split("## The fair test")[1].split("\n\n")[1]
