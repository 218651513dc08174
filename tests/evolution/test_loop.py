"""The generation loop: what it counts, and that the plan and the state, with what operators remember, alone decide it."""

import hashlib
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from pigevo.errors import InputError
from pigevo.evolution.evaluation import every_pair
from pigevo.evolution.loop import _naming, evaluate, first_state
from pigevo.evolution.plan import State
from pigevo.evolution.toolbox import REMEMBERING
from pigevo.storage.records import Unreadable
from tests.evolution.helpers import remembering, states_of

WAVES = {"name": "waves", "sizes": [10, 4, 2], "generations": [2, 3, 2]}


@pytest.mark.parametrize(
    ("changes", "fresh", "games"),
    [
        ({}, [8] * 7, 4 * 20),  # four pairs, 20 games each
        ({"replacement": {"name": "survivors_and_offspring"}}, [8] + [4] * 6, 4 * 20),
        ({"selection": {"name": "round_robin"}}, [8] * 7, 28 * 20),
        ({"fitness": {"name": "exact_vs_optimal"}}, [8] * 7, 0),
    ],
)
def test_counts_each_new_strategy_once_and_the_games_of_every_pair(make_plan, changes, fresh, games):
    states = states_of(make_plan(**changes))
    assert [s.generation for s in states] == list(range(7))
    assert [s.fresh for s in states] == fresh
    assert [s.evaluations for s in states] == [sum(fresh[:n]) for n in range(7)]
    assert [s.games for s in states] == [games * n for n in range(7)]


def test_seeds_give_other_runs(make_plan):
    assert len({states_of(make_plan(seed=s))[-1].genomes.tobytes() for s in range(5)}) == 5


GOLDEN = {
    "knockout": ({}, "fa7f34fb7f30d5e4338e0b5a5f75ea01"),
    "waves": ({"cubes": WAVES, "replacement": {"name": "survivors_and_offspring"}}, "05c5b005f39d98ea933eb08693cf7e69"),
    "round robin": (
        {"selection": {"name": "round_robin"}, "game": {"name": "piglet", "target": 12}},
        "10e30bfb053c6be85ac31e2272b29be5",
    ),
    "passing": ({"game": {"name": "pig", "target": 15, "allow_pass": True}}, "647770f1cef155260394a49d19b32827"),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_a_seeded_run_is_the_same_as_ever(make_plan, name):
    """A change here is a change of streams: raise `STREAM_VERSION` with it."""
    changes, expected = GOLDEN[name]
    digest = hashlib.sha256()
    for state in states_of(make_plan(**changes)):
        counts = state.generation, state.wave, state.fresh, state.evaluations, state.games
        digest.update(repr(counts).encode() + np.packbits(state.genomes).tobytes())
    assert digest.hexdigest()[:32] == expected


def test_selection_raises_the_exact_score(make_plan):
    plan = make_plan(
        population={"name": "random", "size": 20}, fitness={"name": "exact_vs_optimal"}, mutation=0.002,
        selection={"name": "truncation"}, generations=25, cubes={"name": "waves", "sizes": [5], "generations": 25},
    )  # fmt: skip
    states = states_of(plan)
    first, last = (evaluate(plan, s).final_order[1].scores.mean() for s in (states[0], states[-1]))
    assert last > first + 0.05


def test_a_plan_of_no_generations_is_its_first_population(make_plan):
    plan = make_plan(generations=0)
    assert [state.generation for state in states_of(plan)] == [0]


def test_the_final_ranking_lets_everyone_meet_everyone(make_plan):
    plan = make_plan(fitness={"name": "exact"})
    state = State(6, 0, first_state(plan).genomes, 8)
    order, evaluation = evaluate(plan, state).final_order
    assert evaluation.pairs.tolist() == every_pair(8).tolist()
    assert sorted(order.tolist()) == list(range(8))
    assert (np.diff(evaluation.scores[order]) <= 0).all()


STATE = State(3, 0, np.eye(3, dtype=np.uint8), 2, 9, 40)


def test_an_array_stays_until_one_of_the_same_name_takes_its_place(make_plan):
    def remember(self, genomes, context):
        return {"first": np.zeros(2)} if context.generation == 0 else {"latest": np.array([context.generation])}

    memory = states_of(remembering(make_plan(), "crossover", remember))[-1].memory
    assert set(memory) == {"crossover"}
    assert set(memory["crossover"]) == {"first", "latest"}
    assert memory["crossover"]["latest"].tolist() == [5]


def test_the_digest_of_several_memories_is_that_of_their_arrays_by_name():
    several = {
        "mutator": {"b": np.arange(3), "d": np.zeros(3)},
        "fitness": {"c": np.ones((2, 2), np.uint8), "a": np.zeros(0)},
    }
    assert replace(STATE, memory=several).digest == "aeffeda771c1f0a3ab5d837228ae7bb4e9698b2675b10cb511ae9250635f29e5"


def test_the_digest_is_of_every_count_and_tells_two_memories_of_one_name_apart():
    a, b = np.zeros(3), np.ones(3)
    memories = [
        {"fitness": {"mine": a}, "mutator": {"mine": b}},
        {"fitness": {"mine": b}, "mutator": {"mine": a}},
        {"fitness": {"mine": a}, "mutator": {"mine": a}},
        {"fitness": {"mine": a}},
    ]
    states = [replace(STATE, memory=memory) for memory in memories]
    states += [replace(STATE, **{name: 99}) for name in ("generation", "wave", "fresh", "evaluations", "games")]
    assert len({state.digest for state in (STATE, *states)}) == 10
    turned = {"mutator": {"mine": b}, "fitness": {"mine": a}}
    assert replace(STATE, memory=turned).digest == states[0].digest


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


@pytest.mark.parametrize(("user_code", "error", "words"), [
    (("mutator",), InputError("it failed"), "in generation 7, it failed"),
    ((), InputError("it failed"), "it failed"),
    (("mutator",), Unreadable("a file cannot be read"), "a file cannot be read"),
])  # fmt: skip
def test_an_error_of_user_code_names_its_generation_and_others_stay_what_they_are(user_code, error, words):
    with pytest.raises(type(error), match=f"^{words}$"), _naming(SimpleNamespace(user_code=user_code), 7):
        raise error
