"""First populations."""

import numpy as np
import pytest
from scipy import stats

import pigevo
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.population import hold_at, named, optimal, random_population, score
from pigevo.games import Pig
from pigevo.strategies import CubeGrid
from tests.evolution.helpers import context_of
from tests.laws import RARE

GAME = Pig(target=24)
CELLS = CubeGrid(GAME, 1)
CONTEXT = context_of(CELLS, Draw(1, "population"))


def strategies(genomes, grid=CELLS):
    return [grid.strategy(g) for g in genomes]


def test_random_genomes_on_a_coarse_grid_are_coins_of_cuboids():
    grid = CubeGrid(GAME, 8)
    genomes = np.concatenate([random_population(50, context_of(grid, Draw(s, "population"))) for s in range(40)])
    assert genomes.shape == (2000, grid.genes)
    assert min(stats.binomtest(int(n), 2000).pvalue for n in genomes.sum(axis=0)) > RARE / grid.genes


def test_names_take_turns_until_the_population_is_full():
    genomes = named(7, CONTEXT, ["hold_at:5", "score:9", "roll_to_win"])
    a, b, c = pigevo.hold_at(GAME, 5), pigevo.score(GAME, 9), pigevo.roll_to_win(GAME)
    assert strategies(genomes) == [a, b, c, a, b, c, a]


def test_hold_at_and_score_are_populations_of_their_values():
    assert strategies(hold_at(3, CONTEXT, (4, 6))) == [pigevo.hold_at(GAME, n) for n in (4, 6, 4)]
    assert strategies(score(3, CONTEXT, (4, 6))) == [pigevo.score(GAME, n) for n in (4, 6, 4)]


def test_the_paper_starts_from_five_values():
    made = strategies(hold_at(20, CONTEXT))
    assert made[:5] == [pigevo.hold_at(GAME, n) for n in (10, 15, 20, 25, 30)]
    assert made == made[:5] * 4


def test_an_optimal_population_is_the_optimum_throughout():
    assert set(strategies(optimal(4, CONTEXT))) == {pigevo.optimal(GAME).strategy}


def test_a_saved_strategy_is_a_name(tmp_path):
    saved = pigevo.random_strategy(GAME, seed=8)
    path = str(saved.save(tmp_path / "s.npz"))
    assert strategies(named(2, CONTEXT, [path]))[1] == saved


@pytest.mark.parametrize(
    ("population", "part"),
    [
        ({"name": "named", "names": ["hold_up"]}, "population.names: there is no .*'hold_up'; did you mean hold_at"),
        ({"name": "named", "names": ["roll_and_wait"]}, "allow_pass"),
        ({"name": "named", "names": []}, "population.names is empty"),
        ({"name": "score", "values": []}, "population.values is empty"),
    ],
)
def test_a_plan_refuses_them_before_the_run(make_plan, population, part):
    with pytest.raises(InputError, match=part):
        make_plan(population={"size": 8} | population)
