"""The generation loop: what it counts, what decides it, its waves of ever smaller cubes, and the rules that end it."""

import hashlib
import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import pigevo
from pigevo.errors import InputError
from pigevo.evolution.evaluation import every_pair
from pigevo.evolution.loop import _naming, enter_wave, evaluate, first_state, generations
from pigevo.evolution.plan import State, StopRule
from pigevo.evolution.stop import NoProgress
from pigevo.evolution.toolbox import REMEMBERING
from pigevo.evolution.waves_and_islands import single_cells, waves
from pigevo.games import Pig
from pigevo.settings.settings import Settings
from pigevo.storage.records import Unreadable
from tests.evolution.conftest import BASE, course_of, remembering, states_of

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


GAME = Pig(target=20)


@pytest.mark.parametrize(
    ("planned", "expected"),
    [
        (waves(Pig(), None), [("20", 100), ("10", 100), ("5", 100)]),  # as in the paper
        (waves(GAME, None, [8, 3], 6), [("8", 6), ("3", 6)]),
        (waves(GAME, None, [[8, 4, 2], 3], [6, 9]), [("8x4x2", 6), ("3", 9)]),
        (single_cells(GAME, 55), [("1", 55)]),
    ],
)
def test_sizes_and_generations_make_the_waves(planned, expected):
    assert [(wave.grid.label, wave.generations) for wave in planned] == expected


@pytest.mark.parametrize(("sizes", "generations"), [([], 5), ([], []), ([4, 2], [5]), ([4], [5, 5])])
def test_sizes_and_generations_that_do_not_match_are_refused(sizes, generations):
    with pytest.raises(InputError, match=r"cubes\.sizes has"):
        waves(GAME, None, sizes, generations)


@pytest.mark.parametrize(
    ("cubes", "part"),
    [
        ({"sizes": [0]}, "cube size must be an integer"),
        ({"sizes": [[4, 2]]}, "one size or three"),
        ({"generations": [3, -1, 2]}, "out of range"),
    ],
)
def test_a_plan_refuses_what_is_no_wave(make_plan, cubes, part):
    with pytest.raises(InputError, match=part):
        make_plan(cubes={"name": "waves"} | cubes)


def test_generations_are_numbered_through_all_waves_which_begin_with_their_grid(make_plan):
    plan = make_plan(cubes={"name": "waves", "sizes": [10, 4, 3], "generations": [2, 3, 1]})
    assert plan.generations == 6
    assert [plan.wave_at(generation) for generation in range(8)] == [0, 0, 0, 1, 1, 1, 2, 2]
    assert plan.wave_ends == {2, 5, 6}
    states = states_of(plan)
    assert [state.wave for state in states] == [0, 0, 0, 1, 1, 1, 2]
    assert [state.genomes.shape[1] for state in states] == [plan.waves[state.wave].grid.genes for state in states]


def test_entering_a_wave_of_dividing_cubes_keeps_every_decision(make_plan):
    plan = make_plan(cubes={"name": "waves", "sizes": [12, 4, 2], "generations": 1})
    state = State(1, 0, first_state(plan).genomes, fresh=3, evaluations=8, games=5)
    for wave in (1, 2):
        entered = enter_wave(plan, state, wave)
        before, after = plan.waves[state.wave].grid, plan.waves[wave].grid
        assert np.array_equal(after.to_tables(entered.genomes), before.to_tables(state.genomes))
        assert entered.digest == replace(state, wave=wave, genomes=entered.genomes).digest
        state = entered


ABSOLUTE = {
    "fitness": {"name": "exact_vs_optimal"}, "selection": {"name": "truncation"}, "generations": 30,
    "replacement": {"name": "survivors_and_offspring"},
}  # fmt: skip


def bests(course):
    return np.array([generation.scores.max() for generation in course])


def test_target_ends_with_the_first_generation_that_reaches_it_and_its_champion_did(make_plan):
    whole = course_of(make_plan(**ABSOLUTE))
    best = bests(whole)
    target = best[12]
    first = int(np.flatnonzero(best >= target)[0])
    assert 0 < first < 30
    ended = course_of(make_plan(**ABSOLUTE, stop={"name": "target", "score": float(target)}))
    assert [g.state.digest for g in ended] == [g.state.digest for g in whole[: first + 1]]
    order, evaluation = ended[-1].final_order
    assert evaluation.scores[order[0]] >= target


def test_scores_of_the_end_are_those_on_the_cubes_of_the_champion(make_plan):
    cubes = {"name": "waves", "sizes": [7, 3, 2], "generations": 3}  # 3 does not divide 7: genomes change between waves
    course = course_of(make_plan(**ABSOLUTE, cubes=cubes))
    for generation in course:
        assert generation.final_scores == pytest.approx(generation.exact, abs=1e-12)
    assert [g.number for g in course if np.abs(g.scores - g.exact).max() > 1e-6] == [3, 6]  # selection looks ahead


