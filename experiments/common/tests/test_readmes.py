"""Every figure of a study's README stands in a table beside it or in its settings; and the reader of READMEs finds what is wrong."""

import csv
import functools
import re

import pytest

from experiments.common.tests.prose import (
    INTERVAL,
    Number,
    Rows,
    blocks,
    not_called_open,
    numbers,
    open_claims,
    paragraphs_with_scopes,
    prose_of,
    readme_and_tables,
    settings_of,
    unfounded,
)
from pigevo.experiments import experiments_folder

KNOWN = {
    "benchmark": "0 1 5 5,000 100,000 2016",
    "bonnet2018": ".082 .55 0.076 0.34 .36559316 .36559390 0.58 0.75 0.83 0.88 1.20 1.39 1.45 1.86 2.09 2.6 3.54 4.50 4.6 1.2e-16 2.3e-16 "
    "13 16 18 24 25 35 36 39 44 54 57 89 96 99 123 140 152 161 192 197 237 298 580 595 1964 1991 2018 90,000 333,277 900,000",
    "budget": "0.05 0.1 0.3 .02 1 2 3 4 5 6 7 8 11 12 30 40 2016 82000 95 %",
    "coevolution": "6 7 8 12 25 31 60 64 87 12,000 1982 1987 1997 2002 2008 2016 2025",
    "exeter2016": ".0009 6 9 11 12 17 21 30 75 550 4,200 58.7368 % 90 % 95 %",
    "exeter2017": ".09 4 7 9 12 13 17 18 29 38 44 57 60 193 2017 3,000",
    "illumination": "-0.75 0.75 7 100 1000 2015 3,000 10,000 6000 6009 6029",
    "learning": "0.3 6,000 .0015 .05 2 6 7 8 11 12 14 24 .0001 7,200 25,000 240,000 .01 71000 1979 1988 1989 1992 2006 2009 2010 2015",
    "lineage": "2 3 4 5 10 20 100 1970 2016 19,000 47000 47029 95 %",
    "mutation_by_cube_size": "0 27 2016 95 %",
    "reconstruction": "4.75 4.1 4.3 8 11 12 13 16 17 18 19 20 40 55 90 150 250 2,000 60000 61000 62000",
    "rediscovery": "1.8 .005 .0074 .4925 .49609 .4973 4 9 20 21 208 416 998 1,206 2016 2018 10,000 10,820 21,620 24,000 "
    "48,000 880001 880030 993001 993030 995001 24 % 79.1 % 95 % 99.7 %",
    "rules": ".001 .00246 .08014 7 34 35 40 2010 2022",
    "structure": ".005 2 3 5 6 8 9 12 18 36 324 32000 32001 33000 33029",
    "ten_rounds": ".423142 .4958 .49982 .49985 1e-9 1e-12 36 120 200 400 2,200 39,602",
    "tuning": ".06 .10 .17 .42 .66 1 2 3 4 5 10 20 28 40 60 99 160 203 300 400 2016 6,000 10000 10029 19,000 300,000 319,000 95 %",
}
"""By study, the numbers that neither a table nor its settings have: years, seeds, and what other tests compute again."""


@pytest.mark.parametrize("study", KNOWN)
def test_every_figure_stands_in_a_table_and_what_is_open_is_called_so(study):
    readme, tables = readme_and_tables(study)
    settings = settings_of(experiments_folder() / study)
    known = {number.text for number in numbers(KNOWN[study])}
    wrong = {}
    for paragraph, rows in paragraphs_with_scopes(readme, tables):
        wrong[paragraph[:60]] = [
            *unfounded(paragraph, rows, settings, known),
            *not_called_open(paragraph, rows, known),
            *open_claims(paragraph),
        ]
    assert {paragraph: found for paragraph, found in wrong.items() if found} == {}


AS_PRINTED = re.compile(
    r"[-+]0\.\d{3}|\(0\.\d{3,} to |\b\d{4,} (?:games|generations|pairs|runs|steps|strategies|sweeps)|generation \d{4}"
)
"""Numbers as a program prints them: a zero before the point, and no commas."""


@pytest.mark.parametrize("study", KNOWN)
def test_numbers_of_sentences_are_written_as_prose(study):
    lines = (experiments_folder() / study / "README.md").read_text().splitlines()
    prose = re.sub(r"```.*?```|`[^`]*`", "", "\n".join(line for line in lines if not line.startswith("|")), flags=re.S)
    assert AS_PRINTED.findall(prose) == []


@pytest.mark.parametrize("study", KNOWN)
def test_links_of_the_readme_lead_to_files_and_every_picture_is_linked(study):
    folder = experiments_folder() / study
    links = set(re.findall(r"\]\(([\w/.-]+)(?:#[\w-]*)?\)", (folder / "README.md").read_text()))
    assert [link for link in links if not (folder / link).exists()] == []
    assert {f"pictures/{path.name}" for path in folder.glob("pictures/*")} <= links


DOCS = experiments_folder().parent / "docs"
SOURCE = re.compile(r"experiments/(\w+)")
PAGES = [path for path in sorted(DOCS.rglob("*.md")) if path.name != "promises.md" and SOURCE.search(path.read_text())]


