"""How many games distinguish two strategies: against the report, the laws of probability, and games."""

import json
import math

import pytest
from scipy import stats

import pigevo
from pigevo.errors import InputError
from pigevo.simulation import Match
from pigevo.tournaments import games_to_tell, games_within, power_of

GAME = pigevo.Pig(target=20)


def test_the_1537_games_of_the_report():
    """Exeter 2017, section 3.3.1: 0.475 n = n / 2 - 0.98 sqrt(n)."""
    assert games_within(distance=0.025, confidence=0.95) == 1537
    assert games_within() == 1537


@pytest.mark.parametrize(("games", "confidence"), [(10, 0.8), (57, 0.95), (200, 0.99)])
def test_the_power_is_that_of_the_interval(games, confidence):
    """Summed over the numbers of wins whose interval lies above a half."""
    telling_wins = [wins for wins in range(games + 1) if Match(wins, games - wins).interval(confidence)[0] > 0.5]
    for p in (0.55, 0.7):
        expected = stats.binom.pmf(telling_wins, games, p).sum()
        assert power_of(games, p, confidence) == pytest.approx(expected)
        assert power_of(games, 1 - p, confidence) == pytest.approx(expected)


@pytest.mark.parametrize("p", [0.52, 0.75, 1.0, 0.42])
@pytest.mark.parametrize("power", [0.5, 0.95])
def test_no_fewer_games_have_the_power(p, power):
    games = games_to_tell(p, 0.95, power)
    assert games % 2 == 0
    assert all(power_of(n, p) >= power for n in range(games, games + 200, 2))
    assert power_of(games - 2, p) < power if games > 2 else True


def test_games_grow_with_the_inverse_square_of_the_distance_from_a_half():
    for p, confidence, wanted in ((0.503098, 0.2, 0.4), (0.505, 0.2, 0.4), (0.505, 0.9, 0.05), (0.505, 0.001, 0.5),
                                  (0.505, 0.1, 0.5), (0.503098, 0.3, 0.4), (0.5003, 0.001, 0.5)):  # fmt: skip
        games = games_to_tell(p, confidence, wanted)  # the power rises in steps back and forth
        powers = {n: power_of(n, p, confidence) for n in range(max(2, games - 2), games + 3000, 2)}
        assert min(power for n, power in powers.items() if n >= games) >= wanted
        assert games == 2 or powers[games - 2] < wanted
    assert games_to_tell(0.503, 0.01, 0.5) > 0
    assert games_to_tell(0.5) is None
    assert games_to_tell(0.5 + 1e-14) is None
    assert games_to_tell(0.51) == pytest.approx(((1.96 / 2 + 0.8416 / 2) / 0.01) ** 2, rel=0.01)
    assert games_to_tell(0.5 + 1e-8) == pytest.approx(1e12 * games_to_tell(0.51), rel=0.01)
    counts = [games_to_tell(p) for p in (0.501, 0.51, 0.55, 0.7, 0.9)]
    assert counts == sorted(counts, reverse=True)


def test_a_fair_test():
    a, b = pigevo.hold_at(GAME, 8), pigevo.hold_at(GAME, 3)
    result = pigevo.fair_test(a, b, seed=2)
    exact = pigevo.win_probability(a, b)
    assert (result.first, result.second, result.overall) == (exact.first, exact.second, exact.overall)
    assert (result.share, result.decided) == (pytest.approx(exact.overall), pytest.approx(1))
    assert result.needed == result.games == games_to_tell(exact.overall)
    assert 0.8 <= result.power_at < 0.85
    assert result.match == pigevo.play_match(a, b, games=result.games, seed=2)
    assert (result.low, result.high) == result.match.interval(0.95)
    assert result.holds == (result.low <= exact.overall <= result.high)
    assert json.loads(json.dumps(result.as_json))["match"]["wins"] == result.match.wins


