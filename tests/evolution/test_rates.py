"""A rate belongs to the mutators that use it: elsewhere it changes nothing, is no setting and makes no other run."""

from dataclasses import replace

import pytest

from pigevo.errors import InputError
from pigevo.evolution.cubes import CUBES
from pigevo.evolution.mutation import MUTATORS
from pigevo.settings.schema import registry_of
from pigevo.settings.settings import Settings
from tests.evolution.conftest import BASE
from tests.evolution.helpers import states_of

USES = {name: bool(MUTATORS[name].uses(MUTATORS[name].completed({}))) for name in MUTATORS}
"""Whether each mutator says that it uses the rate; that it is so is tested below."""
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
    def test_two_rates_are_two_runs_only_if_it_uses_them(self, choice, uses):
        low, high = (settings(choice, mutation=rate, generations=2) for rate in (0.1, 0.6))
        assert (low.hash == high.hash) == (low.folder == high.folder) == (low == high) == (not uses)
        assert (low.mutation, high.mutation) == ((0.1, 0.6) if uses else (None, None))
        assert ("mutation" in low.values, "mutation" in low.identity) == (uses, uses)
        digests = [[state.digest for state in states_of(chosen.plan)] for chosen in (low, high)]
        assert (digests[0] == digests[1]) == (not uses)

    def test_a_rate_is_needed_if_it_uses_it_and_else_refused_where_it_is_typed(self, choice, uses):
        without = {key: value for key, value in (BASE | {"mutator": choice}).items() if key != "mutation"}
        if uses:
            assert settings(choice, typed=("mutation",), mutation=0.3).mutation == 0.3
            with pytest.raises(InputError, match=r"the setting mutation is missing: mutator=.* needs it"):
                Settings.read(without)
            return
        assert Settings.read(without).mutation is None
        message = f"mutation = 0.3 changes nothing with mutator={choice['name']}"
        with pytest.raises(InputError, match=message) as caught:
            settings(choice, typed=("mutation",), mutation=0.3)
        options = ["operator"] if choice["name"] == "deap" else list(MUTATORS[choice["name"]].options)
        assert not options or f"mutator.{options[0]}" in str(caught.value)


def test_a_mutator_of_the_user_s_gets_the_rate():
    rates = []

    def mine(genomes, context):
        rates.append(context.rate)
        return genomes

    low, high = (
        Settings.read(BASE | {"mutator": {"name": "custom"}, "mutation": rate}, own={"mutator": mine})
        for rate in (0.07, 0.2)
    )
    assert low.hash != high.hash
    rates.clear()
    states_of(low.plan)
    assert set(rates) == {0.07}


@pytest.mark.parametrize("kind", ["population", "fitness", "selection", "crossover", "replacement"])
def test_no_other_operator_s_result_depends_on_the_rate(make_plan, kind):
    for name in registry_of(kind):
        plan = make_plan(
            **{kind: {"name": name, **({"size": 8} if kind == "population" else {})}},
            mutator={"name": "heavy_tailed"},
            game={"name": "pig", "target": 10},
            generations=1,
        )
        low, high = ([state.digest for state in states_of(replace(plan, rate=rate))] for rate in (0.1, 0.6))
        assert low == high


@pytest.mark.parametrize(("name", "uses"), [("waves", False), ("none", True)])
def test_generations_belong_to_the_cubes_that_use_them(name, uses):
    assert CUBES[name].uses({}) == (("generations",) if uses else ())
    cubes = {"name": name} if uses else {"name": name, "sizes": [10], "generations": 3}
    few, many = (Settings.read(BASE | {"cubes": cubes, "generations": n}) for n in (5, 9))
    assert (few.hash == many.hash) == (not uses)
    assert (few.plan.generations, many.plan.generations) == ((5, 9) if uses else (3, 3))
