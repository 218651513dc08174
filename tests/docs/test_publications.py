"""The page of publications: every row is whole, and what it cites stands in the study that it names."""

import re

import pytest

from pigevo.experiments import experiments_folder, load_study, study_names
from tests.docs.pages import DOCS

PAGE = (DOCS / "reference" / "publications.md").read_text()
VERDICTS = re.findall(r"^\| ([a-z ]+) \|", PAGE.partition("## ")[0], flags=re.M)[1:]
ROWS = [
    pytest.param(*cells, id=cells[0])
    for line in PAGE.partition("## ")[2].splitlines()
    if line.startswith("| ") and (cells := [cell.strip() for cell in line.strip("|").split(" | ")])[0] != "item"
]
DRAWN = re.compile(r"`pigevo study (\w+) --figure (\w+)`")
CITED = re.compile(r"`(\w+/[\w.]+\.(?:md|csv))(?:#([\w-]+))?`")


def headings(text):
    """The anchors of the headings of a Markdown page, as GitHub makes them."""
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in re.findall(r"^#+ (.*)", text, re.M)}


def test_there_are_rows_and_verdicts():
    assert len(ROWS) > 100
    assert {"agrees", "differs", "open", "not done"} <= set(VERDICTS)


@pytest.mark.parametrize(("item", "source", "verdict"), ROWS)
def test_a_row_has_a_source_and_a_verdict_that_its_study_bears_out(item, source, verdict):
    assert item
    assert re.search(r"`|\]\(", source)
    assert verdict.startswith(tuple(VERDICTS))
    cited = ""
    for name, anchor in CITED.findall(f"{source} {verdict}"):
        text = (experiments_folder() / name).read_text()
        assert not anchor or anchor in headings(text)
        cited += text
    assert [figure for figure in re.findall(r"\.\d\d+", verdict) if cited and figure not in cited] == []


@pytest.mark.parametrize("name", study_names())
def test_every_figure_that_can_be_drawn_alone_has_its_command_in_a_row_and_no_other(name):
    cited = [figure for study, figure in DRAWN.findall(PAGE) if study == name]
    assert set(cited) == set(getattr(load_study(name), "SINGLE_FIGURES", {}))
