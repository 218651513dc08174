"""Questions are answered exactly and by games, with the figures of the public functions."""

import numpy as np
import pytest

import pigevo
from pigevo.dice import Draw
from pigevo.experiments.benchmark import REFERENCE, Question, instance
from pigevo.experiments.benchmark.answers import answer, dice_of, judge

PAIRS = np.array([[0, 1], [1, 0], [2, 2], [0, 3], [0, 1]])
ABSOLUTE = np.array([[0, REFERENCE], [1, 2], [3, REFERENCE]])


def question(place, pairs=PAIRS, seed=1):
    return Question(place.problem(seed).start(4), pairs)


DICE = dice_of(1, "", 0)


@pytest.mark.parametrize(("name", "pairs"), [("t12-d3", PAIRS), ("t12-d3-c2-oracle", ABSOLUTE)])
def test_exact_answers_are_win_probabilities_and_the_reference_opponent_is_the_optimum(name, pairs):
    place = instance(name)
    meetings = question(place, pairs)
    strategies = [place.grid.strategy(row) for row in meetings.genomes]
    opponents = {REFERENCE: pigevo.optimal(place.game).strategy} | dict(enumerate(strategies))
    right = [pigevo.win_probability(strategies[a], opponents[b]).overall for a, b in pairs.tolist()]
    assert answer(place, meetings, DICE) == pytest.approx(right, abs=1e-12)


@pytest.mark.parametrize("name", ["t12-d3-c2-g20000", "t12-d3-c2-g20000-oracle"])
def test_played_answers_scatter_around_the_exact_ones(name):
    noisy = instance(name)
    exact = instance(name.replace("g20000", "exact"))
    pairs = ABSOLUTE if noisy.opponent == "optimal" else PAIRS
    played = answer(noisy, question(noisy, pairs), DICE)
    right = answer(exact, question(exact, pairs), DICE)
    assert np.abs(played - right).max() < 4.5 * 0.5 / 20000**0.5  # four and a half standard deviations
    assert played * 20000 == pytest.approx((played * 20000).round(), abs=1e-6)
    assert len(set(played.tolist())) > len(set(right.round(12).tolist())) - 2


def test_dice_follow_from_the_seed_the_key_and_the_number_of_the_question():
    place = instance("t12-d3-g2000")
    meetings = question(place)
    first = answer(place, meetings, dice_of(1, "", 0))
    assert (first == answer(place, meetings, Draw(1, "dice", 0))).all()
    for other in [(1, "", 1), (2, "", 0), (1, "a", 0), (1, "b", 0), (2, "a", 0)]:
        assert (first != answer(place, meetings, dice_of(*other))).any()
    assert len({dice_of(seed, key, 0).seed for seed in range(100) for key in ("a", "b")}) == 200
    assert first[0] != first[4]  # the same pair again is another match


@pytest.mark.parametrize("name", ["t12-d3", "t12-d3-oracle", "t12-d3-g20", "t12-d3-g20-oracle"])
def test_no_answer_depends_on_the_workers(name):
    place = instance(name)
    meetings = question(place, np.concatenate([PAIRS, ABSOLUTE]) if place.opponent == "optimal" else PAIRS)
    assert (answer(place, meetings, DICE) == answer(place, meetings, DICE, 2)).all()


def test_the_optimum_has_no_loss_and_no_exploitability():
    grid = instance("t20-d3").grid
    best = grid.from_strategies([pigevo.optimal(grid.game).strategy])[0]
    assert judge(grid, best) == pytest.approx((0, 0), abs=1e-12)
    assert min(judge(grid, best)) >= 0


def test_loss_and_exploitability_are_those_of_the_public_functions():
    place = instance("t12-d3-c2")
    genome = place.problem(3).start(1)[0]
    strategy = place.grid.strategy(genome)
    loss, exploitability = judge(place.grid, genome)
    best = pigevo.optimal(place.game).strategy
    assert loss == pytest.approx(pigevo.win_probability(best, strategy).overall - 0.5)
    response = pigevo.best_response(strategy).strategy
    assert exploitability == pytest.approx(pigevo.win_probability(response, strategy).overall - 0.5)
    assert exploitability > loss > 0.01