@functools.cache
def everything_of(study):
    """The rows of all that a study states: its README, tables and CSV files."""
    readme, tables = readme_and_tables(study)
    files = [list(csv.reader(path.open())) for path in sorted((experiments_folder() / study).glob("*.csv"))]
    return Rows("\n".join([readme, *tables.values(), *("\n".join(map(" | ".join, lines)) for lines in files)]))


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(DOCS)))
def test_the_figures_of_a_page_that_names_a_study_are_those_of_the_study(page):
    """Or those that an example of the page prints, which another test runs."""
    text, wrong = page.read_text(), {}
    of_page = SOURCE.findall(" ".join(re.findall(r"numbers on this\s+page are from `experiments/\w+`", text)))
    printed = Rows("\n".join(re.findall(r"^```.*?^```", text, flags=re.M | re.S)))
    for section in re.split(r"^(?=#+ )", text, flags=re.M):
        studies = sorted({study for study in of_page + SOURCE.findall(section) if study in KNOWN})
        if not studies:
            continue
        sources = [*map(everything_of, studies), printed]
        for paragraph in map(prose_of, blocks(section)):
            figures = [number for number in numbers(paragraph) if number.is_figure]
            found = [number.text for number in figures if not any(rows.rows_of(number) for rows in sources)]
            for match in INTERVAL.finditer(paragraph):
                ends = [*map(Number, match.groups())]
                if not any(rows.have_interval(*ends) for rows in sources):
                    found.append(match[0])
            wrong |= {paragraph[:60]: found} if found else {}
    assert wrong == {}


TABLE = """
| a, mutation 0.005 | b | 30 | +0.0486 (-0.0627 to +0.1115) | A |
| c | d | 10 | -0.0083 (-0.0359 to +0.0143) | open |
| e | f | 12 | -0.0233 (-0.0407 to -0.0059) | B |
"""
ROWS, SETTINGS = Rows(TABLE), Rows("GAMES = 100")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("by .049 (.032 to 1.063), p < 1e-17", [".049", ".032", "1.063", "1e-17"]),
        ("57.19 % of 2,000, -.036 to +.014", ["57.19 %", "2,000", "-.036", "+.014"]),
        ("In 2016, 10 of 30.", ["2016", "10", "30"]),
        ("v0.2 x5 a1", []),
    ],
)
def test_numbers_are_found_as_they_are_printed(text, expected):
    assert [number.text for number in numbers(text)] == expected


@pytest.mark.parametrize(
    ("printed", "in_table", "same"),
    [(".049", "0.0486", True), (".048", "0.0486", False), ("0.5 %", "0.005", True), ("58.7368 %", "0.587368", True),
     ("58.74 %", "0.5873", False), (".145", "0.1445", True), (".14", "0.1445", True), ("1e-17", "3.5e-18", False), ("3e-18", "3.5e-18", True),
     (".023", "-0.0232", True), ("+.023", "-0.0232", False), ("2,000", "2,000", True), (".20", "0.2", True)],
)  # fmt: skip
def test_a_number_is_that_of_a_row_when_rounded(printed, in_table, same):
    assert bool(Rows(in_table).rows_of(Number(printed))) is same


@pytest.mark.parametrize(
    ("paragraph", "wrong"),
    [
        ("At 0.5 % it falls by .0486 with 30 seeds, not by .0485, in 100 games.", [".0485"]),
        ("It falls by .0486 with 10 seeds, in 99 games.", ["10", "99"]),  # 10 seeds are those of another row
        ("It rises by .0486 (-.0627 to +.1115), or falls by .0233 (.0059 to .0407).", []),
        ("It rises by .0486 (-.0627 to +.0143).", [".0486 (-.0627 to +.0143"]),
    ],
)
def test_a_number_or_an_interval_that_no_row_has_is_named(paragraph, wrong):
    assert unfounded(paragraph, ROWS, SETTINGS) == wrong


def test_what_is_open_must_be_called_so_and_nothing_claimed_of_it():
    assert not_called_open("Sets change -.0083. It falls by .0486.", ROWS) == ["Sets change -.0083."]
    assert not_called_open("Sets change -.0083 (open).", ROWS) == []
    assert open_claims("Sets change nothing (-.008, open). This is settled, and the best.") == [
        "Sets change nothing (-.008, open)."
    ]


EXAMPLE = """
# Title of 1

One `2` [three 3](tables.md#four)
and

    pigevo 5

| a | b |
|---|---|
| c 6 | d |

## Section

```
7
```
- e 8
- f
- g 9 ([h](tables.md#the-part-of-it))
## Another
10 [five](tables.md#five)
"""


def test_paragraphs_have_the_tables_of_their_sections_or_the_part_that_they_link_to():
    tables = {"four": "4", "five": "50\n### The part (of it)?\n51\n### Rest\n52", "six": "6"}
    scopes = {text: rows.value.tolist() for text, rows in paragraphs_with_scopes(EXAMPLE, tables)}
    assert scopes == {
        "One three 3 and": [4],
        "| c 6 | d |": [4],
        "- e 8": [4, 51],
        "- g 9 (h)": [51],
        "10 five": [4, 50, 51, 52],
    }
    assert next(iter(paragraphs_with_scopes("11 [all](tables.md)", tables)))[1].value.tolist() == [4, 50, 51, 52, 6]
    assert next(iter(paragraphs_with_scopes("11", tables)))[1].value.tolist() == [4, 50, 51, 52, 6]
