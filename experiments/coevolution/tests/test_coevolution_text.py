"""The tables of co-evolution follow from its rows, and the claims of its README from the tables."""

import csv
import re

import pytest

from experiments.common.tests.prose import cells_of, numbers, readme_and_tables
from pigevo.experiments import experiments_folder
from pigevo.experiments.coevolution import (
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
README, TABLES = readme_and_tables("coevolution")
PARTS = {
    module.__name__.rpartition(".")[2]: module
    for module in (interaction, fitnessless, memories, generalised, tops, disengagement, sizes, matrices, authors)
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
    assert module.as_markdown(*rows) == TABLES[part]
    for verdict in module.verdicts(*rows) if hasattr(module, "verdicts") else ():
        assert f"| {' | '.join(verdict)} |" in TABLES["claims"]


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
    for (_, tests), result in tables.by_setting(missed, 2).items():
        for error in generalised.ERRORS:
            assert result[f"most {error}"].mean() <= generalised.chebyshev(generalised.LARGEST, int(tests), error)


INTERVAL = re.compile(r"\(([+-][\d.]+) to ([+-][\d.]+)\)")


@pytest.mark.parametrize("table", ["interaction", "memories", "sizes", "disengagement"])
def test_an_interval_leaves_0_out_where_its_verdict_is_settled_and_only_there(table):
    differences = [line for line in TABLES[table].splitlines() if INTERVAL.search(line)]
    assert len(differences) >= 5
    for line in differences:
        low, high = map(float, INTERVAL.search(line).groups())
        assert (low <= 0 <= high) == bool(re.search(r"\bopen \|$", line)), line


@pytest.mark.parametrize("table", sorted(TABLES))
def test_no_interval_reaches_beyond_what_its_figure_can_be(table):
    """All that is printed without a sign is a share, a loss or a count."""
    assert not re.search(r"[| ]\(?-[\d.]+ to [\d.]+\)", TABLES[table])


def test_sentences_that_compare_say_what_the_tables_say():
    """The columns are the distances of the knockout's law from that of the true strength, exactly and with games."""
    exact, with_games = (
        [numbers(cells_of(TABLES["fitnessless"], f"Pig to 20, 3 sides | {kind} | 40")[0][column])[0].value
         for kind in ("near the optimum", "random")] for column in (9, 10)
    )  # fmt: skip
    assert with_games[0] > exact[0]
    assert abs(with_games[1] - exact[1]) < 0.01


def test_the_verdicts_of_the_readme_are_those_of_the_rules():
    printed = re.findall(r"^\| \d \| (.*?) \| (.*?) \| (.*?) \|$", README, re.M)
    assert sorted(printed) == sorted(tuple(cells[1:4]) for cells in cells_of(TABLES["claims"])[1:])
    for *_, verdict in printed:
        assert verdict.startswith((tables.HOLDS, tables.FAILS, tables.UNDECIDED))


def test_the_title_says_which_games_there_are():
    assert README.startswith(
        "# Claims about co-evolution, on small games of Pig, on Pig to 100, and on games of numbers\n"
    )
    long = [line for line in TABLES["claims"].splitlines() if sizes.LONG in line]
    assert len(long) == 3
    assert all("larger populations" in line for line in long)
