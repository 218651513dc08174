"""A rate belongs to the mutators that use it: elsewhere it changes nothing, is no setting and makes no other run."""

from dataclasses import replace

import numpy as np
import pytest

import pigevo
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.cubes import CUBES
from pigevo.evolution.mutation import MUTATORS
from pigevo.evolution.operators import as_operator
from pigevo.settings.schema import registry_of
from pigevo.settings.settings import Settings
from tests.evolution.conftest import BASE
from tests.evolution.helpers import context_of, states_of

USES = {name: bool(MUTATORS[name].uses(MUTATORS[name].completed({}))) for name in MUTATORS}
"""What each says of itself; that it is so is tested below."""
DEAP = [
    ("mutFlipBit", None, True),
    ("mutShuffleIndexes", {"indpb": 0.2}, False),
    ("mutInversion", None, False),
    ("mutUniformInt", None, True),
]
CHOICES = [({"name": name}, uses) for name, uses in USES.items()]
CHOICES += [({"name": "deap", "operator": o, "arguments": a}, uses) for o, a, uses in DEAP]


def settings(mutator, typed=(), **changes):
    return Settings.read(BASE | {"mutator": mutator} | changes, typed=typed)


@pytest.mark.parametrize(("choice", "uses"), CHOICES, ids=str)
class TestEachMutator:
    def test_gives_the_same_at_two_rates_if_it_does_not(self, choice, uses):
        entry = MUTATORS[choice["name"]]
        options = entry.completed({name: value for name, value in choice.items() if name != "name"})
        mutator = as_operator("mutator", entry.bind(options))
        grid = pigevo.CubeGrid(pigevo.Pig(target=12), 2)
        genomes = Draw(1, "population").bits(6, grid.genes)
        low, high = (mutator(genomes, context_of(grid, scores=np.zeros(6), rate=rate)) for rate in (0.1, 0.6))
        assert np.array_equal(low, high) == (not uses)

    def test_two_rates_are_one_run_if_it_does_not(self, choice, uses):
        low, high = (settings(choice, mutation=rate, generations=2) for rate in (0.1, 0.6))
        assert (low.hash == high.hash) == (not uses)
        assert (low.folder == high.folder) == (not uses)
        assert (low == high) == (not uses)
        assert (low.mutation, high.mutation) == ((0.1, 0.6) if uses else (None, None))
        assert ("mutation" in low.values, "mutation" in low.identity) == (uses, uses)
        runs = [[state.digest for state in states_of(one.plan)] for one in (low, high)]
        assert (runs[0] == runs[1]) == (not uses)

    def test_a_typed_rate_is_refused_if_it_does_not(self, choice, uses):
        if uses:
            assert settings(choice, typed=("mutation",), mutation=0.3).mutation == 0.3
            return
        with pytest.raises(InputError, match=f"mutation = 0.3 changes nothing with mutator={choice['name']}") as told:
            settings(choice, typed=("mutation",), mutation=0.3)
        own = ["operator"] if choice["name"] == "deap" else list(MUTATORS[choice["name"]].options)
        assert not own or f"mutator.{own[0]}" in str(told.value)

    def test_a_rate_is_needed_only_if_it_does(self, choice, uses):
        values = {key: value for key, value in (BASE | {"mutator": choice}).items() if key != "mutation"}
        if not uses:
            assert Settings.read(values).mutation is None
            return
        with pytest.raises(InputError, match=r"the setting mutation is missing: mutator=.* needs it"):
            Settings.read(values)


def test_a_mutator_of_the_user_s_is_told_the_rate(make_plan):
    told = []

    def mine(genomes, context):
        told.append(context.rate)
        return genomes

    plan = make_plan(mutator=mine, mutation=0.07)
    states_of(plan)
    assert set(told) == {0.07}
    low, high = (
        Settings.read(BASE | {"mutator": {"name": "custom"}, "mutation": r}, own={"mutator": mine}) for r in (0.1, 0.2)
    )
    assert low.hash != high.hash


@pytest.mark.parametrize("kind", ["population", "fitness", "selection", "crossover", "replacement"])
def test_no_other_operator_s_result_depends_on_the_rate(make_plan, kind):
    for name in registry_of(kind):
        plan = make_plan(
            **{kind: {"name": name, **({"size": 8} if kind == "population" else {})}},
            mutator={"name": "heavy_tailed"},
            game={"name": "pig", "target": 10},
            generations=1,
        )
        low, high = ([s.digest for s in states_of(replace(plan, rate=rate))] for rate in (0.1, 0.6))
        assert low == high


class TestGenerations:
    WAVES = (("waves", False), ("none", True))

    @pytest.mark.parametrize(("name", "uses"), WAVES)
    def test_belong_to_the_cubes_that_use_them(self, name, uses):
        assert CUBES[name].uses({}) == (("generations",) if uses else ())
        cubes = {"name": name} if uses else {"name": name, "sizes": [10], "generations": 3}
        one, other = (Settings.read(BASE | {"cubes": cubes, "generations": n}) for n in (5, 9))
        assert (one.hash == other.hash) == (not uses)
        assert (one.plan.generations, other.plan.generations) == ((5, 9) if uses else (3, 3))
