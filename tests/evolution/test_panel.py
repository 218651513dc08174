"""The panel of named opponents as a fitness."""

import numpy as np
import pytest

import pigevo
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.fitness.exact import exact_vs
from pigevo.evolution.fitness.panel import panel
from pigevo.evolution.loop import evaluate, first_state
from pigevo.evolution.toolbox import make_toolbox
from pigevo.settings.settings import Settings
from pigevo.strategies import parse_strategy
from tests.evolution.helpers import context_of, states_of, tables_of

GAME = pigevo.Pig(target=16)
PANEL = ("hold_at:5", "score:9", "optimal")
MEMBERS = [pigevo.random_strategy(GAME, seed=seed) for seed in range(6)]
PAIRS = np.array([[4, 0], [1, 5]])


def told(fitness, **options):
    return fitness(tables_of(MEMBERS), context_of(GAME, Draw(3, "dice"), pairs=PAIRS), **options)


@pytest.mark.parametrize(("by", "of"), [("mean", np.mean), ("worst", np.min)])
def test_the_score_is_the_mean_or_the_worst_of_the_exact_win_probabilities(by, of):
    expected = [[pigevo.win_probability(m, parse_strategy(o, GAME)).overall for o in PANEL] for m in MEMBERS]
    found = told(panel, opponents=PANEL, by=by)
    assert found.cases == pytest.approx(np.array(expected), abs=1e-12)
    assert found.scores == pytest.approx(of(expected, axis=1), abs=1e-12)
    assert found.wins[0].tolist() == [found.scores[4], found.scores[0]]
    assert found.games == 0


def test_by_mean_and_by_worst_other_members_are_the_best_somewhere():
    mean, worst = (told(panel, opponents=PANEL, by=by).scores for by in ("mean", "worst"))
    assert (worst < mean).all()
    assert not np.array_equal(np.argsort(mean), np.argsort(worst))


def test_one_opponent_is_exact_vs(make_plan):
    assert np.array_equal(told(panel, opponents=["hold_at:7"]).scores, told(exact_vs, opponent="hold_at:7"))
    runs = [
        [state.digest for state in states_of(make_plan(fitness=fitness))]
        for fitness in (
            {"name": "panel", "opponents": ["hold_at:7"], "by": "worst"}, {"name": "exact_vs", "opponent": "hold_at:7"}
        )
    ]  # fmt: skip
    assert runs[0] == runs[1]


def test_each_opponent_is_a_case_of_lexicase(make_plan):
    plan = make_plan(
        fitness={"name": "panel", "opponents": list(PANEL)}, selection={"name": "lexicase", "epsilon": 0.0}
    )
    first = first_state(plan)
    generation = evaluate(plan, first)
    assert generation.evaluation.cases.shape == (8, 3)
    best = set(generation.evaluation.cases.argmax(axis=0).tolist())
    chosen = make_toolbox(plan, plan.waves[0].grid).select(generation.evaluation, 0)
    assert set(chosen.tolist()) <= best


def test_saved_strategies_are_taken_and_belong_to_the_run_by_what_is_in_them(tmp_path):
    path = str(pigevo.hold_at(GAME, 9).save(tmp_path / "s.npz"))
    assert np.array_equal(told(panel, opponents=[path]).scores, told(panel, opponents=["hold_at:9"]).scores)
    words = "game.target=16", "fitness=panel", f"fitness.opponents=['{path}']"
    before = Settings.of(*words).hash
    pigevo.hold_at(GAME, 8).save(tmp_path / "s.npz")
    assert Settings.of(*words).hash != before


def test_nobody_and_unknown_names_are_refused(make_plan):
    with pytest.raises(InputError, match=r"fitness\.opponents is empty: give at least one"):
        make_plan(fitness={"name": "panel", "opponents": []})
    with pytest.raises(InputError, match=r"fitness\.opponents: .*did you mean hold_at"):
        make_plan(fitness={"name": "panel", "opponents": ["hold_at:3", "hold_on"]})
