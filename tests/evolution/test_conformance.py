"""What every registered operator must keep, without asking for it: a new one is tried here by itself."""

import copy
import functools
import inspect
import itertools
import random
from dataclasses import replace

import numpy as np
import pytest

import pigevo
from pigevo.core import machine
from pigevo.core.arrays import read_only
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution import operator_calls, population
from pigevo.evolution.evaluation import Evaluation, every_pair
from pigevo.evolution.loop import generations
from pigevo.evolution.operators import KINDS, Context, as_operator, is_lazy
from pigevo.evolution.plan import STREAMS
from pigevo.evolution.toolbox import REMEMBERING
from pigevo.settings.schema import registry_of
from pigevo.strategies import CubeGrid, Members
from tests.evolution.helpers import states_of

QUICK = {
    "games": {"games": 20},
    "sets": {"games": 20, "sets": 4},
    "archive_games": {"games": 60},
}
GAME = pigevo.Pig(target=12)
GRIDS = {
    "cells": CubeGrid(GAME, 1),
    "cubes": CubeGrid(GAME, (4, 3, 1)),
    "cubes that do not divide": CubeGrid(GAME, 5),
    "one gene": CubeGrid(GAME, 12),
    "passing": CubeGrid(pigevo.Pig(target=9, allow_pass=True), 2),
    "piglet": CubeGrid(pigevo.Piglet(target=7), 1),
    "no gene": CubeGrid(pigevo.Pig(target=1), 1),
}
SOME = [GRIDS[name] for name in ("cubes that do not divide", "passing", "no gene")]
SIZES = (8, 7, 2)
ALL = [(kind, name) for kind in KINDS for name in registry_of(kind)]
OF_KIND = pytest.mark.parametrize(("kind", "name"), ALL)


def operator_of(kind, name):
    entry = registry_of(kind)[name]
    return as_operator(kind, entry.bind(entry.completed(entry.check(QUICK.get(name, {}), kind))))


def values_of(kind, name):
    return {"name": name, **({"size": 8} if kind == "population" else {}), **QUICK.get(name, {})}


def given(operator, kind, grid, size, seed=1, workers=1, **more):
    """The data that an operator is handed, the context last."""
    genomes = Draw(seed, "population").bits(2, size, grid.genes)
    scores = Draw(seed, "validation").uniforms(size)
    context = Context(Draw(seed, STREAMS[kind], 3), grid, 3, scores, rate=0.3, workers=workers, **more)
    if kind == "population":
        return size, context
    if kind == "fitness":
        decisions = grid.to_tables(genomes[0]).transpose(0, 1, 3, 2).view(np.bool_)
        return decisions, replace(context, pairs=every_pair(size))
    if kind == "selection":
        return scores.copy(), replace(context, evaluation=Evaluation.of_scores(scores, operator.pairs(size, context)))
    if kind == "crossover":
        return genomes[0], genomes[1], replace(context, scores=np.stack([scores, scores[::-1]]))
    return genomes[0], context


def checked(plan, data):
    """What the operator gives, with the checks of a run."""
    *arrays, context = data
    kind = next(kind for kind in KINDS if plan.names[kind] == "tried")
    if kind == "population":
        return operator_calls.population(plan, context, *arrays)
    if kind == "fitness":
        return operator_calls.evaluate(plan, arrays[0].transpose(0, 1, 3, 2).view(np.uint8), context).wins
    if kind == "selection":
        return operator_calls.select(plan, context.evaluation, context)
    if kind == "replacement":
        return operator_calls.keep(plan, *arrays, context, len(arrays[0]))
    return {"crossover": operator_calls.mate, "mutator": operator_calls.mutate}[kind](plan, *arrays, context)


@pytest.fixture
def tried(make_plan):
    """A plan with an operator in it, under the name `tried`."""
    return lambda kind, operator: replace(
        make_plan(), **{kind: operator}, names={k: "" for k in KINDS} | {kind: "tried"}
    )


def raw(returned):
    """What an operator returns, as arrays."""
    if hasattr(returned, "wins"):
        return [np.asarray(getattr(returned, name)) for name in ("scores", "wins", "cases", "games")]
    return [np.asarray(returned)]


def equal(a, b):
    return all(x.dtype == y.dtype and np.array_equal(x, y) for x, y in zip(raw(a), raw(b), strict=True))


def as_array(value):
    """What an operator that is not lazy is passed."""
    if isinstance(value, population.Chosen):
        return value[:]
    if isinstance(value, Members):
        return population.decisions_of(value[:], value.grid.game)
    return value


def pairs_up(kind, name, size):
    """Whether the operator takes a population of this size; a selection that does not says so before the run."""
    operator = operator_of(kind, name)
    try:
        operator.pairs(size, Context(Draw(1, "selection"), GRIDS["cells"]))
    except InputError as error:
        assert "population.size" in str(error)
        assert size % 2
        return False
    return True


