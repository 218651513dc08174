"""The champion of a large population: named within a budget of matches, which is announced before and counted after."""

import logging
import time

import numpy as np
import pytest

import pigevo
from pigevo.evolution import loop, plan
from pigevo.evolution.toolbox import toolbox_of
from pigevo.settings.settings import Settings

WORDS = {
    "game.target": 12, "population.size": 20, "generations": 2, "fitness.games": 10, "baseline": "random_search",
    "baseline.populations": 2,
}  # fmt: skip
FEW = 8


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(plan, "MOST_FINALISTS", FEW)


def test_the_best_by_the_matches_of_selection_meet_each_other(few):
    generations = list(loop.generations(Settings.of(**WORDS).plan, loop.first_state(Settings.of(**WORDS).plan)))
    last = generations[-1]
    order, evaluation = last.final_order
    tools = toolbox_of(last.plan, last.state.wave)
    before = tools.evaluate(last.genomes, last.number, last.state.memory)
    among = np.unique(evaluation.pairs)
    assert len(evaluation.pairs) == FEW * (FEW - 1) // 2
    assert len(among) == FEW
    assert before.scores[among].min() >= np.delete(before.scores, among).max()
    assert set(order[:FEW]) == set(among)
    assert evaluation.scores[order[0]] == evaluation.scores[among].max()


def test_the_matches_are_announced_and_counted_and_the_run_can_be_made_again(few, caplog, tmp_path, monkeypatch):
    real = loop.final_evaluation
    monkeypatch.setattr(loop, "final_evaluation", lambda *last: (time.sleep(0.2), real(*last))[1])
    with caplog.at_level(logging.INFO):
        run = pigevo.evolve(**WORDS, folder=tmp_path / "run")
    assert f"only the best {FEW} of the last generation" in caplog.text
    assert "which takes 280 games" in caplog.text
    assert run.result["champion_games"] == 10 * (10 + FEW * (FEW - 1) // 2)
    assert run.result["games"] == 2 * 100 + run.result["champion_games"]
    assert run.result["seconds"] >= 0.2
    assert pigevo.evolve(**WORDS).result["digest"] == run.result["digest"]


@pytest.mark.parametrize(
    ("words", "whole"), [({}, False), ({"selection": "truncation"}, True), ({"fitness": "exact_vs_optimal"}, True)]
)
def test_all_meet_where_selection_lets_them_or_nobody_meets(few, words, whole):
    assert Settings.of(**{"population.size": 20, **words}).plan.all_are_finalists == whole


def test_members_that_are_scored_alone_get_no_pairs_and_the_same_champion_as_with_them(few, monkeypatch):
    words = {key: value for key, value in WORDS.items() if key != "fitness.games"} | {"fitness": "exact_vs_optimal"}
    alone, found = Settings.of(**words).plan, pigevo.evolve(**words)
    last = loop.final_evaluation(alone, loop.first_state(alone))
    monkeypatch.setattr(plan, "MOST_FINALISTS", 20)
    paired = loop.final_evaluation(alone, loop.first_state(alone))
    assert (len(last.pairs), len(paired.pairs)) == (0, 190)
    assert np.array_equal(last.scores, paired.scores)
    assert pigevo.evolve(**words).result["champion"] == found.result["champion"]


def test_of_an_ordinary_population_all_meet():
    assert Settings.of(**WORDS).plan.champion_matches == 190
