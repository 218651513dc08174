"""The reader of READMEs finds what is wrong."""

import pytest

from experiments.common.tests.prose import (
    Number,
    Rows,
    not_called_open,
    numbers,
    open_claims,
    paragraphs_with_scopes,
    unfounded,
)

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


README = """
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
    scopes = {text: rows.value.tolist() for text, rows in paragraphs_with_scopes(README, tables)}
    assert scopes == {
        "One three 3 and": [4],
        "| c 6 | d |": [4],
        "- e 8": [4, 51],
        "- g 9 (h)": [51],
        "10 five": [4, 50, 51, 52],
    }
    assert next(iter(paragraphs_with_scopes("11 [all](tables.md)", tables)))[1].value.tolist() == [4, 50, 51, 52, 6]
    assert next(iter(paragraphs_with_scopes("11", tables)))[1].value.tolist() == [4, 50, 51, 52, 6]
