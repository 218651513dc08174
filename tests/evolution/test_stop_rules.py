"""Stop rules: with which generation a run ends, and that nothing else of it changes."""

from types import SimpleNamespace

import numpy as np
import pytest

from pigevo.errors import InputError
from pigevo.evolution.loop import first_state, generations
from pigevo.evolution.plan import StopRule
from pigevo.evolution.stop import NoProgress
from pigevo.settings.settings import Settings
from tests.evolution import helpers
from tests.evolution.conftest import BASE

ABSOLUTE = {
    "fitness": {"name": "exact_vs_optimal"}, "selection": {"name": "truncation"}, "generations": 30,
    "replacement": {"name": "survivors_and_offspring"},
}  # fmt: skip


def course_of(make_plan, **changes):
    return helpers.course_of(make_plan(**changes))


def bests(course):
    return np.array([generation.scores.max() for generation in course])


def test_target_ends_with_the_first_generation_that_reaches_it_and_its_champion_did(make_plan):
    whole = course_of(make_plan, **ABSOLUTE)
    best = bests(whole)
    target = best[12]
    first = int(np.flatnonzero(best >= target)[0])
    assert 0 < first < 30
    ended = course_of(make_plan, **ABSOLUTE, stop={"name": "target", "score": float(target)})
    assert [g.state.digest for g in ended] == [g.state.digest for g in whole[: first + 1]]
    order, evaluation = ended[-1].final_order
    assert evaluation.scores[order[0]] >= target


def test_scores_of_the_end_are_those_on_the_cubes_of_the_champion(make_plan):
    cubes = {"name": "waves", "sizes": [7, 3, 2], "generations": 3}  # 3 does not divide 7: genomes change between waves
    course = course_of(make_plan, **ABSOLUTE, cubes=cubes)
    for generation in course:
        assert generation.final_scores == pytest.approx(generation.exact, abs=1e-12)
    assert [g.number for g in course if np.abs(g.scores - g.exact).max() > 1e-6] == [3, 6]  # selection looks ahead


@pytest.mark.parametrize("patience", [1, 2, 4])
def test_no_progress_ends_when_the_best_is_so_old_and_not_before(make_plan, patience):
    best = bests(course_of(make_plan, **ABSOLUTE))
    since = [int(np.argmax(best[: n + 1])) for n in range(31)]  # the first of the largest
    expected = next((n for n in range(31) if n - since[n] >= patience), 30)
    ended = course_of(make_plan, **ABSOLUTE, stop={"name": "no_progress", "generations": patience})
    assert ended[-1].number == expected < 30


def test_no_progress_counts_anew_in_the_last_wave_and_ends_no_other(make_plan):
    cubes = {"name": "waves", "sizes": [20, 10], "generations": [10, 10]}
    standing = {**ABSOLUTE, "mutation": 0.0, "generations": 30}
    ended = course_of(make_plan, **standing, cubes=cubes, stop={"name": "no_progress", "generations": 4})
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
        assert course_of(make_plan, stop={"name": "evaluations", "evaluations": most})[-1].number == last


def test_games_ends_with_the_first_generation_before_which_as_many_were_played(make_plan):
    for most, last in ((1, 1), (80, 1), (81, 2), (160, 2)):  # four matches of 20 games in each
        ended = course_of(make_plan, stop={"name": "games", "games": most})
        assert ended[-1].number == last
        assert ended[-1].state.games >= most > ended[-2].state.games


def test_any_ends_with_the_first_of_its_rules_each_with_its_own_memory(make_plan):
    alone = course_of(make_plan, **ABSOLUTE, stop={"name": "no_progress", "generations": 3})[-1].number
    for rules, last in (
        (["no_progress:3"], alone),
        (["no_progress:9", "no_progress:3", "evaluations:1000000"], alone),
        (["evaluations:12", "no_progress:3"], 1),
    ):
        assert course_of(make_plan, **ABSOLUTE, stop={"name": "any", "rules": rules})[-1].number == last


def test_the_decision_depends_on_the_state_alone(make_plan):
    plan = make_plan(**ABSOLUTE, stop={"name": "any", "rules": ["no_progress:3"]})
    whole = [generation.state for generation in generations(plan, first_state(plan))]
    for state in whole[1:]:
        assert [g.state.digest for g in generations(plan, state)] == [s.digest for s in whole[state.generation :]]


def test_it_is_no_part_of_the_identity_where_there_is_none():
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
    whole = course_of(make_plan)
    ended = course_of(make_plan, stop=lambda generation: generation.state.evaluations >= 24)
    assert [g.state.digest for g in ended] == [g.state.digest for g in whole[: len(ended)]]
    assert ended[-1].number == 3


def test_a_class_of_one_s_own_remembers_and_an_instance_too(make_plan):
    falls = np.diff([generation.exact.mean() for generation in course_of(make_plan, generations=30)]) < 0
    for given, times in ((Falls, 2), (Falls(4), 4)):
        ended = course_of(make_plan, generations=30, stop=given)
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
