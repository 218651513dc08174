"""What operators are passed: arrays, or objects that nothing takes for arrays, if they are declared lazy."""

import operator
from dataclasses import replace

import numpy as np
import pytest

import pigevo
from pigevo.dice import Draw
from pigevo.evolution.operators import as_operator, lazy
from pigevo.evolution.tables import Chosen
from tests.evolution.helpers import states_of

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
    assert kind in outside.own
    assert kind not in inside.own
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
