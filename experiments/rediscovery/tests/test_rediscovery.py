"""The rediscovery study in a tiny form, and the numbers behind a champion beside the optimum."""

import numpy as np
import pytest
from matplotlib.text import Text

import pigevo
from experiments.common.tests.tiny import shorter
from pigevo.experiments import load_study
from pigevo.experiments.common.spent import spent_data
from pigevo.experiments.common.tables import read_sections
from pigevo.experiments.rediscovery import curves
from pigevo.experiments.rediscovery.learned import learned_data, plot_learned
from pigevo.figures.axes import figure_of
from pigevo.runs.load import load_run
from tests.games.tiny import TINY

LONG = ("cubes.generations=", "cubes.sizes=", "record_every=", "population.size=80", "selection.share=")


@pytest.fixture
def tiny(monkeypatch):
    """The study on games to 20 and short, a few generations a run; those of the tuning have few strategies and seeds."""
    study = load_study("rediscovery")
    words = shorter(study, "debug=fast game.target=20", LONG)
    monkeypatch.setattr(study, "read_settings", lambda _: words)
    monkeypatch.setattr(study.tuning, "BUDGET", 100)
    monkeypatch.setattr(study.tuning, "TESTED", range(990_001, 990_004))
    return study


@pytest.mark.slow
def test_the_study_writes_every_picture_and_table(tiny, tmp_path):
    tiny.run(tmp_path, 1, 2)
    seeds = {
        part: sorted(path.name for path in (tmp_path / "runs" / part).iterdir()) for part in ("coevolve", "no_flips")
    }
    assert seeds == {"coevolve": ["seed_2000"], "no_flips": ["seed_00", "seed_01"]}  # goals have fresh ones
    pictures = {path.name for path in tmp_path.iterdir() if path.suffix in {".png", ".gif"}}
    assert pictures == {"goals.png", "ingredients.png", "generations.png", "learned.png", "evolution.gif"}
    assert_the_table_has_the_curves_of_the_runs(tiny, tmp_path)
    goals, confirmation, ingredients = (
        read_sections(tmp_path)[name] for name in ("goals", "confirmation", "ingredients")
    )
    assert "coevolve exploring starts" in confirmation
    assert all(tiny._words(name) in goals + confirmation for name in tiny.GOALS)
    assert "random search" in ingredients
    assert ingredients.count("hill climber on cubes") == 2
    assert "the last champion alone" in read_sections(tmp_path)["opponents"]
    assert "cycles of three" in read_sections(tmp_path)["learned"]


def assert_the_table_has_the_curves_of_the_runs(study, folder):
    drawn = curves.read(folder / "ingredients.csv")
    runs = [load_run(folder / "runs" / "half_survives" / f"seed_{seed:02d}").metrics for seed in (0, 1)]
    expected = spent_data(runs)
    assert drawn["half survives"].x == pytest.approx(expected.x)
    assert drawn["half survives"].best == pytest.approx(expected.best, abs=1e-9, nan_ok=True)
    goals = curves.read(folder / "goals.csv")
    assert set(goals) == {study._words(name) for name in study.GOALS if not name.startswith("exploit")} - {
        "coevolve exploring starts"
    } | {"coevolve noisy"}


def test_a_setting_has_the_curves_of_its_own_seeds(tmp_path):
    table = tmp_path / "curves.csv"
    table.write_text("setting,strategies,3,4\na_b,0,0.1,0.2\na_b,9,0.3,0.4\nc,0,,0.2\nc,9,,0.3\n")
    found = curves.read(table)
    assert list(found) == ["a b", "c"]
    assert found["a b"].best[:, -1].tolist() == [0.3, 0.4]
    assert found["c"].best[:, -1].tolist() == [0.3]


def test_a_goal_is_met_by_a_share_of_the_runs_with_its_interval():
    study = load_study("rediscovery")
    assert study._met(np.array([*[0.4998] * 29, 0.49979]), 0.4998) == "0.4998 | 29 of 30 (0.83 to 1.00)"
    assert study._met(np.array([-0.0011, 0.0]), -0.001) == "-0.001 | 1 of 2 (0.01 to 0.99)"
    assert study._met(np.array([0.4]), None) == " | "


GAME = pigevo.Pig(target=20)


def test_colours_say_where_a_champion_in_play_holds_later_or_earlier():
    """The champion holds at 4 where the own score is even, and rolls to win where it is odd."""
    champion = pigevo.Strategy.from_function(pigevo.Pig(target=60), lambda i, j, k: (k < 4) | (i % 2 == 1))
    data = learned_data(champion)
    panels = plot_learned(data)
    drawn = np.ma.filled(panels[2].get_images()[0].get_array(), np.nan).T
    turns = pigevo.reach(champion, pigevo.optimal(champion.game).strategy).overall[:, :, 0]
    assert np.array_equal(np.isnan(drawn), turns < 1e-3)
    assert np.array_equal(drawn[turns >= 1e-3], np.sign(data.champion - data.best)[turns >= 1e-3])
    assert {-1, 1} <= set(drawn[turns >= 1e-3].tolist())
    (title,) = [text for text in figure_of(panels).findobj(Text) if text.get_text().endswith("of all cells)")]
    assert "\n" not in title.get_text()


def test_the_optimum_has_learned_everything():
    data = learned_data(pigevo.optimal(GAME).strategy)
    assert data.agreement == data.cells_agree == 1
    assert np.array_equal(data.champion, data.best)


@pytest.mark.parametrize("total", [1, 2])  # play never decides at 1: a die has no gain of one point
def test_agreement_weighs_decisions_by_how_often_play_has_them(total):
    best = pigevo.optimal(GAME).strategy
    roll = best.roll.copy()
    roll[0, 0, total] = False
    wrong = pigevo.Strategy(GAME, roll, "wrong once")
    visits = pigevo.reach(wrong, best).overall
    share = visits[0, 0, total] / visits[np.broadcast_to(GAME.decision_states, GAME.shape)].sum()
    assert (share > 0) == (total > 1)
    assert learned_data(wrong).agreement == pytest.approx(1 - share, abs=1e-12)
    assert len(plot_learned(learned_data(wrong))) == 4


def test_other_games_are_refused():
    with pytest.raises(pigevo.InputError, match=r"what a champion has learned is for races of one die.*\.$"):
        learned_data(pigevo.hold_at(TINY["ten_rounds"], 3))
