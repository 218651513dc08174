"""The rediscovery study in a tiny form, a champion beside the optimum, the tables of its runs, and the claims of its README."""

import csv

import numpy as np
import pytest
from matplotlib.text import Text
from scipy import stats

import pigevo
from experiments.common.tests.prose import cells_of, readme_and_tables
from pigevo.experiments import experiments_folder
from pigevo.experiments.common.spent import spent_data
from pigevo.experiments.common.tables import read_sections
from pigevo.experiments.rediscovery import settled, study
from pigevo.experiments.rediscovery.settled import INGREDIENTS
from pigevo.experiments.rediscovery.study import learned_data, plot_learned
from pigevo.figures.axes import figure_of
from pigevo.runs.load import load_run
from tests.reference.any_game import TINY
from tests.small import shorter

LONG = ("cubes.generations=", "cubes.sizes=", "record_every=", "population.size=80", "selection.share=")


@pytest.fixture
def tiny(monkeypatch):
    """The study on games to 20 and short, a few generations a run; those of the tuning have few strategies and seeds."""
    words = shorter(study, "debug=fast game.target=20", LONG)
    monkeypatch.setattr(study, "read_settings", lambda _: words)
    monkeypatch.setattr(study.settled, "BUDGET", 100)
    monkeypatch.setattr(study.settled, "TESTED", range(990_001, 990_004))
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
    assert_the_table_has_the_curves_of_the_runs(tmp_path)
    goals, confirmation, ingredients = (
        read_sections(tmp_path)[name] for name in ("goals", "confirmation", "ingredients")
    )
    assert "coevolve exploring starts" in confirmation
    assert all(tiny._words(name) in goals + confirmation for name in tiny.GOALS)
    assert "random search" in ingredients
    assert ingredients.count("hill climber on cubes") == 2
    assert "the last champion alone" in read_sections(tmp_path)["opponents"]
    assert "cycles of three" in read_sections(tmp_path)["learned"]


def assert_the_table_has_the_curves_of_the_runs(folder):
    drawn = study.read_curves(folder / "ingredients.csv")
    runs = [load_run(folder / "runs" / "half_survives" / f"seed_{seed:02d}").metrics for seed in (0, 1)]
    expected = spent_data(runs)
    assert drawn["half survives"].x == pytest.approx(expected.x)
    assert drawn["half survives"].best == pytest.approx(expected.best, abs=1e-9, nan_ok=True)
    goals = study.read_curves(folder / "goals.csv")
    assert set(goals) == {study._words(name) for name in study.GOALS if not name.startswith("exploit")} - {
        "coevolve exploring starts"
    } | {"coevolve noisy"}


def test_a_setting_has_the_curves_of_its_own_seeds(tmp_path):
    table = tmp_path / "curves.csv"
    table.write_text("setting,strategies,3,4\na_b,0,0.1,0.2\na_b,9,0.3,0.4\nc,0,,0.2\nc,9,,0.3\n")
    found = study.read_curves(table)
    assert list(found) == ["a b", "c"]
    assert found["a b"].best[:, -1].tolist() == [0.3, 0.4]
    assert found["c"].best[:, -1].tolist() == [0.3]


def test_a_goal_is_met_by_a_share_of_the_runs_with_its_interval():
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


PLACE = experiments_folder() / "rediscovery"
README, TABLES = readme_and_tables("rediscovery")
PROSE = " ".join(README.split())
SEEDS = 16
"""Of the thirty seeds that were planned for the opponents, those that all settings have."""


@pytest.mark.parametrize(
    ("table", "run", "headline"),
    [
        ("goals", "rediscover", "runs of `rediscover` wins .49982"),
        ("goals", "coevolve", "runs of `coevolve` wins .49912"),
        ("confirmation", "coevolve exploring starts", "with exploring starts wins .49980"),
    ],
)
def test_thirty_fresh_runs_meet_the_goal_and_the_least_is_the_headline(table, run, headline):
    ((_, runs, _, least, _, goal, share, *_),) = cells_of(TABLES[table], f"{run} |")
    assert runs == "30"
    assert share.startswith("30 of 30")
    assert float(least) > float(goal)
    assert headline.endswith(f"wins {least[1:]}")
    assert headline in PROSE


def test_the_curves_of_the_goals_are_those_of_the_first_seeds_and_end_within_the_range_of_the_table():
    drawn = study.read_curves(PLACE / "goals.csv")
    with (PLACE / "goals.csv").open() as file:
        assert next(file).split() == ["setting,strategies,2000,2001,2002"]
    assert "the first three of the thirty seeds" in PROSE
    assert len(drawn) == 8
    for name, spent in drawn.items():
        ((_, runs, _, least, greatest, *_),) = cells_of(TABLES["goals"], f"{name} | 30 |")
        assert (runs, spent.best.shape[0]) == ("30", 3)
        ends = spent.best[:, -1]
        assert float(least) - 0.000005 <= ends.min() <= ends.max() <= float(greatest) + 0.000005


def test_the_curves_of_the_ingredients_end_where_their_table_says():
    drawn = study.read_curves(PLACE / "ingredients.csv")
    assert len(study.PICTURES["ingredients"](drawn)) == len(drawn) - 1
    for name, spent in drawn.items():
        (_, runs, _, *spread), *_ = cells_of(TABLES["ingredients"], f"{name} | 10 |")
        ends = spent.best[:, -1]
        assert (len(ends), [f"{end:.5f}" for end in (np.median(ends), ends.min(), ends.max())]) == (int(runs), spread)


