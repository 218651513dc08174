"""The generation loop: what it counts, and that nothing but the state and the plan decides it."""

import hashlib
from dataclasses import replace

import numpy as np
import pytest

from pigevo.dice import Draw
from pigevo.evolution.evaluation import every_pair
from pigevo.evolution.loop import evaluate, first_state, generations, next_state
from pigevo.evolution.operators import KINDS
from pigevo.evolution.run_state import State
from pigevo.evolution.toolbox import make_toolbox
from tests.evolution.helpers import states_of

WAVES = {"name": "waves", "sizes": [10, 4, 2], "generations": [2, 3, 2]}


def told(state):
    return (
        state.generation,
        state.wave,
        state.fresh,
        state.evaluations,
        state.games,
        state.genomes.tobytes(),
    )


def test_counts_strategies_and_games_where_children_replace_everyone(make_plan):
    states = states_of(make_plan())
    assert [s.generation for s in states] == list(range(7))
    assert [s.fresh for s in states] == [8] * 7
    assert [s.evaluations for s in states] == [8 * g for g in range(7)]
    assert [s.games for s in states] == [4 * 20 * g for g in range(7)]  # four pairs, 20 games each


def test_counts_each_strategy_once_where_survivors_stay(make_plan):
    states = states_of(make_plan(replacement={"name": "survivors_and_offspring"}))
    assert [s.fresh for s in states] == [8] + [4] * 6
    assert [s.evaluations for s in states] == [0, 8, 12, 16, 20, 24, 28]
    assert [s.games for s in states] == [4 * 20 * g for g in range(7)]


def test_counts_the_games_of_every_pair_in_a_round_robin(make_plan):
    states = states_of(make_plan(selection={"name": "round_robin"}))
    assert [s.games for s in states] == [28 * 20 * g for g in range(7)]


def test_an_exact_fitness_plays_no_games(make_plan):
    states = states_of(make_plan(fitness={"name": "exact_vs_optimal"}))
    assert [s.games for s in states] == [0] * 7
    assert states[-1].evaluations == 48


@pytest.mark.parametrize("replacement", ["offspring", "survivors_and_offspring"])
@pytest.mark.parametrize("cubes", [{"name": "none"}, WAVES], ids=["cells", "waves"])
def test_going_on_from_any_state_gives_the_same_later_states(make_plan, cubes, replacement):
    changes = {"cubes": cubes, "replacement": {"name": replacement}}
    states = states_of(make_plan(**changes))
    for number, state in enumerate(states):
        later = [generation.state for generation in generations(make_plan(**changes), state)]
        assert [told(s) for s in later] == [told(s) for s in states[number:]]


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
    changes, digest = GOLDEN[name]
    found = hashlib.sha256()
    for state in states_of(make_plan(**changes)):
        found.update(repr(told(state)[:-1]).encode() + np.packbits(state.genomes).tobytes())
    assert found.hexdigest()[:32] == digest


def test_nothing_changes_without_mutation_among_equals(make_plan):
    plan = make_plan(population={"name": "optimal", "size": 8}, mutation=0.0)
    states = states_of(plan)
    assert all(np.array_equal(s.genomes, states[0].genomes) for s in states)


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


def test_each_tool_draws_from_its_own_stream(make_plan, monkeypatch):
    used = []
    original = Draw.words

    def watched(self, count, block=0):
        used.append((self.stream, self.generation))
        return original(self, count, block)

    plan = make_plan()
    monkeypatch.setattr(Draw, "words", watched)
    toolbox = make_toolbox(plan, plan.waves[0].grid)
    genomes = toolbox.population()
    assert set(used) == {("population", 0)}
    for call, stream in (
        (lambda: toolbox.select(evaluation, 4), "selection"),
        (lambda: toolbox.mate(genomes[:4], np.zeros(4), 8, 4), "crossover"),
        (lambda: toolbox.mutate(genomes, evaluation.scores, 4), "mutation"),
    ):
        evaluation = toolbox.evaluate(genomes, 4)
        used.clear()
        call()
        assert set(used) == {(stream, 4)}


def test_the_final_ranking_lets_everyone_meet_everyone(make_plan):
    plan = make_plan(fitness={"name": "exact"})
    state = State(6, 0, first_state(plan).genomes, 8)
    order, evaluation = evaluate(plan, state).final_order
    assert evaluation.pairs.tolist() == every_pair(8).tolist()
    assert sorted(order.tolist()) == list(range(8))
    assert (np.diff(evaluation.scores[order]) <= 0).all()


@pytest.mark.parametrize("kind", ["crossover", "replacement"])
def test_no_operator_can_change_the_population_that_children_come_from(make_plan, kind):
    """One that is not marked as the user's own is handed rows of the population, not copies."""

    class Writes(KINDS[kind]):
        def __call__(self, survivors, *_):
            survivors[0][:] ^= 1

    plan = replace(make_plan(), **{kind: Writes()})
    state = first_state(plan)
    before = state.genomes.copy()
    with pytest.raises(ValueError, match="read-only"):
        next_state(evaluate(plan, state))
    assert np.array_equal(state.genomes, before)
