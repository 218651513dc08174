"""Every figure of the README of rediscovery stands in a table beside it, or is known here."""

import pytest

from pigevo.studies.find import experiments_folder
from tests.experiments.prose import numbers, open_claims, paragraphs, rows_of, unfounded

PLACE = experiments_folder() / "rediscovery"
TABLES = {path.name: path.read_text() for path in PLACE.glob("*.md") if path.name != "README.md"}
TEXT = (PLACE / "README.md").read_text()
RESULTS = TEXT[TEXT.index("## Results") : TEXT.index("## What was tried")]
GOALS, REST = RESULTS.split("### What each ingredient")
INGREDIENTS, REST = REST.split("### Without an oracle")
ARCHIVES, REST = REST.split("### How a run forgets")
FORGETTING, REST = REST.split("### With exploring starts")
CONFIRMED, LEARNED = REST.split("### What evolution learned")
AUDIT = {"21,620", ".4985", ".4973", "77002", ".49609", "2,000", "95 %", ".88"}
"""Of the audit, and how seeds were drawn."""
KNOWN = {"77002", "880001", "880030", "1206", "9", "21", "10", "10,820", "50", "100", "21,620", "95 %", "20", "4", "0"}
SHOWN = {
    "goals.md": GOALS, "ingredients.md": INGREDIENTS, "archives.md": ARCHIVES, "forgetting.md": FORGETTING,
    "learned.md": LEARNED, "confirmation.md": CONFIRMED,
}  # fmt: skip
CASES = [(name, one) for name, text in SHOWN.items() for one in paragraphs(text) if numbers(one)]


@pytest.mark.parametrize(("name", "paragraph"), CASES, ids=[f"{name}: {one[:40]}" for name, one in CASES])
def test_every_number_is_that_of_a_row(name, paragraph):
    rows = TABLES[name].splitlines() + (TABLES["learned.md"].splitlines() if name == "archives.md" else [])
    assert unfounded(paragraph, rows, AUDIT | KNOWN if name == "goals.md" else KNOWN) == []


@pytest.mark.parametrize("paragraph", [one for _, one in CASES], ids=lambda text: text[:40])
def test_nothing_is_claimed_of_what_is_open(paragraph):
    assert open_claims(paragraph) == []


def test_the_headlines_are_those_of_the_least_run():
    for name, goal in (("rediscover", ".49982"), ("coevolve", ".49912")):
        (row,) = rows_of(TABLES, [("goals.md", f"{name} |")])
        cells = [cell.strip() for cell in row.strip("| ").split("|")]
        assert cells[1] == "30"
        assert f"0{goal}" == cells[3]
        assert f"runs of `{name}` wins {goal}" in " ".join(GOALS.split())
        assert cells[6].startswith("30 of 30")


def test_thirty_fresh_runs_with_exploring_starts_meet_the_goal():
    (row,) = rows_of(TABLES, [("confirmation.md", "coevolve exploring starts |")])
    cells = [cell.strip() for cell in row.strip("| ").split("|")]
    assert cells[1] == "30"
    assert cells[6].startswith("30 of 30")
    assert float(cells[3]) > float(cells[5])
    assert f"with exploring starts wins {cells[3][1:]}" in " ".join(CONFIRMED.split())