@OF_KIND
class TestOnEveryGrid:
    def test_it_gives_what_its_kind_must_give(self, tried, kind, name):
        operator = operator_of(kind, name)
        plan = tried(kind, operator)
        sizes = [size for size in SIZES if kind != "selection" or pairs_up(kind, name, size)]
        sizes += [0, 1] if kind in ("crossover", "mutator", "replacement") else []
        for grid, size in itertools.product(GRIDS.values(), sizes):
            data = given(operator, kind, grid, size)
            result = checked(plan, data)
            returned = raw(operator(*data))[0]
            assert returned.dtype == {"fitness": np.float64, "selection": np.int64}.get(kind, np.uint8)
            if kind == "selection":
                assert 1 <= len(result) <= size
            if kind == "replacement":
                rows = {row.tobytes() for row in data[0]}
                assert all(row.tobytes() in rows for row in result)

    def test_its_arguments_alone_decide_and_stay_as_they_are(self, kind, name):
        """No other generator, no call before, and no number of workers has a part in it."""
        operator = operator_of(kind, name)
        for grid in SOME:
            data = given(operator, kind, grid, 8)
            arrays = [*(value for value in data[:-1] if isinstance(value, np.ndarray)), data[-1].scores, data[-1].pairs]
            if data[-1].evaluation is not None:
                arrays += raw(data[-1].evaluation)
            before = copy.deepcopy(arrays)
            first = operator(*data)
            assert all(np.array_equal(a, b) for a, b in zip(arrays, before, strict=True))
            random.seed(5)
            np.random.seed(5)
            states = random.getstate(), np.random.get_state()[1].copy()
            operator(*given(operator, kind, grid, 8, seed=2))
            assert equal(first, operator_of(kind, name)(*given(operator, kind, grid, 8)))
            for workers in (1, 2, 5):
                assert equal(first, operator(*given(operator, kind, grid, 8, workers=workers)))
            assert random.getstate() == states[0]
            assert np.array_equal(np.random.get_state()[1], states[1])


@pytest.mark.parametrize(("kind", "name"), [(k, n) for k, n in ALL if k in REMEMBERING])
def test_what_it_remembers_serves_it_on_this_grid_and_on_a_finer_one(tried, kind, name):
    operator = operator_of(kind, name)
    plan = tried(kind, operator)
    for grid in SOME:
        genomes, scores = Draw(1, "population").bits(8, grid.genes), Draw(1, "validation").uniforms(8)
        context = Context(Draw(1, STREAMS[kind], 2), grid, 2, scores, fresh=4)
        state = operator_calls.remember(plan, kind, genomes, context)
        again = operator_calls.remember(plan, kind, genomes, replace(context, state=state, generation=3))
        assert set(state) <= set(again)
        for finer in (grid, CubeGrid(grid.game, 1)):
            data = given(operator, kind, finer, 8, state={name: read_only(array) for name, array in again.items()})
            assert equal(operator(*data), operator(*data))
            checked(plan, data)


@pytest.mark.parametrize("name", registry_of("fitness"))
def test_scores_without_luck_are_the_same_of_arrays_and_of_members(name):
    fitness = operator_of("fitness", name)
    for grid in SOME:
        decisions, context = given(fitness, "fitness", grid, 8)
        members, genomes = np.array([5, 0, 3]), Draw(1, "population").bits(2, 8, grid.genes)[0]
        of_arrays = fitness.truth(decisions, context, members)
        assert equal(fitness.truth(Members(grid, genomes), context, members), of_arrays)


@pytest.mark.parametrize("name", registry_of("selection"))
def test_a_selection_takes_members_that_meet_and_members_that_do_not(tried, name):
    operator = operator_of("selection", name)
    for seed in range(5):
        scores, context = given(operator, "selection", GRIDS["cells"], 8, seed)
        wins = Draw(seed, "dice").uniforms(2 * len(context.evaluation.pairs)).reshape(-1, 2)
        met = Evaluation.of_matches(8, context.evaluation.pairs, wins)
        for evaluation in (
            met,
            Evaluation.of_scores(np.zeros(8), met.pairs),
            Evaluation.of_scores(scores, met.pairs, np.zeros((8, 3))),
        ):
            data = evaluation.scores, replace(context, evaluation=evaluation)
            assert len(checked(tried("selection", operator), data)) >= 1


@OF_KIND
class TestInARun:
    def plan(self, make_plan, kind, name, **more):
        cubes = {"name": "waves", "sizes": [10, [5, 3, 1]], "generations": [2, 2]}
        return make_plan(**{kind: values_of(kind, name)}, game={"name": "pig", "target": 14}, cubes=cubes, **more)

    def test_it_goes_on_from_any_state_with_any_number_of_workers(self, make_plan, kind, name):
        stay = {} if kind == "replacement" else {"replacement": {"name": "survivors_and_offspring"}}
        states = states_of(self.plan(make_plan, kind, name, **stay))
        for number, workers in ((0, 2), (2, 1)):
            plan = self.plan(make_plan, kind, name, **stay, workers=workers)
            later = generations(plan, copy.deepcopy(states[number]))
            assert [g.state.digest for g in later] == [s.digest for s in states[number:]]

    def test_called_with_arrays_it_gives_the_same_bits(self, monkeypatch, make_plan, kind, name):
        """Of an operator that is declared `lazy`, which a run passes no arrays."""
        plan, called = self.plan(make_plan, kind, name), []
        operator, call = getattr(plan, kind), type(getattr(plan, kind)).__call__
        plain = isinstance(inspect.getattr_static(type(operator), "__call__"), staticmethod)

        def twice(self, *data):
            run = call if plain else functools.partial(call, self)
            copies = [copy.deepcopy(value) for value in map(as_array, data[:-1])]
            whole = run(*copies, replace(data[-1], in_place=False))
            returned = run(*data)
            called.append(kind)
            assert equal(returned, whole)
            return returned

        twice.lazy = is_lazy(operator)
        monkeypatch.setattr(type(operator), "__call__", twice)
        monkeypatch.setattr(machine, "PIECE", 2000)
        states_of(plan)
        assert called

    def test_it_plays_a_game_that_asks_nothing(self, make_plan, kind, name):
        plan = make_plan(**{kind: values_of(kind, name)}, game={"name": "pig", "target": 1}, generations=3)
        states = states_of(plan)
        assert {state.genomes.shape for state in states} == {(8, 0)}
