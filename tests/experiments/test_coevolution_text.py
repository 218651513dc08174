"""Every figure of the README of co-evolution is one of the tables beside it, and the tables follow from the kept rows."""

import re

import pytest

from pigevo.studies.find import experiments_folder, load_study
from tests.experiments.prose import numbers, paragraphs, told_rows, unfounded

load_study("coevolution")
from pigevo_study_coevolution import (  # noqa: E402
    disengagement,
    fitnessless,
    generalised,
    interaction,
    kept,
    matches,
    memories,
    study,
    tables,
    tops,
)

PLACE = experiments_folder() / "coevolution"
README = (PLACE / "README.md").read_text()
TABLES = {path.name: path.read_text() for path in PLACE.glob("*.md") if path.name not in ("README.md", "predictions.md")}
PARAGRAPHS = [one for one in paragraphs(README) if numbers(one) and not one.startswith("|")]
PARTS = {
    "interaction": (interaction.measured, interaction.as_markdown, interaction.verdicts),
    "fitnessless": (fitnessless.measured, fitnessless.as_markdown, fitnessless.verdicts),
    "memories": (memories.measured, memories.as_markdown, memories.verdicts),
    "generalised": (generalised.measured, generalised.as_markdown, generalised.verdicts),
    "tops": (tops.measured, tops.as_markdown, tops.verdicts),
    "disengagement": (disengagement.measured, disengagement.as_markdown, disengagement.verdicts),
    "games": (matches.measured, lambda games, sizes: matches.games_as_markdown(games), matches.verdicts),
    "sizes": (matches.measured, lambda games, sizes: matches.sizes_as_markdown(sizes), matches.verdicts),
}


@pytest.fixture(autouse=True)
def nothing_is_computed(monkeypatch):
    def refuse(work, keys, workers):
        assert not keys, f"{len(keys)} rows are missing: {keys[:2]}"
        return iter(())

    monkeypatch.setattr(kept, "_done", refuse)


@pytest.mark.parametrize("part", PARTS)
def test_tables_and_verdicts_follow_from_the_kept_rows(part):
    measured, as_markdown, verdicts = PARTS[part]
    rows = measured(PLACE, study.MOST_SEEDS, 1)
    rows = rows if isinstance(rows, tuple) else (rows,)
    assert as_markdown(*rows) == TABLES[f"{part}.md"]
    for claim, verdict in verdicts(*rows):
        assert f"| {claim} | {verdict} |" in TABLES["claims.md"]


def rows(table, *beginnings):
    return [(f"{table}.md", one) for one in beginnings]


ALL = ""
KNOWN = {"20", "95 %", "10", "1", "2", "100"}
"""How many seeds there are, of what confidence intervals are, and settings."""

SOURCES = {}
"""How each paragraph begins, and the rows that it tells of."""


@pytest.mark.parametrize("paragraph", PARAGRAPHS, ids=lambda text: text[:40])
def test_every_number_is_that_of_a_row(paragraph):
    assert unfounded(paragraph, told_rows(paragraph, SOURCES, TABLES), KNOWN) == []


def test_the_verdicts_of_the_readme_are_those_of_the_rules():
    said = re.findall(r"^\| \d \| (.*?) \| (.*?) \|$", README, re.M)
    assert len(said) == TABLES["claims.md"].count("\n") - 2
    for claim, verdict in said:
        (row,) = [line for line in TABLES["claims.md"].splitlines() if f"| {claim} |" in line]
        assert row.split(" | ")[2].startswith(verdict)
        assert verdict in (tables.HOLDS, tables.FAILS, tables.UNDECIDED)
