"""Every figure of the README of co-evolution is one of the tables beside it, and the tables follow from the kept rows."""

import csv
import re

import pytest

from pigevo.studies.find import experiments_folder, load_study
from tests.experiments.prose import not_called_open, numbers, paragraphs, rows_of, told_rows, unfounded

load_study("coevolution")
from pigevo_study_coevolution import (  # noqa: E402
    authors,
    disengagement,
    fitnessless,
    generalised,
    interaction,
    kept,
    matrices,
    memories,
    sizes,
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
    "interaction": interaction,
    "fitnessless": fitnessless,
    "memories": memories,
    "generalised": generalised,
    "tops": tops,
    "disengagement": disengagement,
    "sizes": sizes,
    "matrices": matrices,
    "authors": authors,
}


@pytest.fixture(autouse=True)
def nothing_is_computed(monkeypatch):
    def refuse(work, keys, workers):
        assert not keys, f"{len(keys)} rows are missing: {keys[:2]}"
        return iter(())

    monkeypatch.setattr(kept, "_done", refuse)


@pytest.mark.parametrize("part", PARTS)
def test_tables_and_verdicts_follow_from_the_kept_rows(part):
    module = PARTS[part]
    rows = module.measured(PLACE, study.MOST_SEEDS, 1)
    rows = rows if isinstance(rows, tuple) else (rows,)
    assert module.as_markdown(*rows) == TABLES[f"{part}.md"]
    for verdict in module.verdicts(*rows) if hasattr(module, "verdicts") else ():
        assert f"| {' | '.join(verdict)} |" in TABLES["claims.md"]


def test_the_seeds_that_decide_are_fresh():
    for name in (*PARTS, "interaction_bilinear", "authors_numbers", "authors_memories", "authors_bilinear"):
        if (PLACE / f"{name}.csv").exists() and name != "tops":
            seeds = {int(row["seed"]) for row in csv.DictReader((PLACE / f"{name}.csv").open())}
            assert min(seeds) >= kept.FIRST


def test_what_a_theorem_says_is_so():
    """Where winning is transitive the knockout is a tournament; no estimate misses more often than its bound."""
    transitive = {key: one for key, one in fitnessless.measured(PLACE, study.MOST_SEEDS, 1).items() if one["order"]}
    assert len(transitive) > 90
    assert max(one[f"by wins {n}"] for one in transitive.values() for n in (2, 4)) < 1e-12
    missed, _ = generalised.measured(PLACE, study.MOST_SEEDS, 1)
    for (_, tests), found in tables.by_setting(missed, 2).items():
        for error in generalised.ERRORS:
            assert found[f"most {error}"].mean() <= generalised.chebyshev(generalised.LARGEST, int(tests), error)


def rows(table, *beginnings):
    return [(f"{table}.md", one) for one in beginnings]


