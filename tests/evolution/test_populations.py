"""First populations."""

import numpy as np
import pytest
from scipy import stats

import pigevo
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.populations.named import hold_at, named, optimal, score
from pigevo.evolution.populations.random import random_population
from pigevo.games import Pig
from pigevo.strategies import CubeGrid

GAME = Pig(target=24)
CELLS = CubeGrid(GAME, 1)
DRAW = Draw(1, "population")


def strategies(genomes, grid=CELLS):
    return [grid.strategy(g) for g in genomes]


def test_random_genomes_are_fair_coins():
    genomes = random_population(CELLS, DRAW, 30)
    assert genomes.shape == (30, CELLS.genes)
    assert stats.binomtest(int(genomes.sum()), genomes.size).pvalue > 1e-4
    assert len({g.tobytes() for g in genomes}) == 30


def test_random_genomes_on_a_coarse_grid_are_coins_of_cuboids():
    grid = CubeGrid(GAME, 8)
    genomes = np.concatenate([random_population(grid, Draw(s, "population"), 50) for s in range(40)])
    assert genomes.shape == (2000, grid.genes)
    assert min(stats.binomtest(int(n), 2000).pvalue for n in genomes.sum(axis=0)) > 1e-4 / grid.genes


def test_other_seeds_draw_other_populations():
    a, b = (random_population(CELLS, Draw(s, "population"), 4) for s in (1, 2))
    assert stats.binomtest(int((a ^ b).sum()), a.size).pvalue > 1e-4


def test_names_take_turns_until_the_population_is_full():
    genomes = named(CELLS, DRAW, 7, ["hold_at:5", "score:9", "roll_to_win"])
    a, b, c = pigevo.hold_at(GAME, 5), pigevo.score(GAME, 9), pigevo.roll_to_win(GAME)
    assert strategies(genomes) == [a, b, c, a, b, c, a]


def test_more_names_than_members_leave_the_last_out():
    assert strategies(named(CELLS, DRAW, 2, ["hold_at:5", "score:9", "roll_to_win"]))[1] == pigevo.score(GAME, 9)


def test_hold_at_and_score_are_populations_of_their_values():
    assert strategies(hold_at(CELLS, DRAW, 3, (4, 6))) == [pigevo.hold_at(GAME, n) for n in (4, 6, 4)]
    assert strategies(score(CELLS, DRAW, 3, (4, 6))) == [pigevo.score(GAME, n) for n in (4, 6, 4)]


def test_the_paper_starts_from_five_values():
    made = strategies(hold_at(CELLS, DRAW, 20))
    assert made[:5] == [pigevo.hold_at(GAME, n) for n in (10, 15, 20, 25, 30)]
    assert made == made[:5] * 4


def test_an_optimal_population_is_the_optimum_throughout():
    assert set(strategies(optimal(CELLS, DRAW, 4))) == {pigevo.optimal(GAME).strategy}


def test_on_a_coarse_grid_a_name_is_the_majority_of_its_cuboids():
    grid = CubeGrid(GAME, 8)
    genomes = named(grid, DRAW, 2, ["hold_at:8", "hold_at:13"])
    assert strategies(genomes, grid)[0] == pigevo.hold_at(GAME, 8)
    assert np.array_equal(genomes[1], grid.from_strategies([pigevo.hold_at(GAME, 13)])[0])


def test_a_saved_strategy_is_a_name(tmp_path):
    saved = pigevo.random_strategy(GAME, seed=8)
    path = str(saved.save(tmp_path / "s.npz"))
    assert strategies(named(CELLS, DRAW, 2, [path]))[1] == saved


@pytest.mark.parametrize(
    ("names", "part"),
    [
        ([], "population.names is empty"),
        (["hold_up"], "did you mean hold_at"),
        (["roll_and_wait"], "allow_pass"),
    ],
)
def test_names_that_are_none_are_refused(names, part):
    with pytest.raises(InputError, match=part):
        named(CELLS, DRAW, 4, names)


@pytest.mark.parametrize(
    ("population", "part"),
    [
        ({"name": "named", "names": ["hold_up"]}, "did you mean hold_at"),
        ({"name": "random", "size": 1}, "population.size = 1 is out of range"),
        ({"name": "hold_at", "values": "20"}, "must be a list"),
        ({"name": "hold_at", "names": [3]}, "there is no setting population.names"),
        ({"name": "randon"}, "did you mean random"),
    ],
)
def test_a_plan_refuses_them_before_the_run(make_plan, population, part):
    with pytest.raises(InputError, match=part):
        make_plan(population={"size": 8} | population)
