"""The paper, the report and the page of publications: every number and row stands in a study, and what is cited is one thing."""

import re
import tomllib
from datetime import date
from pathlib import Path
from statistics import fmean

import pytest

import pigevo
from pigevo.experiments import experiments_folder, load_study, study_names
from tests.docs.pages import DOCS

ROOT = Path(__file__).parents[2]
PAPER = ROOT / "docs/paper"
PAGES = sorted(PAPER.glob("*.md"))
TYPED = {"100", "120", "50", "3", "61", "62", "2018", "2016", "1", ".5", "22", "2026"}
"""Numbers that are no results: targets, years, faces of a die, a date."""


@pytest.fixture
def figures(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs/_ext"))
    import study_figures

    return study_figures


def test_one_title_and_one_version():
    cited = (ROOT / "CITATION.cff").read_text()
    title = re.search(r'^title: "(.+)"$', cited, flags=re.M)[1]
    described = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["description"]
    assert title.casefold() == f"pigevo: {described}".casefold()
    assert f"\ntitle: '{title}'\n" in (PAPER / "paper.md").read_text()
    assert f"\nversion: {pigevo.__version__}\n" in cited


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_number_is_typed_by_hand_and_every_name_has_a_figure(page, figures):
    text = page.read_text()
    names = re.findall(r"\{\{ (.+?) \}\}", text)
    assert len(names) > 8
    assert all(figures.figure(name).strip() for name in names)
    typed = re.sub(r"\{\{ .+? \}\}|\[@[^]]+\]|^---\n.*?^---\n|`[^`]+`", "", text, flags=re.M | re.S)
    assert set(re.findall(r"(?<![\w.])\.?\d[\d.,]*(?<![.,])", typed)) <= TYPED
    assert "{{" not in figures.filled(text)


def test_figures_are_those_of_the_tables(figures):
    assert figures.figure("three: first") == "0.3655931 to 0.3655939"
    low, high = map(float, figures.figure("three: second").split(" to "))
    last = figures.rows("bonnet2018/bounds.csv")[-1]
    assert low <= float(last["second_low"]) < float(last["second_high"]) <= high
    assert figures.figure("rules: best with three") in figures.rules_table()
    assert len(figures.targets_table().splitlines()) == 8
    with pytest.raises(ValueError, match="no figure 'three: fourth'"):
        figures.filled("{{ three: fourth }}")


def test_figures_of_learning_are_means_of_its_runs(figures):
    runs = [row for row in figures.rows("learning/runs.csv") if row["game"] == "Pig to 100" and row["loss 5"]]
    means = {
        name: fmean(float(row["loss 5"]) for row in runs if row["contestant"] == name)
        for name in {row["contestant"] for row in runs}
    }
    assert float(figures.figure("learning: twins")) == pytest.approx(means["evolution, twins"], abs=6e-6)
    learners = [loss for name, loss in means.items() if not name.startswith("evolution") and name != "die alone"]
    assert float(figures.figure("learning: next")) == pytest.approx(min(learners), abs=6e-6)
    contestants = [line.split(" | ")[0].strip("| ") for line in figures.learning_table().splitlines()[2:]]
    assert contestants == list(dict.fromkeys(row["contestant"] for row in figures.rows("learning/runs.csv")))


def test_figures_of_the_reconstruction_are_means_of_its_runs(figures):
    runs = [
        row for row in figures.rows("reconstruction/runs.csv") if (row["group"], row["curve"]) == ("cubes", "figure 14")
    ]
    for what in ("highest 1", "at 60"):
        found = figures.of_figure_14(what)
        for reading in {row["reading"] for row in runs}:
            values = [float(row["value"]) for row in runs if (row["reading"], row["figure"]) == (reading, what)]
            assert float(found[reading].split(" (")[0]) == pytest.approx(fmean(values), abs=6e-4)
    readings = {line.split(" | ")[0] for line in figures.reconstruction_table().splitlines()[2:]}
    assert readings == {f"| {row['reading']}" for row in runs}


def test_the_paper_cites_what_its_bibliography_has_and_all_of_it(figures):
    text, works = (PAPER / "paper.md").read_text(), (PAPER / "paper.bib").read_text()
    cited = set(re.findall(r"@(\w+)", text.split("---\n", 2)[2]))
    assert cited == set(figures.sources(works))
    page = figures.as_page(text, works)
    assert page.startswith("# pigevo: a genetic-algorithm laboratory")
    assert "(Fink 1964; Takahashi 1964)" in page
    assert "[@" not in page
    assert len(re.findall(r"^- .+ \(\d{4}\)\. .+\*\.(?: <https://.+>)?$", page, flags=re.M)) == len(cited)
    assert page.count("<https://doi.org/10.") == works.count("\n  doi = {10.") > 5


def test_the_paper_has_the_parts_that_joss_asks_for():
    text = (PAPER / "paper.md").read_text()
    _, header, body = text.split("---\n", 2)
    assert set(re.findall(r"^(\w+):", header, flags=re.M)) == {
        "title", "tags", "authors", "affiliations", "date", "bibliography",
    }  # fmt: skip
    parts = re.findall(r"^# (.+)$", body, flags=re.M)
    assert parts[:3] == ["Summary", "Statement of need", "State of the field"]
    assert parts[-1] == "References"
    assert 250 <= len(body.split()) <= 1000


def test_author_and_date_are_those_of_the_citation():
    cited, text = (ROOT / "CITATION.cff").read_text(), (PAPER / "paper.md").read_text()
    authors = re.findall(r'^  - name: "(.+)"$', cited, flags=re.M)
    assert authors == re.findall(r"^  - name: (.+)$", text.split("affiliations:")[0], flags=re.M)
    released = date.fromisoformat(re.search(r"^date-released: (.+)$", cited, flags=re.M)[1])
    assert f"\ndate: {released.day} {released:%B %Y}\n" in text


PAGE = (DOCS / "reference" / "publications.md").read_text()
VERDICTS = re.findall(r"^\| ([a-z ]+) \|", PAGE.partition("## ")[0], flags=re.M)[1:]
ROWS = [
    pytest.param(*cells, id=cells[0])
    for line in PAGE.partition("## ")[2].splitlines()
    if line.startswith("| ") and (cells := [cell.strip() for cell in line.strip("|").split(" | ")])[0] != "item"
]
DRAWN = re.compile(r"`pigevo study (\w+) --figure (\w+)`")
COMMAND = re.compile(r"`(?:python -m )?pigevo[ .]")
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
    assert COMMAND.search(source) or CITED.search(source)
    assert verdict.startswith(tuple(VERDICTS))
    assert not re.search(r"[Nn]ot done\b[^:;,]*($|;)", verdict)  # it says why
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
