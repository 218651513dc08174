"""Selections of several rounds: who meets whom, who survives, and that each match has dice of its own."""

from dataclasses import replace

import numpy as np
import pytest

import pigevo
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution import toolbox as module
from pigevo.evolution.evaluation import Evaluation, with_round
from pigevo.evolution.operators import Context
from pigevo.evolution.selection.rounds import Bracket, DoubleElimination, Swiss, _points
from pigevo.evolution.toolbox import make_toolbox
from pigevo.settings.settings import Settings
from tests.small import small_words

GRID = pigevo.CubeGrid(pigevo.Pig(target=4), 2)


def played(selection, strengths, seed=1, drawn=False):
    """All rounds between members of whom the stronger one always wins, or all of whose matches are drawn."""
    size, context = len(strengths), Context(Draw(seed, "selection"), GRID)
    evaluation, rounds = Evaluation.of_matches(size, np.empty((0, 2), np.int64), np.empty((0, 2))), []
    pairs = selection.pairs(size, context)
    while len(pairs):
        wins = 0.5 * np.ones(pairs.shape) if drawn else (strengths[pairs] > strengths[pairs[:, ::-1]]).astype(float)
        evaluation = with_round(evaluation, Evaluation(strengths, pairs, wins))
        rounds.append(pairs)
        pairs = selection.next_pairs(size, replace(context, evaluation=evaluation))
    chosen = selection(evaluation.scores, replace(context, scores=evaluation.scores, evaluation=evaluation))
    return rounds, chosen.tolist()


def winners_and_losers(strengths, pairs):
    first_wins = (strengths[pairs[:, 0]] > strengths[pairs[:, 1]])[:, None]
    return np.where(first_wins, pairs, pairs[:, ::-1]).T


@pytest.mark.parametrize("size", [2, 3, 7, 8, 20])
@pytest.mark.parametrize("selection", [Swiss(5), Bracket(2), DoubleElimination(3)], ids=str)
@pytest.mark.parametrize("drawn", [False, True])
def test_nobody_plays_twice_in_a_round_and_the_best_survives(selection, size, drawn):
    for seed in range(5):
        strengths = Draw(seed, "population").uniforms(size)
        rounds, chosen = played(selection, strengths, seed, drawn)
        assert len(rounds) <= selection.rounds
        for pairs in rounds:
            assert len(np.unique(pairs)) == pairs.size
        assert len(set(chosen)) == len(chosen) >= 1
        assert drawn or int(strengths.argmax()) in chosen


@pytest.mark.parametrize(("selection", "matches", "left"),
                         [(Bracket(1), [10], 10), (Bracket(2), [10, 5], 5), (Bracket(4), [10, 5, 2, 1], 2),
                          (DoubleElimination(3), [10, 10, 7], 10), (Swiss(3), [10, 10, 10], 10)], ids=str)  # fmt: skip
def test_so_many_matches_leave_so_many_of_twenty(selection, matches, left):
    rounds, chosen = played(selection, np.arange(20.0))
    assert ([len(pairs) for pairs in rounds], len(chosen)) == (matches, left)


def test_only_who_has_lost_too_often_is_out():
    for selection in (Bracket(3), DoubleElimination(4)):
        strengths = Draw(4, "population").uniforms(16)
        rounds, chosen = played(selection, strengths)
        losses = np.zeros(16, int)
        for pairs in rounds:
            assert (losses[pairs] < selection.lives).all()
            assert (losses[pairs[:, 0]] == losses[pairs[:, 1]]).all()
            losses[winners_and_losers(strengths, pairs)[1]] += 1
        assert sorted(chosen) == np.flatnonzero(losses < selection.lives).tolist()


def test_swiss_players_with_equally_many_points_meet_and_none_twice():
    strengths = Draw(3, "population").uniforms(16)
    rounds, chosen = played(Swiss(4), strengths)
    met, points = set(), np.zeros(16)
    for number, pairs in enumerate(rounds):
        for pair in pairs.tolist():
            assert tuple(sorted(pair)) not in met
            met.add(tuple(sorted(pair)))
        if number < 2:  # later somebody's equals may all have been met
            assert (points[pairs[:, 0]] == points[pairs[:, 1]]).all()
        points[winners_and_losers(strengths, pairs)[0]] += 1
    assert points[chosen].min() >= np.delete(points, chosen).max()
    assert chosen[0] == strengths.argmax()


def test_of_an_odd_number_everyone_sits_out_equally_often():
    rounds, _ = played(Swiss(5), np.arange(5.0))
    assert np.bincount(np.concatenate(rounds).ravel(), minlength=5).tolist() == [4] * 5


@pytest.mark.parametrize(("size", "rounds"), [(3, 4), (3, 5), (5, 5), (5, 7), (7, 3), (8, 3)])
def test_a_round_without_an_opponent_is_a_point_also_for_those_who_have_had_several(size, rounds):
    strengths = Draw(size, "population").uniforms(size)
    all_rounds, _ = played(Swiss(rounds), strengths)
    points = np.zeros(size)
    for pairs in all_rounds:
        points[winners_and_losers(strengths, pairs)[0]] += 1
        points[np.setdiff1d(np.arange(size), pairs)] += 1
    pairs = np.concatenate(all_rounds)
    wins = (strengths[pairs] > strengths[pairs[:, ::-1]]).astype(float)
    assert _points(Evaluation.of_matches(size, pairs, wins), size).tolist() == points.tolist()
    assert points.sum() == rounds * -(-size // 2)


def test_drawn_matches_are_decided_by_a_coin():
    firsts = [1 in played(Bracket(1), np.zeros(2), seed, drawn=True)[1] for seed in range(400)]
    assert 150 < sum(firsts) < 250


@pytest.mark.parametrize("name", ["swiss", "bracket", "double_elimination"])
def test_each_match_has_the_dice_of_its_place(name):
    """So that all rounds at once would give the same results, and any game can be replayed."""
    plan = Settings.of(*small_words(f"selection={name}", "population.size=12")).plan
    toolbox = make_toolbox(plan, plan.waves[0].grid)
    genomes = toolbox.population()
    by_rounds = toolbox.evaluate(genomes, 3)
    at_once = toolbox.evaluate(genomes, 3, pairs=by_rounds.pairs)
    assert len(by_rounds.pairs) > 12 // 2
    assert np.array_equal(by_rounds.wins, at_once.wins)
    assert np.allclose(by_rounds.scores, at_once.scores)
    assert by_rounds.games == at_once.games == 10 * len(by_rounds.pairs)


def test_absolute_scores_are_compared_in_each_round():
    words = "debug=fast", "game.target=12", "population.size=6", "selection=swiss", "fitness=exact_vs_optimal"
    plan = Settings.of(*words).plan
    toolbox = make_toolbox(plan, plan.waves[0].grid)
    evaluation = toolbox.evaluate(toolbox.population(), 0)
    assert np.array_equal(evaluation.wins, evaluation.scores[evaluation.pairs])
    assert len(evaluation.pairs) == 5 * 3


def test_rounds_without_end_are_refused(monkeypatch):
    class Endless(pigevo.Selection):
        def next_pairs(self, size, context):
            return np.array([[0, 1]])

        def __call__(self, scores, context):
            return np.arange(1)

    monkeypatch.setattr(module, "MOST_ROUNDS", 20)
    with pytest.raises(InputError, match="more than 20 rounds"):
        pigevo.evolve("debug=fast", "game.target=9", "baseline=none", "fitness=exact", selection=Endless)
