"""The study of co-evolution: from beginning to end, and its tables and README, which follow from its rows."""

import csv
import re
from types import SimpleNamespace

import numpy as np
import pytest

import pigevo
from experiments.coevolution.tests.test_coevolution_parts import SMALL
from experiments.common.tests.prose import cells_of, numbers, readme_and_tables
from pigevo.experiments import experiments_folder
from pigevo.experiments.coevolution import (
    authors,
    disengagement,
    generalised,
    interaction,
    kept,
    memories,
    noise,
    sizes,
    study,
    transitivity,
    worlds,
)
from pigevo.experiments.common.tables import read_sections

PLACE = experiments_folder() / "coevolution"
README, TABLES = readme_and_tables("coevolution")


@pytest.fixture
def tiny(monkeypatch):
    """The study with next to nothing to do."""
    for module, name, value in (
        (interaction, "STEPS", 20), (interaction, "BUDGET", 1800), (memories, "BUDGET", 800), (sizes, "SIZES", (4, 8)),
        (sizes, "NOISY", ((sizes.SHORT, sizes.STAY, 80),)), (sizes, "EXACT", ((sizes.SHORT, sizes.CHILDREN, -40),)),
        (sizes, "GENERATIONS", 2), (disengagement, "GENERATIONS", 1), (disengagement, "SHARES", (0.5, 1.0)),
        (transitivity, "GENERATIONS", 1), (transitivity, "MIXTURES", 30), (transitivity, "EXHAUSTED", {}), (generalised, "SAMPLES", 2),
        (generalised, "WORLDS", {"small": SMALL}), (generalised, "TESTS", (5, 9)), (memories, "MATRIX_BUDGET", 600),
        (sizes, "ASKED", {"a larger population is better": sizes.Asked(
            "somebody", ((sizes.SHORT, sizes.STAY, 80), (sizes.SHORT, sizes.CHILDREN, -40)), "less", 4, 8)}),
        (authors, "GENERATIONS", 20), (authors, "STEPS", 20), (authors, "LENGTHS", (50,)),
    ):  # fmt: skip
        monkeypatch.setattr(module, name, value)
    monkeypatch.setattr(study, "find_spec", lambda name: None)
    monkeypatch.setattr(transitivity, "WORLDS", {worlds.TEN.name: worlds.TEN})
    generalised.truth.cache_clear()
    yield
    generalised.truth.cache_clear()


@pytest.mark.slow
def test_the_study_writes_every_table_and_picture_and_goes_on(tiny, tmp_path, monkeypatch):
    study.run(tmp_path, 2, 1)
    names = {path.name for path in tmp_path.iterdir() if path.is_file()}
    parts = ["interaction", "fitnessless", "memories", "generalised", "tops", "disengagement", "sizes", "matrices"]
    assert {"claims", "authors", *parts} == set(read_sections(tmp_path))
    assert {f"{part}.csv" for part in [*parts, "authors_numbers", "authors_memories", "authors_bilinear"]} <= names
    pictures = {f"{one}.png" for one in ("bilinear", "tops", "generalised", "disengagement", "sizes")}
    assert {name for name in names if name.endswith(".png")} == pictures
    claims = read_sections(tmp_path)["claims"]
    assert claims.count("\n") > 15
    assert all(line.count(" | ") == 4 for line in claims.splitlines()[2:])
    before = {name: (tmp_path / name).read_bytes() for name in names if not name.endswith(".png")}
    monkeypatch.setattr(kept, "_done", lambda work, keys, workers: iter([] if not keys else [None]))
    study.run(tmp_path, 2, 1)
    assert before == {name: (tmp_path / name).read_bytes() for name in before}


def test_only_what_is_missing_is_computed(tmp_path):
    done = []

    def work(key):
        done.append(key)
        return {"sum": key[1] + 0.1, "twice": 2.0 * key[1]}

    path = tmp_path / "rows.csv"
    first = kept.kept(path, ("name", "seed"), [("a", 1), ("a", 2)], work)
    again = kept.kept(path, ("name", "seed"), [("a", 2), ("b", 3)], work)
    assert done == [("a", 1), ("a", 2), ("b", 3)]
    assert first == {("a", "1"): {"sum": 1.1, "twice": 2.0}, ("a", "2"): {"sum": 2.1, "twice": 4.0}}
    assert list(again) == [("a", "2"), ("b", "3")]
    assert again["a", "2"] == first["a", "2"]
    assert len(path.read_text().splitlines()) == 4