@pytest.mark.parametrize("patience", [1, 2, 4])
def test_no_progress_ends_when_the_best_is_so_old_and_not_before(make_plan, patience):
    best = bests(course_of(make_plan(**ABSOLUTE)))
    since = [int(np.argmax(best[: n + 1])) for n in range(31)]  # the first of the largest
    expected = next((n for n in range(31) if n - since[n] >= patience), 30)
    ended = course_of(make_plan(**ABSOLUTE, stop={"name": "no_progress", "generations": patience}))
    assert ended[-1].number == expected < 30


def test_no_progress_counts_anew_in_the_last_wave_and_ends_no_other(make_plan):
    cubes = {"name": "waves", "sizes": [20, 10], "generations": [10, 10]}
    standing = {**ABSOLUTE, "mutation": 0.0, "generations": 30}
    ended = course_of(make_plan(**standing, cubes=cubes, stop={"name": "no_progress", "generations": 4}))
    assert bests(ended)[6:].max() <= bests(ended)[:6].max()  # it stood still long before
    assert ended[-1].number == 15  # the first generation of the last wave is 11


def test_a_last_wave_that_begins_lower_and_climbs_makes_progress(make_plan):
    """Finer genes undo what coarse ones had, and evolution has to come back to it."""
    cubes = {"name": "waves", "sizes": [20, 10], "generations": [10, 10]}
    plan = make_plan(**{**ABSOLUTE, "generations": 20}, cubes=cubes)
    rule, remembered = NoProgress(3), {}
    scores = [*np.linspace(0.1, 0.4, 11), *np.linspace(0.2, 0.3, 7), 0.3, 0.3, 0.3]
    for number, score in enumerate(scores):
        generation = SimpleNamespace(plan=plan, number=number, final_scores=np.array([score, 0.0]))
        assert rule.ends(generation, remembered) == (number == 20)
        remembered = rule.remember(generation, remembered)


def test_evaluations_ends_when_as_many_have_been_evaluated_the_last_generation_included(make_plan):
    for most, last in ((1, 0), (8, 0), (9, 1), (24, 2), (25, 3)):
        assert course_of(make_plan(stop={"name": "evaluations", "evaluations": most}))[-1].number == last


def test_games_ends_with_the_first_generation_before_which_as_many_were_played(make_plan):
    for most, last in ((1, 1), (80, 1), (81, 2), (160, 2)):  # four matches of 20 games in each
        ended = course_of(make_plan(stop={"name": "games", "games": most}))
        assert ended[-1].number == last
        assert ended[-1].state.games >= most > ended[-2].state.games


def test_any_ends_with_the_first_of_its_rules_each_with_its_own_memory(make_plan):
    alone = course_of(make_plan(**ABSOLUTE, stop={"name": "no_progress", "generations": 3}))[-1].number
    for rules, last in (
        (["no_progress:3"], alone),
        (["no_progress:9", "no_progress:3", "evaluations:1000000"], alone),
        (["evaluations:12", "no_progress:3"], 1),
    ):
        assert course_of(make_plan(**ABSOLUTE, stop={"name": "any", "rules": rules}))[-1].number == last


def test_the_decision_depends_on_the_state_alone(make_plan):
    plan = make_plan(**ABSOLUTE, stop={"name": "any", "rules": ["no_progress:3"]})
    whole = [generation.state for generation in generations(plan, first_state(plan))]
    for state in whole[1:]:
        assert [g.state.digest for g in generations(plan, state)] == [s.digest for s in whole[state.generation :]]


def test_a_stop_rule_is_no_part_of_the_identity_where_there_is_none():
    plain = Settings.read(BASE)
    assert plain.values["stop"] == {"name": "none"}
    assert "stop" not in plain.identity
    assert plain.hash == Settings.read({**BASE, "stop": {"name": "none"}}).hash
    ended = Settings.read({**BASE, "stop": {"name": "evaluations", "evaluations": 9}})
    assert ended.identity["stop"] == {"name": "evaluations", "evaluations": 9}
    assert ended.differences["stop"] == "evaluations"
    assert not any(key.startswith("stop") for key in plain.differences)


def test_a_rule_that_compares_scores_is_refused_where_they_are_of_one_generation_alone(make_plan):
    for stop in ({"name": "target"}, {"name": "no_progress"}, {"name": "any", "rules": ["target:1"]}):
        with pytest.raises(InputError, match=r"stop=\w+ compares scores.*fitness=games.*choose stop=evaluations"):
            make_plan(stop=stop)
        for fitness in ("archive", "archive_games"):
            with pytest.raises(InputError, match=r"stop=\w+ compares scores.*=archive.* remembers.*fitness=panel"):
                make_plan(fitness={"name": fitness}, selection={"name": "truncation"}, stop=stop)
        with pytest.raises(InputError, match=r"siblings members play each other.*fitness=panel"):
            make_plan(fitness={"name": "siblings"}, selection={"name": "truncation"}, stop=stop)