TEN, TWENTY, FORTY = "Pig to 10, 2 sides", "Pig to 20, 3 sides", "Pig to 40, 4 sides"
MEMORIES = [f"t40-d4-c4-exact | {one}" for one in memories.MEMORIES]
SOURCES = {
    "**Question.**": [],
    "**Prediction.**": [],
    "**Method.**": [],
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
    "- **Populations that": rows("fitnessless", *(f"{one} | evolved" for one in (TEN, TWENTY, FORTY))),
    "- **What is selected**": rows("fitnessless", f"{TWENTY} | random | 40"),
    "- **Games** hide": rows("fitnessless", f"{TWENTY} | near the optimum | 40", f"{TWENTY} | random | 40"),
    "Ficici": [],
    "- **It is better": rows("claims", "memories | Nash memory is better than the dominance tournament |"),
    "- **Beside the": rows("claims", "memories | Nash memory is better than the hall of fame |"),
    "- **Most of": [*rows("memories", *MEMORIES),
                    *rows("claims", "memories | Nash memory is better than the hall of fame")],
    "- **A dominance": rows("claims", "memories | Nash memory is better than the dominance tournament, 1"),
    "Chong": [],
    "**Rock, paper": rows("matrices", *authors.MEMORIES),
    "- **The bound**": rows("generalised", "Piglet to 3, all 512 strategies | 0.0036", f"{TEN}, all 1,024 strategies in blocks | 0.0"),
    "- **Who generalises": rows("generalised", "Piglet to 3, all 512 strategies | generalises best",
                                "Piglet to 3, all 512 strategies | least exploitable"),
    "Czarnecki": [],
    "- **Mixtures**": rows("tops", f"{TWENTY}, mixtures | 300", f"{FORTY}, mixtures | 300"),
    "- **All 512": rows("tops", "Piglet to 3, all 512 strategies | 512"),
    "- **All 1,024": rows("tops", f"{TEN}, all 1,024 strategies in blocks | 1024"),
    "One population": [],
    "- **The gradient": [*rows("disengagement", "0.5 |", "1.0 |"), *rows("claims", "disengagement | the fitness")],
    "- **It turns": [*rows("disengagement", "0.5 |", "1.0 |"), *rows("claims", "disengagement | learners gain less, with exact")],
    "- **With ten": [*rows("disengagement", "0.5 |", "1.0 |"), *rows("claims", "disengagement | learners gain less, with 10")],
    "Fitzpatrick": [],
    "- **At equal games": rows("claims", "larger populations | a larger population"),
    "- **Up to 64": rows("claims", "larger populations | it is better up to", "larger populations | it is worse from"),
    "- **Without luck": rows("claims", "larger populations | it is worse without luck"),
    "authors.md": [],
    "- **Watson": rows("authors", *authors.GAMES),
    "- **Ficici": rows("authors", authors.AGAINST),
    "- **A memory that": rows("claims", *(f"authors' settings | Nash memory is better than the {one}, numbers against each other"
                                          for one in memories.CLAIMED)),
    "- **Hevia": rows("authors", *(f"{bits} | mean" for bits in authors.LENGTHS)),
    "Twenty strategies": [],
    "- **Common dice**": rows("noise", "fixed | common | 2,000", "fixed | own | 2,000"),
    "- **Sequential": rows("noise", "halving | common | 2,000", "halving | own | 2,000"),
    "- **A race**": rows("noise", "racing | common | 2,000", "racing | own | 2,000", "fixed | common | 2,000", "fixed | own | 2,000"),
    "A verdict follows": [],
    "Seeds 0 to": [],
    "- **The games are small**": [],
    "- **What was chosen": [],
    "- **Seeds**": [],
    "- **Intervals**": [],
}  # fmt: skip
"""How each paragraph begins, and the rows that it tells of."""
YEARS = {"1982", "1987", "1988", "1997", "2001", "2002", "2003", "2004", "2008", "2016", "2020", "2023", "2025"}
VOLUMES = {"3", "12", "87"}
SETTINGS = {"0", "20", "95 %", ".05", "10", "1", "2", "5", "6", "30", "40", "50", "60", "100", "200", "600", "16", "256", "800", "160", "12,000",
            "120,000", ".01", "5 %", "8", "61", "3", "64", "7", "1000", "19", "31"}  # fmt: skip
KNOWN = YEARS | VOLUMES | SETTINGS
"""What no table has."""


@pytest.mark.parametrize("paragraph", PARAGRAPHS, ids=lambda text: text[:40])
def test_every_number_is_that_of_a_row(paragraph):
    told = told_rows(paragraph, SOURCES, TABLES)
    assert unfounded(paragraph, told, KNOWN) == []
    assert not_called_open(paragraph, told) == []


INTERVAL = re.compile(r"\(([+-][\d.]+) to ([+-][\d.]+)\)")


@pytest.mark.parametrize("table", ["interaction", "memories", "sizes", "disengagement"])
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
    random, near = (f"{TWENTY} | {kind} | 40" for kind in ("random", "near the optimum"))
    from_fitness, with_games = 10, 11
    assert figure("fitnessless", near, with_games) > figure("fitnessless", near, from_fitness)
    changed = figure("fitnessless", random, with_games) - figure("fitnessless", random, from_fitness)
    assert abs(changed) < 0.01


def test_the_verdicts_of_the_readme_are_those_of_the_rules():
    said = re.findall(r"^\| \d \| (.*?) \| (.*?) \| (.*?) \|$", README, re.M)
    assert len(said) == TABLES["claims.md"].count("\n") - 2
    for claim, whose, verdict in said:
        (row,) = [line for line in TABLES["claims.md"].splitlines() if f"| {claim} |" in line]
        assert row.split(" | ")[2:4] == [whose, verdict]
        assert verdict.startswith((tables.HOLDS, tables.FAILS, tables.UNDECIDED))


def test_the_title_says_which_games_there_are():
    assert README.startswith(
        "# Claims about co-evolution, on small games of Pig, on Pig to 100, and on games of numbers\n"
    )
    long = [line for line in TABLES["claims.md"].splitlines() if sizes.LONG in line]
    assert len(long) == 3
    assert all("larger populations" in line for line in long)