@pytest.mark.slow
def test_other_processes_find_the_same(tmp_path):
    keys = [(0.5, 0.5, "worst", seed) for seed in range(2)]
    names = ("alpha", "beta", "by", "seed")
    alone = kept.kept(tmp_path / "alone.csv", names, keys, interaction.on_bilinear)
    assert alone == kept.kept(tmp_path / "both.csv", names, keys, interaction.on_bilinear, 2)


@pytest.mark.slow
def test_every_way_to_spend_games_spends_as_many():
    cells = noise.table(2, 1, (120,))
    assert len({(cell.way, cell.common, cell.generations) for cell in cells}) == len(cells) == 10
    for cell in cells:
        assert 0.7 * 2400 < cell.found.games <= 2400, cell
        assert cell.found.times == 2
    rows = list(csv.DictReader(noise.as_csv(cells).splitlines()))
    assert [row["way"] for row in rows] == [cell.way.partition(":")[0] for cell in cells]
    assert len(noise.as_markdown(cells).splitlines()) == 2 + 10 + 2


def test_the_chance_to_select_wrongly_is_exact_and_falls_with_the_games():
    own, opponent, truth = noise.members()
    assert truth[3] == pigevo.win_probability(own[3], opponent).overall
    chances = [chance for _, chance in noise.exact()]
    assert 1 - 1 / len(own) > chances[0] > chances[1] > chances[2] > 0


def test_the_table_of_noise_is_that_of_its_figures():
    rows = list(csv.DictReader((PLACE / "noise.csv").open()))
    kept = read_sections(PLACE)["noise"]
    assert {row["games_each"] for row in rows} == {str(each) for each in noise.EACH}
    for row in rows:
        wrong = f"{float(row['wrong']):.3f} ({float(row['wrong_low']):.3f} to {float(row['wrong_high']):.3f})"
        lost = f"{float(row['lost']):.5f}"
        assert any(
            wrong in line and lost in line and f"| {row['way']}" in line and f"{int(row['games_each']):,}" in line
            for line in kept.splitlines()
        )
    assert np.isfinite([float(row["games"]) for row in rows]).all()


LEVELS = SimpleNamespace(measured=transitivity.measured_by_level, as_markdown=transitivity.levels_as_markdown,
                         verdicts=transitivity.verdicts_on_levels)  # fmt: skip
MATRICES = SimpleNamespace(measured=memories.measured_on_matrix, as_markdown=memories.matrix_as_markdown,
                           verdicts=memories.verdicts_on_matrix)  # fmt: skip
PARTS = {
    "interaction": interaction, "fitnessless": transitivity, "memories": memories, "generalised": generalised,
    "tops": LEVELS, "disengagement": disengagement, "sizes": sizes, "matrices": MATRICES, "authors": authors,
}  # fmt: skip


@pytest.fixture
def nothing_is_computed(monkeypatch):
    def refuse(work, keys, workers):
        assert not keys, f"{len(keys)} rows are missing: {keys[:2]}"
        return iter(())

    monkeypatch.setattr(kept, "_done", refuse)


@pytest.mark.parametrize("part", PARTS)
def test_tables_and_verdicts_follow_from_the_kept_rows(part, nothing_is_computed):
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


def test_what_a_theorem_says_is_so(nothing_is_computed):
    """Where winning is transitive the knockout is a tournament; no estimate misses more often than its bound."""
    transitive = {key: one for key, one in transitivity.measured(PLACE, study.MOST_SEEDS, 1).items() if one["order"]}
    assert len(transitive) > 90
    assert max(one[f"by wins {n}"] for one in transitive.values() for n in (2, 4)) < 1e-12
    missed, _ = generalised.measured(PLACE, study.MOST_SEEDS, 1)
    for (_, tests), result in kept.by_setting(missed, 2).items():
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
        assert verdict.startswith((kept.HOLDS, kept.FAILS, kept.UNDECIDED))


def test_the_title_says_which_games_there_are():
    assert README.startswith(
        "# Claims about co-evolution, on small games of Pig, on Pig to 100, and on games of numbers\n"
    )
    long = [line for line in TABLES["claims"].splitlines() if sizes.LONG in line]
    assert len(long) == 3
    assert all("larger populations" in line for line in long)
