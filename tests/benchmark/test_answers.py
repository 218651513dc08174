"""Questions answered exactly and by games, by the same figures as the rest of pigevo."""

import numpy as np
import pytest

import pigevo
from pigevo.benchmark import REFERENCE, Question, instance
from pigevo.benchmark.answers import answer
from pigevo.benchmark.referee import judge

PAIRS = np.array([[0, 1], [1, 0], [2, 2], [0, 3], [0, 1]])
ABSOLUTE = np.array([[0, REFERENCE], [1, 2], [3, REFERENCE]])


def question(problem, pairs=PAIRS):
    return Question(problem.start(4), pairs)


def test_exact_answers_are_win_probabilities():
    problem = instance("t12-d3").problem(1)
    asked = question(problem)
    strategies = [problem.grid.strategy(row) for row in asked.genomes]
    right = [pigevo.win_probability(strategies[a], strategies[b]).overall for a, b in PAIRS]
    assert answer(problem, asked, 0) == pytest.approx(right, abs=1e-12)


def test_the_reference_opponent_is_the_optimum():
    problem = instance("t12-d3-c2-oracle").problem(1)
    asked = question(problem, ABSOLUTE)
    strategies = [problem.grid.strategy(row) for row in asked.genomes]
    best = pigevo.optimal(problem.game).strategy
    right = [pigevo.win_probability(strategies[a], best if b < 0 else strategies[b]).overall for a, b in ABSOLUTE]
    assert answer(problem, asked, 0) == pytest.approx(right, abs=1e-12)


@pytest.mark.parametrize("name", ["t12-d3-c2-g20000", "t12-d3-c2-g20000-oracle"])
def test_games_go_as_the_exact_answers_say(name):
    noisy = instance(name)
    exact = instance(name.replace("g20000", "exact"))
    pairs = ABSOLUTE if noisy.opponent == "optimal" else PAIRS
    played = answer(noisy.problem(1, 10**9), question(noisy.problem(1), pairs), 0)
    right = answer(exact.problem(1), question(exact.problem(1), pairs), 0)
    assert np.abs(played - right).max() < 4.5 * 0.5 / 20000**0.5  # four and a half standard deviations
    assert played * 20000 == pytest.approx((played * 20000).round(), abs=1e-6)
    assert len(set(played.tolist())) > len(set(right.round(12).tolist())) - 2


def test_dice_are_keyed_by_the_seed_and_the_number_of_the_question():
    one, other = (instance("t12-d3-g2000").problem(seed) for seed in (1, 2))
    asked = question(one)
    first = answer(one, asked, 0)
    assert (first == answer(one, asked, 0)).all()
    assert (first != answer(one, asked, 1)).any()
    assert (first != answer(other, asked, 0)).any()
    assert first[0] != first[4]  # the same pair again is another match


@pytest.mark.parametrize("name", ["t12-d3", "t12-d3-oracle", "t12-d3-g20", "t12-d3-g20-oracle"])
def test_no_answer_depends_on_the_workers(name):
    problem = instance(name).problem(1)
    pairs = np.concatenate([PAIRS, ABSOLUTE]) if problem.opponent else PAIRS
    assert (answer(problem, question(problem, pairs), 0) == answer(problem, question(problem, pairs), 0, 2)).all()


def test_the_referee_finds_nothing_wrong_with_the_optimum():
    grid = instance("t20-d3").grid
    best = grid.from_strategies([pigevo.optimal(grid.game).strategy])[0]
    assert judge(grid, best) == pytest.approx((0, 0), abs=1e-12)
    assert min(judge(grid, best)) >= 0


def test_the_referee_says_what_is_lost_and_what_could_be():
    problem = instance("t12-d3-c2").problem(3)
    strategy = problem.grid.strategy(problem.start(1)[0])
    loss, exploitability = judge(problem.grid, problem.start(1)[0])
    best = pigevo.optimal(problem.game).strategy
    assert loss == pytest.approx(pigevo.win_probability(best, strategy).overall - 0.5)
    response = pigevo.best_response(strategy).strategy
    assert exploitability == pytest.approx(pigevo.win_probability(response, strategy).overall - 0.5)
    assert exploitability > loss > 0.01
