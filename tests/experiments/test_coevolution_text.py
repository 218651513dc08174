"""Every figure of the README of co-evolution is one of the tables beside it, and the tables follow from the kept rows."""

import re

import pytest

from pigevo.studies.find import experiments_folder, load_study
from tests.experiments.prose import not_called_open, numbers, paragraphs, rows_of, told_rows, unfounded

load_study("coevolution")
from pigevo_study_coevolution import (  # noqa: E402
    disengagement,
    fitnessless,
    generalised,
    interaction,
    kept,
    matches,
    matrices,
    memories,
    study,
    tables,
    tops,
)

PLACE = experiments_folder() / "coevolution"
README = (PLACE / "README.md").read_text()
TABLES = {
    path.name: path.read_text() for path in PLACE.glob("*.md") if path.name not in ("README.md", "predictions.md")
}
PARAGRAPHS = [one for one in paragraphs(README) if numbers(one) and not one.startswith("|")]
PARTS = {
    "interaction": (interaction.measured, interaction.as_markdown, interaction.verdicts),
    "fitnessless": (fitnessless.measured, fitnessless.as_markdown, fitnessless.verdicts),
    "memories": (memories.measured, memories.as_markdown, memories.verdicts),
    "generalised": (generalised.measured, generalised.as_markdown, generalised.verdicts),
    "tops": (tops.measured, tops.as_markdown, tops.verdicts),
    "disengagement": (disengagement.measured, disengagement.as_markdown, disengagement.verdicts),
    "games": (matches.measured, lambda games, sizes: matches.games_as_markdown(games), lambda games, sizes: []),
    "sizes": (matches.measured, lambda games, sizes: matches.sizes_as_markdown(sizes),
              lambda games, sizes: matches.verdicts(sizes)),
    "matrices": (matrices.measured, matrices.as_markdown, matrices.verdicts),
}  # fmt: skip


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
    for verdict in verdicts(*rows):
        assert f"| {' | '.join(verdict)} |" in TABLES["claims.md"]


def rows(table, *beginnings):
    return [(f"{table}.md", one) for one in beginnings]


TEN, TWENTY, FORTY = "Pig to 10, 2 sides", "Pig to 20, 3 sides", "Pig to 40, 4 sides"
MEMORIES = [f"t40-d4-c4-exact | {one}" for one in memories.MEMORIES]
SOURCES = {
    "Papers on": [],
    "**Pig to 100": rows("fitnessless", ""),
    "- A setting is": [],
    "- A claim": [],
    "*Our question*": [],
    "Hevia Fajardo": [],
    "- **Bilinear**": rows("interaction", "0.5 | 0.5 |"),
    "- **Pig**": rows("claims", "worst or mean | on Pig"),
    "- **The choices**": rows("interaction", "t20-d3-c2-exact | 30 | worst", "t10-d2-c1-exact | 10 | worst"),
    "Jaśkowski": [],
    "- **The condition**": rows("fitnessless", *(f"{one} | {kind}" for one in (TEN, TWENTY, FORTY)
                                                 for kind in ("random", "near the optimum"))),
    "- **Populations that": [*rows("fitnessless", *(f"{one} | evolved" for one in (TEN, TWENTY, FORTY))),
                             *rows("claims", "fitnessless | where winning is transitive")],
    "- **The theorem**": rows("claims", "fitnessless | where winning is transitive"),
    "- **What is selected**": rows("fitnessless", f"{TWENTY} | random | 20"),
    "- **Games** hide": rows("fitnessless", f"{TWENTY} | near the optimum | 20", f"{TWENTY} | random | 20"),
    "Ficici": [],
    "- **It is better": rows("claims", "memories | Nash memory is better than the dominance tournament |"),
    "- **Beside the": rows("claims", "memories | Nash memory is better than the hall of fame |"),
    "- **Most of": [*rows("memories", *MEMORIES),
                    *rows("claims", "memories | Nash memory is better than the hall of fame")],
    "- **A dominance": rows("claims", "memories | Nash memory is better than the dominance tournament, 1"),
    "Chong": [],
    "- **The bound holds**": rows("generalised", "Piglet to 3, all 512 strategies | 0.0036", f"{TEN}, all 1,024 strategies in blocks | 0.0"),
    "- **With single": rows("generalised", "Piglet to 3, all 512 strategies | 0.0036"),
    "- **Who generalises": rows("generalised", "Piglet to 3, all 512 strategies | generalises best",
                                "Piglet to 3, all 512 strategies | least exploitable"),
    "Czarnecki": [],
    "- **Mixtures**": rows("tops", f"{TWENTY}, mixtures | 300", f"{FORTY}, mixtures | 300"),
    "- **All 512": rows("tops", "Piglet to 3, all 512 strategies | 512"),
    "- **All 1,024": rows("tops", f"{TEN}, all 1,024 strategies in blocks | 1024"),
    "One population": [],
    "- **The gradient": [*rows("disengagement", "0.5 |", "1.0 |"), *rows("claims", "disengagement | the fitness")],
    "- **It turns": rows("disengagement", "0.5 |", "1.0 |"),
    "- **With ten": [*rows("disengagement", "0.5 |", "1.0 |"), *rows("claims", "disengagement | learners gain less, with 10")],
    "Branke": [],
    "- **Neither end": rows("games", "children only"),
    "- **Where winners": rows("games", "winners stay"),
    "- From 60": rows("games", "children only"),
    "Fitzpatrick": rows("sizes", "children only"),
    "- **At equal games": rows("claims", "larger populations | a larger population"),
    "- **Up to 64": rows("claims", "larger populations | it is better up to", "larger populations | it is better from"),
    "- **Without luck": rows("claims", "larger populations | it is better without luck"),
    "The memories of": [],
    "- **Intransitive": [*rows("matrices", "intransitive numbers"), *rows("claims", "matrix games | on matrix games Nash memory is better than the hall of fame |")],
    "- **A circle": rows("matrices", "a circle | Nash"),
    "- **Rock": rows("matrices", "rock, paper"),
    "A member of": [],
    "- **Common dice**": rows("noise", "fixed | common | 2,000", "fixed | own | 2,000"),
    "- **Sequential": rows("noise", "halving | common | 2,000", "halving | own | 2,000"),
    "- **A race**": rows("noise", "racing | common | 2,000", "racing | own | 2,000", "fixed | common | 2,000", "fixed | own | 2,000"),
    "What was changed": [],
    "A verdict follows": [],
    "Intervals are": [],
}  # fmt: skip
"""How each paragraph begins, and the rows that it tells of."""
YEARS = {"1982", "1987", "1988", "1997", "2001", "2002", "2003", "2004", "2008", "2016", "2020", "2023", "2025"}
VOLUMES = {"3", "12", "87"}
SETTINGS = {"0", "20", "95 %", ".05", "10", "1", "2", "5", "6", "30", "40", "50", "60", "100", "200", "600", "16", "256", "800", "160", "12,000",
            "120,000", ".01", "5 %", "8", "61", "3", "64"}  # fmt: skip
