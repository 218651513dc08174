"""The tables of rediscovery follow from its runs, and the claims of its README from the tables."""

import numpy as np
import pytest
from scipy import stats

from experiments.common.tests.prose import cells_of, readme_and_tables
from pigevo.experiments import experiments_folder, load_study
from pigevo.experiments.rediscovery import curves, settled, tuning
from pigevo.experiments.rediscovery.settled import INGREDIENTS

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
    drawn = curves.read(PLACE / "goals.csv")
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
    drawn = curves.read(PLACE / "ingredients.csv")
    assert len(load_study("rediscovery").PICTURES["ingredients"](drawn)) == len(drawn) - 1
    for name, spent in drawn.items():
        (_, runs, _, *spread), *_ = cells_of(TABLES["ingredients"], f"{name} | 10 |")
        ends = spent.best[:, -1]
        assert (len(ends), [f"{end:.5f}" for end in (np.median(ends), ends.min(), ends.max())]) == (int(runs), spread)


def test_the_table_of_the_tuning_follows_from_its_rows(monkeypatch):
    monkeypatch.setattr(tuning, "best_after", lambda words, seed: pytest.fail("a run is missing"))
    assert tuning.as_markdown(tuning.measured(PLACE / "tuning.csv")) == TABLES["tuning"]


def test_both_families_are_tuned_alike_and_judged_on_fresh_seeds():
    rows = tuning.measured(PLACE / "tuning.csv")
    runs = {family: [key for key in rows if key[0] == family] for family in (*tuning.FAMILIES, *tuning.LESS)}
    tuned = [sorted(key[1:] for key in runs[family] if key[1] != "test") for family in tuning.FAMILIES]
    assert tuned[0] == tuned[1]
    assert len(tuned[0]) == tuning.CONFIGS * len(tuning.TUNING)
    assert all([key[2] for key in own if key[1] == "test"] == list(tuning.TESTED) for own in runs.values())
    assert not set(tuning.TESTED) & set(tuning.TUNING)


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


@pytest.mark.parametrize(("name", "seeds"), [("settled", 30), ("opponents", SEEDS)])
def test_the_table_of_a_plan_follows_from_its_runs_on_fresh_seeds(name, seeds):
    plan, rows = settled.PLANS[name], settled.read(PLACE / f"{name}.csv")
    assert settled.as_markdown(rows, plan) == TABLES[name]
    assert list(rows) == list(plan.settings)
    assert all(list(runs) == list(range(plan.first, plan.first + seeds)) for runs in rows.values())
    assert not set(rows[plan.reference]) & set(tuning.TESTED)


def test_the_answer_is_what_the_tables_say():
    """Which ingredient does it: the sentences that compare, on the figures that they compare."""
    verdicts = {
        verdict.setting: verdict for verdict in settled.settled(settled.read(PLACE / "settled.csv"), INGREDIENTS)
    }
    assert {name: verdict.verdict for name, verdict in verdicts.items()} == {
        "moves_alone": "worse", "no_level_moves": "worse", "cells_from_the_start": "as good, a little better",
        "survivors_not_kept": "as good, a little worse", "half_survives": "as good", "no_crossover": "as good",
        "no_aim_at_visits": "as good", "moves_chosen_alike": "as good", "no_flips": "as good", "flips_alone": "worse",
    }  # fmt: skip
    assert verdicts["flips_alone"].mean / verdicts["moves_alone"].mean > 10
    behind = {name: sum(figure < INGREDIENTS.behind for figure in runs.values())
              for name, runs in settled.read(PLACE / "settled.csv").items()}  # fmt: skip
    assert behind["all_ingredients"] == 0 < behind["no_level_moves"] < behind["flips_alone"] == 30
    explained = " ".join((PLACE.parents[1] / "docs/explanation/optimum.md").read_text().split())
    for name, sentence in (("moves_alone", "end {} lower"), ("no_level_moves", "level moves {} lower")):
        assert sentence.format(f"{-verdicts[name].mean:.5f}".lstrip("0")) in explained


@pytest.mark.slow
def test_a_run_of_the_tuning_is_the_same_again_and_keeps_its_budget():
    rows = tuning.measured(PLACE / "tuning.csv")
    for family in tuning.FAMILIES:
        best = tuning.chosen(rows, family)
        assert tuning.best_after(tuning.words(family, best), 990_001) == pytest.approx(rows[family, "test", 990_001])
