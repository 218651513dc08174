"""The study of co-evolution: from beginning to end, its rows and verdicts, and its worlds."""

import csv

import numpy as np
import pytest

import pigevo
from experiments.coevolution.tests.cases import SMALL
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
    noise,
    sizes,
    study,
    tops,
    worlds,
)
from pigevo.experiments.common.tables import read_sections


@pytest.fixture
def tiny(monkeypatch):
    """The study with next to nothing to do."""
    for module, name, value in (
        (interaction, "STEPS", 20), (interaction, "BUDGET", 1800), (memories, "BUDGET", 800), (sizes, "SIZES", (4, 8)),
        (sizes, "NOISY", ((sizes.SHORT, sizes.STAY, 80),)), (sizes, "EXACT", ((sizes.SHORT, sizes.CHILDREN, -40),)),
        (sizes, "GENERATIONS", 2), (disengagement, "GENERATIONS", 1), (disengagement, "SHARES", (0.5, 1.0)),
        (fitnessless, "GENERATIONS", 1), (tops, "MIXTURES", 30), (tops, "EXHAUSTED", {}), (generalised, "SAMPLES", 2),
        (generalised, "WORLDS", {"small": SMALL}), (generalised, "TESTS", (5, 9)), (matrices, "BUDGET", 600),
        (sizes, "ASKED", {"a larger population is better": sizes.Asked(
            "somebody", ((sizes.SHORT, sizes.STAY, 80), (sizes.SHORT, sizes.CHILDREN, -40)), "less", 4, 8)}),
        (authors, "GENERATIONS", 20), (authors, "STEPS", 20), (authors, "LENGTHS", (50,)),
    ):  # fmt: skip
        monkeypatch.setattr(module, name, value)
    monkeypatch.setattr(study, "find_spec", lambda name: None)
    monkeypatch.setattr(fitnessless, "WORLDS", {worlds.TEN.name: worlds.TEN})
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


PLACE = experiments_folder() / "coevolution"


@pytest.mark.slow
def test_every_way_spends_as_many_games():
    cells = noise.table(2, 1, (120,))
    assert len({(cell.way, cell.common, cell.generations) for cell in cells}) == len(cells) == 10
    for cell in cells:
        assert 0.7 * 2400 < cell.found.games <= 2400, cell
        assert cell.found.times == 2
    rows = list(csv.DictReader(noise.as_csv(cells).splitlines()))
    assert [row["way"] for row in rows] == [cell.way.partition(":")[0] for cell in cells]
    assert len(noise.as_markdown(cells).splitlines()) == 2 + 10 + 2


def test_the_truth_is_exact_and_the_chance_falls_with_the_games():
    own, opponent, truth = noise.members()
    assert truth[3] == pigevo.win_probability(own[3], opponent).overall
    chances = [chance for _, chance in noise.exact()]
    assert 1 - 1 / len(own) > chances[0] > chances[1] > chances[2] > 0


def test_the_kept_table_is_that_of_its_figures():
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


def test_a_world_has_the_truth():
    genomes = SMALL.everything()
    assert genomes.shape == (2**SMALL.genes, SMALL.genes)
    assert len(np.unique(genomes, axis=0)) == len(genomes)
    strategies = [SMALL.grid.strategy(one) for one in genomes]
    np.testing.assert_allclose(SMALL.matrix(genomes), pigevo.win_matrix(strategies), atol=1e-12)
    best = pigevo.optimal(SMALL.grid.game).strategy
    won = [pigevo.win_probability(one, best).overall for one in strategies]
    np.testing.assert_allclose(SMALL.against_optimum(genomes), won, atol=1e-12)
    assert SMALL.exploitability(SMALL.best) < 1e-12
    assert SMALL.exploitability(1 - SMALL.best) > 0.01


@pytest.mark.parametrize("world", [worlds.TEN, worlds.TWENTY, worlds.FORTY], ids=lambda one: one.name)
def test_in_every_world_there_is_something_to_find(world):
    assert 0.1 < world.best.mean() < 0.9
    assert world.exploitability(world.best) < 0.01
