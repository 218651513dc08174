"""What rolling and holding are worth, and what flipping a decision costs, each computed by another way."""

import numpy as np
import pytest

import pigevo
from pigevo.errors import InputError
from pigevo.exact import choices_at, dearest_places, decision_costs, reach
from pigevo.games import GAMES
from pigevo.strategies import Strategy
from tests.cases import duels, law

GAME = pigevo.Pig(target=20)
BEST = pigevo.optimal(GAME).strategy
RACES = [
    GAME, pigevo.Pig(target=14, allow_pass=True), GAMES["pass_the_pigs"].function(target=16),
    GAMES["skunk"].function(target=16, cap=30), GAMES["two_dice"].function(target=14, allow_pass=True),
]  # fmt: skip


@pytest.mark.parametrize("game", RACES, ids=str)
def test_the_choice_that_is_made_is_worth_what_the_state_is(game):
    a, b = pigevo.hold_at(game, 5), pigevo.random_strategy(game, 3)
    values = pigevo.state_values(a, b)
    for scores in [(0, 0), (5, 2), (6, 7)]:
        choices = choices_at(a, b, *scores)
        assert choices
        for choice in choices:
            assert choice.chance == a.roll[(*scores, choice.total)]
            made = choice.roll if choice.chance else choice.hold
            assert made == pytest.approx(values[(*scores, choice.total)], abs=1e-12)


def test_a_choice_by_chance_lies_between():
    half = Strategy(GAME, np.where(GAME.decision_states, 0.5, BEST.roll.astype(float)))
    values = pigevo.state_values(half, BEST)
    for choice in choices_at(half, BEST, 3, 4):
        assert values[3, 4, choice.total] == pytest.approx((choice.roll + choice.hold) / 2, abs=1e-9)
        assert choice.loses == pytest.approx(abs(choice.roll - choice.hold) / 2)


def test_totals_that_no_throws_add_up_to_are_left_out():
    assert [choice.total for choice in choices_at(BEST, BEST, 14, 0)] == [2, 3, 4, 5]
    four = pigevo.hold_at(GAMES["two_dice"].function(target=9), 4)
    assert 3 not in [choice.total for choice in choices_at(four, four, 0, 0)]


def test_visits_are_those_of_play():
    choices = choices_at(BEST, pigevo.hold_at(GAME, 6), 0, 5)
    visits = pigevo.reach(BEST, pigevo.hold_at(GAME, 6)).overall
    assert [choice.visits for choice in choices] == [visits[0, 5, choice.total] for choice in choices]


@pytest.mark.parametrize(
    ("game", "scores", "message"),
    [
        (GAME, (20, 0), "an own score of 20 is outside the game"),
        (GAME, (0, -1), "-1 cannot be the score of the opponent"),
        (GAMES["ten_rounds"].function(turns=2, cap=20), (0, 0), "take a race"),
        (GAMES["equal_turns"].function(target=9, cap=14), (0, 0), "take a race"),
    ],
)
def test_scores_outside_the_game_are_refused(game, scores, message):
    with pytest.raises(InputError, match=message):
        choices_at(*[pigevo.hold_at(game, 4)] * 2, *scores)


def test_where_the_other_one_has_a_last_turn_the_target_is_not_the_end():
    game = GAMES["skunk"].function(target=16, cap=30)
    best = pigevo.optimal(game).strategy
    choices = {choice.total: choice for choice in choices_at(best, best, 10, 12)}
    assert max(choices) > 16 - 10
    assert choices[8].hold < 1  # 18 points, and the other one answers
    assert max(choice.loses for choice in choices.values()) < 1e-12
    answering = {choice.total: choice for choice in choices_at(best, best, 10, 20)}  # the other one is there
    assert answering[4].hold == 0
    assert answering[12].hold == 1


LOSERS = [
    *RACES, GAMES["ten_rounds"].function(turns=3, cap=15), GAMES["equal_turns"].function(target=12),
    GAMES["big_pig"].function(target=14), pigevo.Pig(target=1),
]  # fmt: skip


@pytest.mark.parametrize("game", LOSERS, ids=str)
def test_the_costs_of_all_decisions_add_up_to_what_is_lost(game):
    """The performance difference lemma, for strategies that decide by chance too."""
    best = pigevo.optimal(game).strategy
    most = pigevo.win_probability(best, best).overall
    mixed = Strategy(game, np.where(game.decision_states, 0.3, pigevo.hold_at(game, 5).roll.astype(float)))
    for strategy in (pigevo.hold_at(game, 4), pigevo.random_strategy(game, 3), mixed, best):
        costs = decision_costs(strategy)
        assert costs.shape == game.shape
        assert costs.min() >= 0
        assert costs.sum() == pytest.approx(most - pigevo.win_probability(strategy, best).overall, abs=1e-12)
        loss = dearest_places(strategy, most=costs.size)
        assert sum(place.cost for place in loss.places) == pytest.approx(loss.total, abs=1e-9)


