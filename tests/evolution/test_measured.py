"""What a run's own fitness measured, beside the truth."""

from dataclasses import replace

import numpy as np
import pytest

import pigevo
from pigevo.core.intervals import share_interval
from pigevo.dice import Draw
from pigevo.evolution import champion
from pigevo.evolution.champion import MEASURED, MOST_ELITES, measured
from pigevo.evolution.evaluation import every_pair
from pigevo.evolution.fitness.archive import Archive
from pigevo.evolution.fitness.archive_games import ArchiveGames
from pigevo.evolution.fitness.exact import Exact
from pigevo.evolution.fitness.games import Games
from pigevo.evolution.fitness.siblings import Siblings
from pigevo.evolution.loop import evaluate, first_state, generations
from pigevo.games import Pig
from tests.evolution.helpers import context_of, tables_of

GAME = Pig(target=16)
MEMBERS = [pigevo.random_strategy(GAME, seed=s) for s in range(4)] + [pigevo.hold_at(GAME, n) for n in (3, 6)]
PAST = {"archive": np.packbits(np.stack([pigevo.hold_at(GAME, n).table for n in (5, 9)]).reshape(2, -1), axis=1)}
SOME = np.array([4, 1])


def context(**more):
    return context_of(GAME, Draw(3, "dice", 5), pairs=every_pair(len(MEMBERS)), **more)


def test_the_truth_of_games_is_the_mean_exact_result_against_the_same_members():
    matrix = pigevo.win_matrix(MEMBERS)
    expected = (matrix.sum(axis=1) - matrix.diagonal()) / (len(MEMBERS) - 1)
    assert np.allclose(Games().truth(tables_of(MEMBERS), context(), SOME), expected[SOME], atol=1e-12)
    two = replace(context(), pairs=np.array([[0, 1], [2, 4], [4, 3]]))
    met = [(matrix[4, 2] + matrix[4, 3]) / 2, matrix[1, 0]]
    assert np.allclose(Games().truth(tables_of(MEMBERS), two, SOME), met, atol=1e-12)


@pytest.mark.parametrize("by", ["worst", "mean"])
@pytest.mark.parametrize("state", [PAST, {}], ids=["archive", "first member"])
def test_the_truth_of_an_archive_is_the_exact_fitness_against_the_same_opponents(by, state):
    found = ArchiveGames(by=by).truth(tables_of(MEMBERS), context(state=state), SOME)
    if state:
        expected = Archive(by=by, exploring_starts=0)(tables_of(MEMBERS), context(state=state)).scores
    else:
        expected = pigevo.win_matrix(MEMBERS)[:, 0]
    assert np.allclose(found, expected[SOME], atol=1e-12)


def test_the_truth_of_siblings_is_their_exact_match():
    matrix = pigevo.win_matrix(MEMBERS)
    assert np.allclose(Siblings().truth(tables_of(MEMBERS), context(), SOME), [matrix[4, 5], matrix[1, 0]], atol=1e-12)


FITNESSES = {
    "games": Games(20_000),
    "paired": Games(20_000, paired=True),
    "archive": ArchiveGames(games=40_000, by="mean"),
    "siblings": Siblings(20_000),
}


@pytest.mark.parametrize("fitness", FITNESSES.values(), ids=list(FITNESSES))
def test_scores_of_many_games_come_near_their_truth(fitness):
    from pigevo.evolution.evaluation import pairwise

    tables, met = tables_of(MEMBERS), context(state=PAST)
    found = fitness(tables, met)
    scores = pairwise(len(MEMBERS), met.pairs, found).scores if isinstance(found, np.ndarray) else found.scores
    truth = fitness.truth(tables, met, np.arange(len(MEMBERS)))
    assert np.abs(scores - truth).max() < 4.5 * 0.5 / 20_000**0.5


def test_a_fitness_that_says_nothing_has_no_truth():
    assert Exact().truth(tables_of(MEMBERS), context(), SOME) is None


def test_luck_is_the_champions_score_less_its_truth(make_plan):
    plan = make_plan(population={"name": "random", "size": 30}, generations=2)
    for generation in generations(plan, first_state(plan)):
        order, evaluation = generation.final_order
        found = measured(plan, generation.state, order, evaluation)
        matrix = pigevo.win_matrix(generation.strategies)
        truth = (matrix.sum(axis=1) - matrix.diagonal()) / 29
        best = generation.best
        assert tuple(found) == MEASURED
        assert found["measured"] == evaluation.scores[best] == evaluation.scores.max()
        assert found["measured_games"] == 29 * 20
        won = round(found["measured"] * 29 * 20)
        assert (found["measured_low"], found["measured_high"]) == share_interval(won, 29 * 20)
        assert found["luck"] == pytest.approx(evaluation.scores[best] - truth[best], abs=1e-12)
        elites = order[:3]
        assert found["elites_luck"] == pytest.approx((evaluation.scores - truth)[elites].mean(), abs=1e-12)


def test_the_best_of_many_by_few_games_is_lucky(make_plan):
    plan = make_plan(population={"name": "random", "size": 20}, generations=0, fitness={"name": "games", "games": 1})
    luck = []
    for seed in range(30):
        generation = evaluate(plan.seeded(seed), first_state(plan.seeded(seed)))
        luck.append(measured(generation.plan, generation.state, *generation.final_order)["luck"])
    assert np.mean(luck) > 3 * np.std(luck) / 30**0.5 > 0


def test_elites_are_few(make_plan, monkeypatch):
    plan = make_plan(population={"name": "random", "size": 150}, fitness={"name": "games", "games": 2}, generations=0)
    generation, asked = evaluate(plan, first_state(plan)), []

    def truth(plan, state, pairs, members):
        asked.append(len(members))

    monkeypatch.setattr(champion, "true_scores", truth)
    found = measured(plan, generation.state, *generation.final_order)
    assert asked == [MOST_ELITES]
    assert tuple(found) == MEASURED[:4]


def test_nothing_is_measured_where_nothing_is_played(make_plan):
    generation = next(generations(plan := make_plan(fitness={"name": "exact"}), first_state(plan)))
    assert measured(generation.plan, generation.state, *generation.final_order) == {}