@pytest.mark.parametrize(("fitness", "advice"), [("games", "evaluations or stop=games, "), ("exact", "evaluations, ")])
def test_the_rules_that_are_advised_instead_can_be_chosen(make_plan, fitness, advice):
    with pytest.raises(InputError, match=f"do not measure progress: choose stop={advice}or a fitness"):
        make_plan(fitness={"name": fitness}, stop={"name": "target"})
    for name in re.findall(r"stop=(\w+)", f"stop={advice}"):
        make_plan(fitness={"name": fitness}, stop={"name": name})


@pytest.mark.slow
@pytest.mark.parametrize("seed", [101, 102])
def test_without_selection_twins_come_to_two_fifths_and_no_further(seed):
    """What `docs/explanation/optimum.md` says of the steps of twins that are cut at 0."""
    run = pigevo.evolve(
        "coevolve_noisy", "selection.share=1", "fitness.games=2", "baseline=none", seed=seed, record_every=500
    )
    assert 0.39 < run.metrics["mean"][-1] < 0.4
    assert run.metrics["mean"][0] < 0.15


def test_a_rule_on_games_is_refused_where_none_are_played(make_plan):
    with pytest.raises(InputError, match="fitness=exact_vs_optimal plays no games: choose stop=evaluations"):
        make_plan(**ABSOLUTE, stop={"name": "games"})


WRONG_RULES = [
    ([], "stop.rules is empty"),
    (["evaluation:3"], "no stop rule 'evaluation'"),
    (["any:3"], "no stop rule 'any'"),
    (["games"], "write each rule with its number"),
    (["games:x"], "write each rule with its number"),
    (["games:0"], "games = 0 is out of range"),
    (["games:1.5"], "must be a whole number"),
    (["target:NaN"], "score = nan is out of range"),
    (["rules.py:mine"], r"takes only rules of pigevo: write your own rule .* stop=FILE\.py:NAME"),
]


def test_wrong_rules_are_refused():
    for rules, message in WRONG_RULES:
        with pytest.raises(InputError, match=message):
            Settings.read({**BASE, "stop": {"name": "any", "rules": rules}})
    with pytest.raises(InputError, match=r"stop.rules = \{a:3\} is of the wrong kind: it must be a list"):
        Settings.of("stop=any", "stop.rules={a:3}")


class Falls(StopRule):
    """Ends when the mean has fallen so many times."""

    def __init__(self, times: int = 2):
        self.times = times

    def remember(self, generation, remembered):
        mean = generation.exact.mean(keepdims=True)
        return {"mean": mean, "falls": remembered.get("falls", 0) + (mean < remembered.get("mean", mean))}

    def ends(self, generation, remembered):
        return self.remember(generation, remembered)["falls"][0] >= self.times


def test_a_function_of_one_s_own_ends_the_run_and_changes_nothing_before(make_plan):
    whole = course_of(make_plan())
    ended = course_of(make_plan(stop=lambda generation: generation.state.evaluations >= 24))
    assert [g.state.digest for g in ended] == [g.state.digest for g in whole[: len(ended)]]
    assert ended[-1].number == 3


def test_a_class_of_one_s_own_remembers_and_an_instance_too(make_plan):
    falls = np.diff([generation.exact.mean() for generation in course_of(make_plan(generations=30))]) < 0
    for given, times in ((Falls, 2), (Falls(4), 4)):
        ended = course_of(make_plan(generations=30, stop=given))
        assert ended[-1].number == int(np.flatnonzero(np.cumsum(falls) == times)[0]) + 1
        state = ended[-2].state
        plan = ended[-1].plan
        assert [g.state.digest for g in generations(plan, state)] == [g.state.digest for g in ended[-2:]]


WRONG_FUNCTIONS = [
    (lambda generation: generation.scores.max(), r"the stop rule .* returned a float64; it must return True or"),
    (lambda generation: 1 / 0, r"the stop rule .* failed: ZeroDivisionError: division by zero \(\S+, line \d+\)"),
    (lambda: True, "takes 0 arguments: a stop rule is handed 1"),
    (SimpleNamespace, "SimpleNamespace cannot be a stop rule: its class must inherit from StopRule"),
]


def test_a_wrong_function_is_refused_before_the_run_begins(make_plan):
    for rule, message in WRONG_FUNCTIONS:
        with pytest.raises(InputError, match=message):
            make_plan(stop=rule)
