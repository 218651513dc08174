"""What the optimum and a best response promise, against arbitrary strategies and against brute force."""

import numpy as np
import pytest

import pigevo
from tests.cases import duels, games, law
from tests.reference import two

SLACK = 1e-12


@law(games())
def test_the_optimum_is_the_best_response_to_itself_and_reaches_the_values_it_states(game):
    s = pigevo.optimal(game)
    response = pigevo.best_response(s.strategy)
    assert response.value == pytest.approx(s.value, abs=SLACK)
    np.testing.assert_allclose(response.values, s.values, rtol=0, atol=SLACK)
    d = two.solve(game, s.strategy.roll, s.strategy.roll)
    assert s.value == pytest.approx(d.first, abs=SLACK)
    np.testing.assert_allclose(s.values, d.values[:, :, 0], rtol=0, atol=SLACK)


@law(duels())
def test_no_strategy_does_better_than_the_best_response_from_any_scores_or_beats_the_optimum(duel):
    game, challenger, b = duel
    assert pigevo.win_probability(challenger, pigevo.optimal(game).strategy).overall <= 0.5 + SLACK
    response = pigevo.best_response(b)
    p = pigevo.win_probability(challenger, b)
    best = pigevo.win_probability(response.strategy, b)
    assert p.first <= response.value + SLACK
    assert p.first <= best.first + SLACK
    assert p.second <= best.second + SLACK
    assert (pigevo.state_values(challenger, b)[:, :, 0] <= response.values + SLACK).all()
    d = two.solve(game, response.strategy.roll, b.roll)
    assert response.value == pytest.approx(d.first, abs=SLACK)
    np.testing.assert_allclose(response.values, d.values[:, :, 0], rtol=0, atol=SLACK)


ENUMERABLE = [pigevo.Piglet(2), pigevo.Piglet(2, 0.25, allow_pass=True), pigevo.Pig(2, 3, allow_pass=True)]


@pytest.mark.parametrize("game", ENUMERABLE, ids=str)
def test_the_best_response_is_the_best_of_all_strategies(game):
    for roll in list(two.all_strategies(game))[::11]:
        first, second, values = two.best_response_by_enumeration(game, roll)
        opponent = pigevo.Strategy(game, roll)
        response = pigevo.best_response(opponent)
        p = pigevo.win_probability(response.strategy, opponent)
        assert (response.value, p.first, p.second) == pytest.approx((first, first, second), abs=SLACK)
        np.testing.assert_allclose(response.values, values, rtol=0, atol=SLACK)


@pytest.mark.parametrize("game", ENUMERABLE, ids=str)
def test_no_strategy_is_surer_of_its_share_than_the_optimum(game):
    sure, _ = two.optimum_by_enumeration(game)
    optimum = pigevo.optimal(game).strategy
    worst = min(
        pigevo.win_probability(optimum, pigevo.Strategy(game, other)).overall for other in two.all_strategies(game)
    )
    assert sure == pytest.approx(0.5, abs=SLACK)
    assert worst == pytest.approx(sure, abs=SLACK)


@pytest.mark.parametrize(
    "game",
    [pigevo.Piglet(2), pigevo.Piglet(5, 0.7), pigevo.Pig(5, 3), pigevo.Race(6, {2: 0.5, 3: 0.5}, 0.0)],
    ids=str,
)
def test_the_optimum_is_what_equation_2_31_iterates_to(game):
    expected = two.optimum_by_value_iteration(game)
    s = pigevo.optimal(game)
    np.testing.assert_allclose(s.values, expected[:, :, 0], rtol=0, atol=SLACK)
    values, decided = pigevo.state_values(s.strategy, s.strategy), ~np.isnan(expected)
    np.testing.assert_allclose(values[decided], expected[decided], rtol=0, atol=SLACK)


@law(games(allow_pass=True))
def test_leave_to_pass_changes_nothing_for_the_optimum(game):
    strict = pigevo.Race(game.target, game.gains, game.bust)
    s = pigevo.optimal(game)
    np.testing.assert_allclose(s.values, pigevo.optimal(strict).values, rtol=0, atol=SLACK)
    p = pigevo.win_probability(s.strategy, s.strategy)
    assert p.overall == pytest.approx(0.5, abs=SLACK)
    assert max(p.stalemate_first, p.stalemate_second) <= SLACK


@law(duels(players=1, allow_pass=True, largest=5), full=20)
def test_no_opponent_can_stalemate_its_best_response(duel):
    _, b = duel
    p = pigevo.win_probability(pigevo.best_response(b).strategy, b)
    assert max(p.stalemate_first, p.stalemate_second) <= SLACK


def test_iterated_best_response_from_hold_at_20_arrives_at_the_optimum():
    game = pigevo.Pig()
    optimum = pigevo.optimal(game)
    rounds = [pigevo.best_response(pigevo.hold_at(game, 20))]
    while len(rounds) < 9:
        rounds.append(pigevo.best_response(rounds[-1].strategy))
    assert [s.value for s in rounds[:3]] == pytest.approx([0.587368, 0.578090, 0.539263], abs=5e-7)
    overall = [pigevo.win_probability(s.strategy, optimum.strategy).overall for s in rounds]
    own = [pigevo.win_probability(s.strategy, s.strategy).first for s in rounds]
    assert overall[5] < 0.5 - 1e-8
    assert overall[6] == pytest.approx(0.5, abs=SLACK)
    assert own[6] == pytest.approx(0.530592725274, abs=1e-12)
    assert rounds[7].strategy != rounds[6].strategy
    assert rounds[8].strategy == rounds[7].strategy
    assert rounds[7].value == pytest.approx(optimum.value, abs=SLACK)