def test_a_decision_costs_what_the_better_one_is_worth_more_as_often_as_it_is_made():
    a = pigevo.hold_at(GAME, 7)
    costs, visits = decision_costs(a), reach(a, BEST).overall
    for choice in choices_at(BEST, BEST, 5, 12):
        lost = max(choice.roll, choice.hold) - (choice.roll if choice.total < 7 else choice.hold)
        assert costs[5, 12, choice.total] == pytest.approx(lost * visits[5, 12, choice.total], abs=1e-14)


def test_the_dearest_scores_and_what_is_wrong_there():
    """Against the optimum, whoever holds at 25 begins a turn at 0 to 0 about 1.5 times a game."""
    pig = pigevo.Pig()
    loss = dearest_places(pigevo.hold_at(pig, 25))
    assert loss.total == pytest.approx(0.5 - 0.478931, abs=1e-6)
    assert [place.cost for place in loss.places] == sorted((place.cost for place in loss.places), reverse=True)
    assert len(loss.places) == 10
    assert loss.places[0].at == {"own": 0, "opponent": 0}
    assert (loss.places[0].rolls, loss.places[0].holds) == ((21, 22, 23, 24), ())
    assert any(place.holds and not place.rolls for place in loss.places)
    assert dearest_places(pigevo.optimal(pig).strategy).places == ()


def test_the_loss_by_regions_adds_up_and_names_the_costliest_decision_of_each():
    game = pigevo.Pig(40)
    strategy = pigevo.random_strategy(game, 3)
    costs, loss = decision_costs(strategy), dearest_places(strategy)
    assert [region.name for region in loss.regions] == ["level", "ahead", "behind", "last turns"]
    assert sum(region.cost for region in loss.regions) == pytest.approx(loss.total, abs=1e-12)

    def name(own, opponent):
        if max(own, opponent) >= 30:
            return "last turns"
        return "level" if abs(own - opponent) <= 4 else "ahead" if own > opponent else "behind"

    for region in loss.regions:
        within = {(i, j): costs[i, j] for i in range(40) for j in range(40) if name(i, j) == region.name}
        assert region.cost == pytest.approx(sum(cell.sum() for cell in within.values()), abs=1e-12)
        assert region.decision_cost == max(cell.max() for cell in within.values())
        own, opponent = region.at["own"], region.at["opponent"]
        assert costs[own, opponent, region.turn_total] == region.decision_cost
        assert region.rolls == strategy.roll[own, opponent, region.turn_total]


@pytest.mark.parametrize("name", ["skunk", "progressive", "hold_to_win"])
def test_the_regions_of_other_races_add_up(name):
    loss = dearest_places(pigevo.hold_at(GAMES[name].bind({"target": 16}), 3))
    assert sum(region.cost for region in loss.regions) == pytest.approx(loss.total, abs=1e-12)


def test_a_game_without_two_scores_has_no_regions():
    assert dearest_places(pigevo.hold_at(GAMES["ten_rounds"].bind({}), 20)).regions == ()


@law(duels(), quick=8)
def test_is_what_the_flipped_strategy_loses(duel):
    game, a, b = duel
    lost = pigevo.gene_importance(a, b)
    whole = pigevo.win_probability(a, b).overall
    decides = np.broadcast_to(game.decision_states, game.shape)
    assert not lost[~decides].any()
    for cell in map(tuple, np.argwhere(decides)):
        flipped = a.roll.copy()
        flipped[cell] ^= True
        other = pigevo.win_probability(pigevo.Strategy(game, flipped), b).overall
        assert lost[cell] == pytest.approx(whole - other, abs=1e-12)


def test_no_flip_improves_the_optimum_or_a_best_response():
    game = pigevo.Pig(100)
    best = pigevo.optimal(game).strategy
    assert pigevo.gene_importance(best, best).min() >= -1e-15
    hold = pigevo.hold_at(game, 20)
    assert pigevo.gene_importance(pigevo.best_response(hold).strategy, hold).min() >= -1e-15
    assert pigevo.gene_importance(hold, hold).min() < -1e-4


def test_cells_that_play_never_reaches_are_worth_nothing():
    game = pigevo.Pig(30)
    hold = pigevo.hold_at(game, 10)
    lost = pigevo.gene_importance(hold, hold)
    visits = pigevo.reach(hold, hold).overall
    assert not lost[visits == 0].any()
    decides = np.broadcast_to(game.decision_states, game.shape)
    assert (lost[decides & (visits > 0)] != 0).mean() > 0.9
