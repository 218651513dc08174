"""Who of the survivors stays."""

import numpy as np
import pytest

from pigevo.dice import Draw
from pigevo.evolution.loop import evaluate, first_state, next_state
from pigevo.evolution.replacement import offspring, survivors_and_offspring
from pigevo.evolution.toolbox import make_toolbox
from pigevo.games import Pig
from tests.evolution.helpers import context_of

SURVIVORS = Draw(1, "population").bits(5, 30)
CONTEXT = context_of(Pig(target=5), Draw(1, "selection"))


def test_offspring_keeps_nobody():
    assert offspring(SURVIVORS, CONTEXT).shape == (0, 30)


def test_survivors_and_offspring_keeps_everyone_as_they_are():
    assert np.array_equal(survivors_and_offspring(SURVIVORS, CONTEXT), SURVIVORS)


@pytest.mark.parametrize(("name", "kept"), [("offspring", 0), ("survivors_and_offspring", 4)])
def test_the_next_population_has_the_kept_and_as_many_children_as_are_lacking(make_plan, name, kept):
    plan = make_plan(replacement={"name": name}, mutation=0.5)
    genomes = first_state(plan).genomes
    state = next_state(evaluate(plan, first_state(plan)))
    following, fresh = state.genomes, state.fresh
    assert following.shape == genomes.shape
    assert fresh == len(genomes) - kept
    before = {g.tobytes() for g in genomes}
    assert [g.tobytes() in before for g in following] == [True] * kept + [False] * fresh


def test_survivors_are_not_mutated(make_plan):
    plan = make_plan(replacement={"name": "survivors_and_offspring"}, mutation=1.0)
    toolbox = make_toolbox(plan, plan.waves[0].grid)
    genomes = first_state(plan).genomes
    survivors = genomes[toolbox.select(toolbox.evaluate(genomes, 0), 0)]
    assert np.array_equal(next_state(evaluate(plan, first_state(plan))).genomes[:4], survivors)
