"""What operators remember is kept apart by operator, and is part of a state's digest."""

from dataclasses import replace

import numpy as np
import pytest

from pigevo.evolution.operators import Operator
from pigevo.evolution.plan import State
from pigevo.evolution.toolbox import REMEMBERING
from tests.evolution.helpers import remembering, states_of

STATE = State(3, 0, np.eye(3, dtype=np.uint8), 2, 9, 40)


def test_an_array_stays_until_one_of_the_same_name_takes_its_place(make_plan):
    def remember(self, genomes, context):
        return {"first": np.zeros(2)} if context.generation == 0 else {"latest": np.array([context.generation])}

    memory = states_of(remembering(make_plan(), "crossover", remember))[-1].memory
    assert set(memory) == {"crossover"}
    assert set(memory["crossover"]) == {"first", "latest"}
    assert memory["crossover"]["latest"].tolist() == [5]


def test_an_operator_may_be_given_what_it_remembers_when_it_is_made(make_plan):
    """As an attribute of the instance alone."""
    plan = remembering(make_plan(), "crossover", Operator.remember)
    plan.crossover.remember = lambda genomes, context: {"latest": np.array([context.generation])}
    assert states_of(plan)[-1].memory["crossover"]["latest"].tolist() == [5]


def test_the_digest_of_several_memories_is_that_of_their_arrays_by_name():
    several = {
        "mutator": {"b": np.arange(3), "d": np.zeros(3)},
        "fitness": {"c": np.ones((2, 2), np.uint8), "a": np.zeros(0)},
    }
    assert replace(STATE, memory=several).digest == "aeffeda771c1f0a3ab5d837228ae7bb4e9698b2675b10cb511ae9250635f29e5"


def test_the_digest_tells_two_memories_of_one_name_apart():
    a, b = np.zeros(3), np.ones(3)
    memories = [
        {"fitness": {"mine": a}, "mutator": {"mine": b}},
        {"fitness": {"mine": b}, "mutator": {"mine": a}},
        {"fitness": {"mine": a}, "mutator": {"mine": a}},
        {"fitness": {"mine": a}},
    ]
    assert len({replace(STATE, memory=memory).digest for memory in memories}) == 4
    turned = {"mutator": {"mine": b}, "fitness": {"mine": a}}
    assert replace(STATE, memory=turned).digest == replace(STATE, memory=memories[0]).digest


def test_each_operator_works_with_its_own_memory(make_plan):
    """That of the generation that it works on; the fitness has that of the one before, and is called once more at the end."""
    plan, memories = make_plan(), {kind: [] for kind in REMEMBERING}

    def noting(number, kind, operator):
        def work(self, *data):
            memories[kind].append(data[-1].state["mine"].tolist() if data[-1].state else None)
            return operator(*data)

        return lambda self, genomes, context: {"mine": np.array([number, context.generation])}, work

    for number, kind in enumerate(REMEMBERING):
        plan = remembering(plan, kind, *noting(number, kind, getattr(plan, kind)))
    states_of(plan)
    for number, kind in enumerate(REMEMBERING):
        expected = [[number, generation] for generation in range(6)]
        assert memories[kind] == ([None, *expected] if kind == "fitness" else expected), kind


@pytest.mark.parametrize("name", ["generation", "wave", "fresh", "evaluations", "games"])
def test_the_digest_is_of_every_count(name):
    assert replace(STATE, **{name: getattr(STATE, name) + 1}).digest != STATE.digest
