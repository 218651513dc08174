"""The panel of named opponents as a fitness."""

import numpy as np
import pytest

import pigevo
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.fitness.exact import panel
from pigevo.settings.settings import Settings
from pigevo.strategies import parse_strategy
from tests.evolution.helpers import context_of, tables_of

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