KNOWN = YEARS | VOLUMES | SETTINGS
"""What no table has."""


@pytest.mark.parametrize("paragraph", PARAGRAPHS, ids=lambda text: text[:40])
def test_every_number_is_that_of_a_row(paragraph):
    told = told_rows(paragraph, SOURCES, TABLES)
    assert unfounded(paragraph, told, KNOWN) == []
    assert not_called_open(paragraph, told) == []


INTERVAL = re.compile(r"\(([+-][\d.]+) to ([+-][\d.]+)\)")


@pytest.mark.parametrize("table", ["interaction", "memories", "games", "sizes", "disengagement"])
def test_an_interval_leaves_0_out_where_its_verdict_is_settled_and_only_there(table):
    differences = [line for line in TABLES[f"{table}.md"].splitlines() if INTERVAL.search(line)]
    assert len(differences) >= 5
    for line in differences:
        low, high = map(float, INTERVAL.search(line).groups())
        assert (low <= 0 <= high) == bool(re.search(r"\bopen \|$", line)), line


@pytest.mark.parametrize("table", sorted(TABLES))
def test_no_interval_reaches_beyond_what_its_figure_can_be(table):
    """All that is printed without a sign is a share, a loss or a count."""
    assert not re.search(r"[| ]\(?-[\d.]+ to [\d.]+\)", TABLES[table])


def figure(table, row, column):
    """The first number of a cell."""
    (line,) = rows_of(TABLES, rows(table, row))
    return numbers(line.split("|")[column])[0].value


def test_sentences_that_compare_say_what_the_tables_say():
    random, near = (f"{TWENTY} | {kind} | 20" for kind in ("random", "near the optimum"))
    from_fitness, with_games = 9, 10
    assert figure("fitnessless", near, with_games) > figure("fitnessless", near, from_fitness)
    assert figure("fitnessless", random, with_games) < figure("fitnessless", random, from_fitness)


def test_the_verdicts_of_the_readme_are_those_of_the_rules():
    said = re.findall(r"^\| \d \| (.*?) \| (.*?) \| (.*?) \|$", README, re.M)
    assert len(said) == TABLES["claims.md"].count("\n") - 2
    for claim, whose, verdict in said:
        (row,) = [line for line in TABLES["claims.md"].splitlines() if f"| {claim} |" in line]
        assert row.split(" | ")[2:4] == [whose, verdict]
        assert verdict.startswith((tables.HOLDS, tables.FAILS, tables.UNDECIDED))


def test_the_title_says_which_games_there_are():
    assert README.startswith("# Claims about co-evolution, on small games of Pig and on matrix games\n")
    assert "**Pig to 100 with six sides is not among the games.**" in README