def test_the_table_of_the_tuning_follows_from_its_rows(monkeypatch):
    monkeypatch.setattr(settled, "best_after", lambda words, seed: pytest.fail("a run is missing"))
    assert settled.tuning_table(settled.tuned(PLACE / "tuning.csv")) == TABLES["tuning"]


def test_both_families_are_tuned_alike_and_judged_on_fresh_seeds():
    rows = settled.tuned(PLACE / "tuning.csv")
    runs = {family: [key for key in rows if key[0] == family] for family in (*settled.FAMILIES, *settled.LESS)}
    tuned = [sorted(key[1:] for key in runs[family] if key[1] != "test") for family in settled.FAMILIES]
    assert tuned[0] == tuned[1]
    assert len(tuned[0]) == settled.CONFIGS * len(settled.TUNING)
    assert all([key[2] for key in own if key[1] == "test"] == list(settled.TESTED) for own in runs.values())
    assert not set(settled.TESTED) & set(settled.TUNING)


def settings_of(*differences):
    """Rows of all ingredients and of settings that differ from them by 30 values each."""
    whole = dict(enumerate(np.linspace(0.4990, 0.4994, 30).tolist(), INGREDIENTS.first))
    others = {f"{n}": {seed: figure + d for (seed, figure), d in zip(whole.items(), of, strict=True)}
              for n, of in enumerate(differences)}  # fmt: skip
    return {INGREDIENTS.reference: whole, **others}


def test_a_verdict_is_that_of_the_interval_and_of_the_smallest_effect_of_interest():
    spread = np.linspace(-1, 1, 30)
    verdicts = settled.settled(
        settings_of(
            1e-4 * spread, -2e-4 + 1e-4 * spread, -6e-4 + 1e-4 * spread, 6e-4 + 1e-4 * spread, 4e-3 * spread
        ),
        INGREDIENTS,
    )  # fmt: skip
    assert [verdict.verdict for verdict in verdicts] == [
        "as good",
        "as good, a little worse",
        "worse",
        "better",
        "undecided",
    ]
    assert all(verdict.low < verdict.mean < verdict.high for verdict in verdicts)
    settings = len(INGREDIENTS.settings) - 1
    alone = stats.t.interval(1 - 0.05 / settings, 29, verdicts[2].mean, stats.sem(-6e-4 + 1e-4 * spread))
    assert (verdicts[2].low, verdicts[2].high) == pytest.approx(alone)


def test_what_few_seeds_say_is_undecided():
    rows = {name: {1: figures[INGREDIENTS.first]} for name, figures in settings_of(np.ones(30)).items()}
    assert [verdict.verdict for verdict in settled.settled(rows, INGREDIENTS)] == ["undecided"]


def read_runs(name):
    """The champions of a plan by setting and seed."""
    rows = {}
    with (PLACE / "settled.csv").open(newline="", encoding="utf-8") as file:
        for one in (row for row in csv.DictReader(file) if row["setting"] in settled.PLANS[name].settings):
            rows.setdefault(one["setting"], {})[int(one["seed"])] = float(one["champion"])
    return rows


@pytest.mark.parametrize(("name", "seeds"), [("settled", 30), ("opponents", SEEDS)])
def test_the_table_of_a_plan_follows_from_its_runs_on_fresh_seeds(name, seeds):
    plan, rows = settled.PLANS[name], read_runs(name)
    assert settled.settled_table(rows, plan) == TABLES[name]
    assert list(rows) == list(plan.settings)
    assert all(list(runs) == list(range(plan.first, plan.first + seeds)) for runs in rows.values())
    assert not set(rows[plan.reference]) & set(settled.TESTED)


def test_the_answer_is_what_the_tables_say():
    """Which ingredient does it: the sentences that compare, on the figures that they compare."""
    verdicts = {verdict.setting: verdict for verdict in settled.settled(read_runs("settled"), INGREDIENTS)}
    assert {name: verdict.verdict for name, verdict in verdicts.items()} == {
        "moves_alone": "worse", "no_level_moves": "worse", "cells_from_the_start": "as good, a little better",
        "survivors_not_kept": "as good, a little worse", "half_survives": "as good", "no_crossover": "as good",
        "no_aim_at_visits": "as good", "moves_chosen_alike": "as good", "no_flips": "as good", "flips_alone": "worse",
    }  # fmt: skip
    assert verdicts["flips_alone"].mean / verdicts["moves_alone"].mean > 10
    behind = {name: sum(figure < INGREDIENTS.behind for figure in runs.values())
              for name, runs in read_runs("settled").items()}  # fmt: skip
    assert behind["all_ingredients"] == 0 < behind["no_level_moves"] < behind["flips_alone"] == 30
    explained = " ".join((PLACE.parents[1] / "docs/explanation/optimum.md").read_text().split())
    for name, sentence in (("moves_alone", "end {} lower"), ("no_level_moves", "level moves {} lower")):
        assert sentence.format(f"{-verdicts[name].mean:.5f}".lstrip("0")) in explained


@pytest.mark.slow
def test_a_run_of_the_tuning_is_the_same_again_and_keeps_its_budget():
    rows = settled.tuned(PLACE / "tuning.csv")
    for family in settled.FAMILIES:
        best = settled.chosen_setting(rows, family)
        assert settled.best_after(settled.words_of_setting(family, best), 990_001) == pytest.approx(
            rows[family, "test", 990_001]
        )
