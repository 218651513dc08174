"""First populations, and what operators are passed: arrays, or objects that nothing takes for arrays, if declared lazy."""

import operator
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

import pigevo
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.loop import first_state
from pigevo.evolution.operators import as_operator, lazy
from pigevo.evolution.population import Chosen, hold_at, named, optimal, random_population, score
from pigevo.games import Pig
from pigevo.strategies import CubeGrid
from tests.evolution.helpers import context_of, states_of
from tests.laws import RARE

GAME = Pig(target=24)
CELLS = CubeGrid(GAME, 1)
CONTEXT = context_of(CELLS, Draw(1, "population"))


def strategies(genomes, grid=CELLS):
    return [grid.strategy(g) for g in genomes]


def test_random_genomes_on_a_coarse_grid_are_coins_of_cubes():
    grid = CubeGrid(GAME, 8)
    genomes = np.concatenate([random_population(50, context_of(grid, Draw(s, "population"))) for s in range(40)])
    assert genomes.shape == (2000, grid.genes)
    assert min(stats.binomtest(int(n), 2000).pvalue for n in genomes.sum(axis=0)) > RARE / grid.genes


def test_names_and_saved_strategies_take_turns_until_the_population_is_full(tmp_path):
    saved = pigevo.random_strategy(GAME, seed=8)
    genomes = named(7, CONTEXT, ["hold_at:5", "score:9", str(saved.save(tmp_path / "s.npz"))])
    a, b = pigevo.hold_at(GAME, 5), pigevo.score(GAME, 9)
    assert strategies(genomes) == [a, b, saved, a, b, saved, a]


def test_hold_at_score_and_optimal_are_populations_of_their_values():
    assert strategies(hold_at(3, CONTEXT, (4, 6))) == [pigevo.hold_at(GAME, n) for n in (4, 6, 4)]
    assert strategies(score(3, CONTEXT, (4, 6))) == [pigevo.score(GAME, n) for n in (4, 6, 4)]
    assert (
        strategies(hold_at(10, CONTEXT)) == [pigevo.hold_at(GAME, n) for n in (10, 15, 20, 25, 30)] * 2
    )  # the paper's
    assert set(strategies(optimal(4, CONTEXT))) == {pigevo.optimal(GAME).strategy}


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


def test_strategies_in_place_of_a_population_are_refused_with_the_way_to_pass_them():
    strategies = [pigevo.hold_at(Pig(target=9), n) for n in (2, 3, 4, 5)]
    words = ("debug=fast", "game.target=9", "baseline=none", "population.size=4", "mutation=0", "crossover=n_point")
    for population in (strategies, lambda size, context: strategies):
        with pytest.raises(InputError, match=r"context\.grid\.from_strategies\(strategies\)"):
            first_state(pigevo.Settings.of(*words, population=population).plan)
    right = pigevo.Settings.of(*words, population=lambda size, context: context.grid.from_strategies(strategies)).plan
    assert np.array_equal(first_state(right).genomes, right.waves[0].grid.from_strategies(strategies))


GRID = pigevo.CubeGrid(pigevo.Pig(target=8), 2)
GENOMES = Draw(1, "population").bits(3, GRID.genes)
OBJECTS = {
    "gathers its rows": Chosen(GENOMES, np.array([2, 0])),
    "computes all decisions": pigevo.strategies.Members(GRID, GENOMES),
}
USES = {
    "compared": lambda one: one == one,
    "compared with an array": lambda one: np.zeros(2) == one,
    "unequal": lambda one: one != one,
    "smaller": lambda one: one < 1,
    "added": lambda one: one + 1,
    "subtracted from": lambda one: 1 - one,
    "both": lambda one: one & one,
    "inverted": operator.inv,
    "mean": lambda one: one.mean(axis=1),
    "numpy's mean": np.mean,
    "as an array": np.asarray,
    "chosen by numpy": lambda one: np.where(True, one, one),
    "a function of numpy": np.logical_not,
    "a sequence": list,
    "contained": lambda one: 1 in one,
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("reading", OBJECTS)
def test_a_lazy_object_refuses_to_be_taken_for_an_array(reading, use):
    with pytest.raises((TypeError, AttributeError), match=reading):
        USES[use](OBJECTS[reading])


def keep_common(first, second, context):
    """Keeps the genes on which both agree; a coin decides every other gene."""
    return np.where(first == second, first, context.draw.bits(*first.shape))


def near_the_optimum(tables, context):
    return (tables == pigevo.optimal(context.game).strategy.roll).mean(axis=(1, 2, 3))


@pytest.mark.parametrize(("kind", "function"), [("crossover", keep_common), ("fitness", near_the_optimum)])
def test_a_function_is_given_the_same_inside_the_package_and_outside(make_plan, kind, function):
    outside = make_plan(**{kind: function})
    inside = replace(make_plan(), **{kind: as_operator(kind, function)})
    assert kind in outside.user_code
    assert kind not in inside.user_code
    assert [state.digest for state in states_of(inside)] == [state.digest for state in states_of(outside)]


def test_one_that_is_declared_lazy_and_compares_is_refused(make_plan):
    crossover = as_operator("crossover", lazy(lambda *data: keep_common(*data)))
    with pytest.raises(TypeError, match=r"Chosen is no array: rows\[:\] gathers"):
        states_of(replace(make_plan(), crossover=crossover))


def test_a_class_that_overrides_a_lazy_method_is_passed_arrays(make_plan):
    seen = []

    class Mine(type(make_plan(fitness={"name": "exact"}).fitness)):
        def __call__(self, tables, context):
            seen.append(type(tables))
            return super().__call__(tables, context)

    mine, exact = (make_plan(fitness=fitness) for fitness in (Mine, {"name": "exact"}))
    assert [state.digest for state in states_of(mine)] == [state.digest for state in states_of(exact)]
    assert set(seen) == {np.ndarray}