def test_the_better_strategy_is_recognised_with_the_stated_power():
    a, b = pigevo.hold_at(GAME, 3), pigevo.hold_at(GAME, 5)
    results = [pigevo.fair_test(a, b, power=0.7, seed=seed) for seed in range(300)]
    right = sum(result.better == b.name for result in results)
    assert results[0].share < 0.5
    assert stats.binomtest(right, 300, results[0].power_at).pvalue > 0.001
    assert sum(result.better == a.name for result in results) <= 5
    assert sum(result.holds for result in results) >= 270


def test_level_strategies_play_the_1537_games():
    twenty = pigevo.hold_at(GAME, 20)
    result = pigevo.fair_test(twenty, twenty)
    assert (result.needed, result.games, result.power_at) == (None, 1538, 0.0)
    assert result.share == pytest.approx(0.5)


def test_games_that_nobody_wins_are_set_aside():
    game = pigevo.Pig(target=10, allow_pass=True)
    a, b = pigevo.skip_when_level(game, 3), pigevo.skip_when_level(game, 5)
    result, p = pigevo.fair_test(a, b), pigevo.win_probability(a, b)
    lost = pigevo.win_probability(b, a).overall
    assert result.decided == pytest.approx(p.overall + lost)
    assert result.decided < 0.95
    assert result.share == pytest.approx(p.overall / (p.overall + lost))
    assert result.needed == pytest.approx(games_to_tell(result.share) / result.decided, abs=2)
    assert result.match.stalemates > 0
    assert (result.low, result.high) == Match(result.match.wins, result.match.losses).interval(0.95)


def test_draws_are_set_aside():
    rounds = pigevo.games.GAMES["ten_rounds"].bind({"turns": 2, "cap": 20})
    a, b = pigevo.hold_at(rounds, 10), pigevo.hold_at(rounds, 4)
    result, p = pigevo.fair_test(a, b, games=2000), pigevo.win_probability(a, b)
    draws = (p.draw_first + p.draw_second) / 2
    assert draws > 0.01
    assert result.decided == pytest.approx(1 - draws)
    assert result.share == pytest.approx((p.overall - draws / 2) / (1 - draws))
    assert result.match.draws == pytest.approx(2000 * draws, abs=5 * math.sqrt(2000 * draws))


def test_more_games_than_allowed_are_not_played():
    a, b = pigevo.hold_at(GAME, 8), pigevo.hold_at(GAME, 3)
    result = pigevo.fair_test(a, b, most=10)
    assert (result.games, result.match, result.low, result.better, result.holds) == (0, None, None, None, None)
    assert result.needed > 10
    assert pigevo.fair_test(a, b, most=10, games=100).match.games == 100


@pytest.mark.parametrize(
    "call",
    [
        lambda: games_within(distance=0), lambda: games_within(p=2), lambda: games_to_tell(-1),
        lambda: power_of(1.5, 0.6), lambda: games_to_tell(float("nan")),
        lambda: pigevo.fair_test(pigevo.hold_at(GAME, 3), pigevo.hold_at(pigevo.Pig(), 3)),
        *[lambda given=given: pigevo.fair_test(pigevo.hold_at(GAME, 3), pigevo.hold_at(GAME, 4), **given)
          for given in ({"confidence": 1.0}, {"power": 0.0}, {"games": 7})],
    ],
)  # fmt: skip
def test_numbers_out_of_range_are_refused(call):
    with pytest.raises(InputError):
        call()


def test_a_distance_determines_the_number_of_games():
    a, b = pigevo.hold_at(pigevo.Pig(target=30), 12), pigevo.hold_at(pigevo.Pig(target=30), 10)
    assert pigevo.fair_test(a, b, within=0.025).games == 1538  # the 1,537 of Exeter 2017, made even
    assert pigevo.fair_test(a, b, within=0.05).games == 386  # (1.95996 / .05)**2 / 4 is 384.1
    with pytest.raises(pigevo.InputError, match="exclude each other: give one of them"):
        pigevo.fair_test(a, b, games=100, within=0.025)
