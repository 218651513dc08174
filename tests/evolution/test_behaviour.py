"""Diversity by entropy and by behaviour, and who plays alike."""

import itertools

import numpy as np
import pytest
from scipy import stats

import pigevo
from pigevo.dice import Draw
from pigevo.evolution.diversity import behavioural_diversity, entropy, visits_by_gene, ways_to_play
from tests.cases import sample

GAMES = {
    "pig": pigevo.Pig(target=14), "piglet": pigevo.Piglet(target=9), "passing": pigevo.Pig(target=9, allow_pass=True),
    "ten rounds": pigevo.games.GAMES["ten_rounds"].bind({"turns": 2, "cap": 12}),
}  # fmt: skip


@pytest.mark.parametrize(("n", "genes"), [(2, 1), (7, 40), (300, 5)])
def test_entropy_is_that_of_each_gene(n, genes):
    genomes = Draw(n, "population").bits(n, genes)
    share = genomes.mean(axis=0)
    expected = stats.entropy(np.stack([share, 1 - share]), base=2).mean()
    assert entropy(genomes) == pytest.approx(expected, abs=1e-12)
    assert entropy(np.ones((n, genes), np.uint8)) == 0
    assert entropy(genomes[:, :0]) == 0


@pytest.mark.parametrize("name", sample(GAMES, 0, 3))
@pytest.mark.parametrize("size", [1, (4, 3, 5), 50])
def test_diversity_by_behaviour_is_that_of_decisions_where_the_optimum_plays(name, size):
    game = GAMES[name]
    grid = pigevo.CubeGrid(game, size)
    genomes = Draw(5, "population").bits(5, grid.genes)
    best = pigevo.optimal(game).strategy
    weight = np.where(game.decision_states, pigevo.reach(best, best).overall, 0)
    members = [grid.strategy(genome) for genome in genomes]
    pairs = [((a.roll != b.roll) * weight).sum() / weight.sum() for a, b in itertools.combinations(members, 2)]
    visits = visits_by_gene(grid)
    assert visits.shape == (grid.genes,)
    assert visits.sum() == pytest.approx(weight.sum(), rel=1e-12)
    assert behavioural_diversity(genomes, visits) == pytest.approx(np.mean(pairs), abs=1e-12)


@pytest.mark.parametrize("name", sample(GAMES, 0))
def test_those_who_play_alike_do_so_in_every_game(name):
    game = GAMES[name]
    strategy, best = pigevo.hold_at(game, 4), pigevo.optimal(game).strategy
    decides = np.broadcast_to(game.decision_states, game.shape)
    visits = np.where(decides, pigevo.reach(strategy, best).overall, 0)
    once = strategy.roll.copy()
    once[np.unravel_index(visits.argmax(), visits.shape)] ^= True
    twin, other = pigevo.Strategy(game, strategy.roll ^ (decides & (visits == 0))), pigevo.Strategy(game, once)
    assert (twin.roll != strategy.roll).any()
    assert ways_to_play([strategy, other, twin, strategy]).tolist() == [0, 1, 0, 0]
    assert pigevo.win_probability(twin, best) == pigevo.win_probability(strategy, best)
    assert pigevo.win_probability(other, best) != pigevo.win_probability(strategy, best)


WORDS = ("debug=fast", "game.target=12", "population.size=6", "baseline=none", "figures=none", "generations=6")


def test_in_a_run_it_is_a_column_that_changes_nothing_else(tmp_path):
    plain = pigevo.evolve(*WORDS)
    run = pigevo.evolve(*WORDS, "checkpoint_every=1", behaviour=True, folder=tmp_path / "run")
    assert run.result["digest"] == plain.result["digest"]
    assert "behaviour" not in plain.metrics
    assert run.result["config_hash"] != plain.result["config_hash"]
    np.testing.assert_array_equal(run.metrics["entropy"], plain.metrics["entropy"])
    grid = pigevo.CubeGrid(pigevo.Pig(target=12), 1)
    genomes = grid.from_strategies(run.population)
    assert run.metrics["behaviour"][-1] == behavioural_diversity(genomes, visits_by_gene(grid))
    assert run.metrics["entropy"][-1] == entropy(genomes)


def test_the_hall_of_fame_of_a_run(tmp_path):
    run = pigevo.evolve(*WORDS, "record_every=1", folder=tmp_path / "run")
    in_memory = pigevo.evolve(*WORDS, "record_every=1").hall_of_fame
    hall = pigevo.load_run(tmp_path / "run").hall_of_fame
    values = [value for _, value in hall]
    assert values == sorted(values, reverse=True)
    assert values[0] == run.result["best_seen"]
    assert [strategy for strategy, _ in hall] == [strategy for strategy, _ in in_memory]
    best = pigevo.optimal(hall[0][0].game).strategy
    assert values == pytest.approx([pigevo.win_probability(strategy, best).overall for strategy, _ in hall], abs=1e-12)
    assert len({strategy.digest for strategy, _ in hall}) == len(hall) == 10
    assert run.ways_to_play.shape == (6,)
    (tmp_path / "run/checkpoint.npz").write_bytes(b"x")
    with pytest.raises(pigevo.errors.InputError, match=r"checkpoint\.npz"):
        _ = pigevo.load_run(tmp_path / "run").hall_of_fame
