"""Advice for three players: the table of holds, its words, and what the two-player optimum costs."""

from dataclasses import asdict

import pytest

from pigevo import three_player as tp
from pigevo.figures.three_advice import PLACES, advice_data, describe_advice, plays_data


@pytest.fixture(scope="module")
def solution():
    return tp.solve(tp.Game(target=40))


def test_holds_are_those_of_the_strategy():
    game = tp.Piglet(20)
    holds_at_five = tp.Strategy.from_function(game, lambda a, b, c, k: k < 5 or (k in (7, 8) and b < c))
    plays = plays_data(holds_at_five)
    assert [hold.place for hold in plays.holds] == list(PLACES)
    found = {hold.place: hold for hold in plays.holds}
    assert found["leads late"].at == {"own": 15, "next": 10, "third": 10}
    assert found["leads late"].first is None  # with 5 points to go there is nothing to hold at
    assert found["follows, the leader moves next"].first == 5
    assert found["follows, the leader moves next"].again == ((7, 8),)
    assert found["follows, the leader moves last"].again == ()
    assert plays.level == 15
    assert plays_data(tp.Strategy.from_function(game, lambda *_: 1)).level == 0


def test_what_the_two_player_optimum_loses_is_counted_seat_by_seat(solution):
    advice, other = advice_data(solution), tp.lifted(solution.game, "leader")
    for seat, lost in enumerate(advice.loses):
        seated = [other if n == seat else solution.strategy for n in range(3)]
        assert lost == pytest.approx(solution.value[seat] - tp.win_probabilities(seated)[seat], abs=1e-14)
    assert min(advice.loses) > 1e-3


def test_it_can_be_read(solution):
    text = "\n".join(describe_advice(asdict(advice_data(solution))))
    assert "all level, halfway, 20 against 20 and 20" in text
    assert "All level, it rolls until it has won from the start, the two-player optimum from 2 points each on." in text
    lost = [100 * one for one in advice_data(solution).loses]
    assert f"{sum(lost) / 3:.2f} percentage points of win probability, by seat {lost[0]:.2f}" in text


def test_leading_and_following_are_told_apart():
    game = tp.Piglet(20)
    leads = tp.Strategy.from_function(game, lambda a, b, c, k: k < (3 if a < min(b, c) else 5 if b < c else 6))
    plays = asdict(plays_data(leads))
    text = "\n".join(describe_advice({"strategies": [plays, plays], "loses": [0.0, 0.0, 0.0], "rewards": ""}))
    assert (
        "Ahead halfway it holds at 3; behind the leader it holds at 5 if the leader moves next and holds at 6 if last"
        in text
    )
