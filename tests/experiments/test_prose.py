"""The reader of READMEs finds what is wrong."""

import pytest

from tests.experiments.prose import Number, not_called_open, numbers, open_claims, paragraphs, rows_of, unfounded

ROWS = [
    "| a, mutation 0.005 | b | 30 | +0.0486 (-0.0627 to +0.1115) | A |",
    "| c | d | 10 | -0.0083 (-0.0359 to +0.0143) | open |",
]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("by .049 (.032 to 1.063), p < 1e-17", [".049", ".032", "1.063", "1e-17"]),
        ("57.19 % of 2,000, -.036 to +.014", ["57.19 %", "2,000", "-.036", "+.014"]),
        ("In 2016, 10 of 30.", ["2016", "10", "30"]),
        ("v0.2 x5 a1", []),
    ],
)
def test_numbers_are_found_as_they_are_printed(text, found):
    assert [one.text for one in numbers(text)] == found


@pytest.mark.parametrize(
    ("said", "there", "same"),
    [(".049", "0.0486", True), (".048", "0.0486", False), ("0.5 %", "0.005", True), ("58.7368 %", "0.587368", True),
     ("58.74 %", "0.5873", False), (".145", "0.1445", True), (".14", "0.1445", True), ("1e-17", "3.5e-18", False), ("3e-18", "3.5e-18", True),
     (".023", "-0.0232", True), ("2,000", "2,000", True), (".20", "0.2", True)],
)  # fmt: skip
def test_a_number_is_that_of_a_row_when_rounded(said, there, same):
    assert Number(said).rounds(Number(there)) is same


def test_a_number_that_no_row_has_is_named():
    assert unfounded("At 0.5 % it falls by .049 with 30 seeds, not by .050, in 100 games.", ROWS) == [".050", "100"]
    assert unfounded("It falls by .049 in 100 games.", ROWS, ("100",)) == []


def test_what_is_open_must_be_called_so_and_nothing_claimed_of_it():
    assert not_called_open("Sets change -.008. It falls by .049.", ROWS) == ["Sets change -.008."]
    assert not_called_open("Sets change -.008 (open).", ROWS) == []
    assert open_claims("Sets change nothing (-.008, open). This is settled, and the best.") == [
        "Sets change nothing (-.008, open)."
    ]


def test_paragraphs_are_prose_and_rows_without_code_and_links():
    text = "# Of 1\n\nOne `2` [three 3](four4.md)\nand\n\n    pigevo 5\n\n| a | b |\n|---|---|\n| c 6 | d |\n\n```\n7\n```\n- e 8\n- f\n"
    assert paragraphs(text) == ["One three 3 and", "| a | b |", "| c 6 | d |", "- e 8", "- f"]


def test_a_row_that_is_not_there_is_told():
    with pytest.raises(AssertionError, match="t has no row that begins with 'x'"):
        rows_of({"t": "\n".join(ROWS)}, [("t", "c"), ("t", "x")])
