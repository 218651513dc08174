"""What rolling and holding are worth, what a flipped decision costs, and the equations of single states."""

import itertools
import json
from fractions import Fraction

import numpy as np
import pytest

import pigevo
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.exact import choices_at, dearest_places, decision_costs, reach, state_values
from pigevo.exact.evaluate import worth_between
from pigevo.games import GAMES
from pigevo.games.board import board_of
from pigevo.strategies import Strategy
from tests.cases import duels, law
from tests.reference.any_game import TINY

PIG, GAME = pigevo.Pig(), pigevo.Pig(target=20)
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
    loss = dearest_places(pigevo.hold_at(PIG, 25))
    assert loss.total == pytest.approx(0.5 - 0.478931, abs=1e-6)
    assert [place.cost for place in loss.places] == sorted((place.cost for place in loss.places), reverse=True)
    assert len(loss.places) == 10
    assert loss.places[0].at == {"own": 0, "opponent": 0}
    assert (loss.places[0].rolls, loss.places[0].holds) == ((21, 22, 23, 24), ())
    assert any(place.holds and not place.rolls for place in loss.places)
    assert dearest_places(pigevo.optimal(PIG).strategy).places == ()


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
def test_the_importance_of_a_gene_is_what_the_flipped_strategy_loses(duel):
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


CLOSE = 1e-12


def mixed(game, seed=2):
    chances = Draw(seed, "validation").uniforms(int(np.prod(game.shape))).reshape(game.shape)
    return pigevo.Strategy(game, np.where(game.starts & (not game.allow_pass), 1.0, 0.1 + 0.8 * chances), "mixed")


SMALL = [*TINY.values(), pigevo.Pig(target=8, sides=4, allow_pass=True)]


def between(game):
    """Every state between turns, as the arguments that name it."""
    for values in itertools.product(*(axis.values for axis in game.between)):
        at = dict(zip([axis.name for axis in game.between], values, strict=True))
        lead = at.pop("difference", 0)
        yield {"own": max(lead, 0), "opponent": max(-lead, 0)} | at


def players(game):
    yield pigevo.hold_at(game, 3), pigevo.score(game, 4)
    yield pigevo.random_strategy(game, seed=1), mixed(game)
    if game.allow_pass:
        yield pigevo.skip_when_level(game, 3), pigevo.roll_and_wait(game, 4, 3)
        yield mixed(game), mixed(game, 5)
        yield pigevo.skip_when_level(game, 3), pigevo.skip_when_level(game, 2)


# Exeter 2017, section 2.2.1: A rolls on at 97, 99, 2; then A banks there.
PUBLISHED = [
    (pigevo.roll_to_win(PIG), [0.8325, 0.8565, 0.8612], [[1, -1 / 6, 1 / 6], [0, 1, 1 / 6], [1 / 6, 0, 1]], [5 / 6, 1, 1]),
    (pigevo.hold_at(PIG, 2), [0.7102, 0.1429, 0.8816], [[1, -1 / 6, 1 / 6], [0, 1, 0], [1 / 6, 0, 1]], [5 / 6, 1 / 7, 1]),
]  # fmt: skip


@pytest.mark.parametrize(("a", "values", "matrix", "constants"), PUBLISHED, ids=["rolls", "banks"])
def test_the_examples_of_the_report(a, values, matrix, constants):
    system = pigevo.explain_scores(a, pigevo.hold_at(PIG, 20), 97, 99)
    assert [unknown.name for unknown in system.unknowns] == ["P(97,99,0)", "P(97,99,2)", "Q(99,97,0)"]
    assert np.round(system.values, 4).tolist() == values
    np.testing.assert_allclose(system.matrix, matrix, rtol=0, atol=CLOSE)
    np.testing.assert_allclose(system.constants, constants, rtol=0, atol=CLOSE)
    assert system.equations[0] == "P(97,99,0) = 1/6 (1 - Q(99,97,0)) + 1/6 P(97,99,2) + 2/3"


def test_what_the_report_knows_from_higher_scores():
    banks = pigevo.explain_scores(pigevo.hold_at(PIG, 2), pigevo.hold_at(PIG, 20), 97, 99)
    assert banks.equations[1] == "P(97,99,2) = 1 - Q(99,99,0)"
    assert banks.known == {"Q(99,99,0)": pytest.approx(6 / 7)}
    level = pigevo.explain_scores(pigevo.hold_at(PIG, 20), pigevo.hold_at(PIG, 20), 99, 99)
    assert level.values.tolist() == pytest.approx([6 / 7, 6 / 7])
    assert level.known == {}


@pytest.mark.parametrize("target", [2, 3])
def test_piglet_by_hand(target):
    """Section 2.2.4: bank at 1 against bank at 2; every pair of scores is one set of equations, the highest first."""
    game = pigevo.Piglet(target=target)
    a, b = pigevo.hold_at(game, 1), pigevo.hold_at(game, 2)
    first, _ = pigevo.rational_win_probability(a, b)
    system = pigevo.explain_scores(a, b, 0, 0)
    assert Fraction(float(system.values[0])).limit_denominator(10**6) == first
    assert len([*between(game)]) == target**2  # "the number of sets is the total score squared"


@pytest.mark.parametrize("game", SMALL, ids=str)
def test_every_unknown_of_every_pair_of_scores_has_the_value_of_the_engine(game):
    board, states = board_of(game), [*enumerate(between(game))]
    for number, (a, b) in enumerate(players(game)):
        (moving, waiting), values = worth_between(a, b), state_values(a, b)
        for state, at in states[number :: 1 if len(states) < 30 else 3]:
            system = pigevo.explain_scores(a, b, **at)
            starts = {}
            for unknown, x in zip(system.unknowns, system.values, strict=True):
                starts.setdefault(unknown.player, x)
                if unknown.player == 0 and "after" not in unknown.name:
                    assert x == pytest.approx(values[game.cell(**unknown.place)], abs=1e-11)
            assert starts[0] == pytest.approx(moving[state], abs=CLOSE)
            if (back := board.partner[state]) >= 0:
                other = 1 - waiting[back] if game.constant_sum else waiting[back]
                assert starts[1] == pytest.approx(other, abs=CLOSE)
            np.testing.assert_allclose(system.matrix @ system.values, system.constants, rtol=0, atol=CLOSE)


def test_a_game_of_turns_is_triangular():
    game = TINY["ten_rounds"]
    system = pigevo.explain_scores(pigevo.hold_at(game, 5), pigevo.score(game, 4), 3, 5, left=2)
    assert {unknown.player for unknown in system.unknowns} == {0}
    assert len(system.unknowns) > 3
    assert (np.tril(system.matrix, -1) == 0).all()
    assert any(name.startswith("Q(2,1,") for name in system.known)


def test_who_always_pass_win_nothing_and_who_pass_by_chance_play_on():
    game = pigevo.Pig(target=8, sides=4, allow_pass=True)
    both = pigevo.explain_scores(pigevo.skip_when_level(game, 3), pigevo.skip_when_level(game, 2), 4, 4)
    assert both.equations == ("P(4,4,0) = 0", "R(4,4,0) = 0")
    system = pigevo.explain_scores(mixed(game), mixed(game, 5), 4, 4)
    assert "R(4,4,0)" in system.equations[0]  # a pass leads back to the other player's choice
    assert system.values[0] == pytest.approx(state_values(mixed(game), mixed(game, 5))[4, 4, 0], abs=CLOSE)


@pytest.mark.parametrize("game", SMALL, ids=str)
def test_a_mixed_decision_is_worth_the_mean_of_both_choices(game):
    a = mixed(game)
    best = pigevo.optimal(game).strategy
    for at in [*between(game)][::13]:
        system = pigevo.explain_scores(a, best, **at)
        for unknown, value in zip(system.unknowns, system.values.tolist(), strict=True):
            place = unknown.place
            is_won = game.target and place["own"] + place["total"] >= game.target
            if unknown.player or "after" in unknown.name or is_won:
                continue
            rolls = {"rolls": place["rolls"]} if "rolls" in place else {}
            decision = pigevo.explain_turn(a, **at, turn=place["total"], **rolls)
            choice, chance = decision.choices[0], pytest.approx(unknown.rolls)
            assert (choice.playing, choice.against, decision.rolls) == ("mixed", "optimal", chance)
            hold = 0.0 if choice.hold is None else choice.hold  # where it rolls with a chance of 1
            worth = decision.rolls * choice.roll + (1 - decision.rolls) * hold
            assert worth == pytest.approx(value, abs=1e-11)


@pytest.mark.parametrize("game", [*SMALL, PIG], ids=str)
def test_the_optimum_takes_the_better_choice(game):
    best = pigevo.optimal(game)
    seen = set()
    for at in [*between(game)][:: max(5, len([*between(game)]) // 8)]:
        for turn in range(2, game.size, 3):
            if game.target and at["own"] + turn >= game.target:
                continue
            decision = pigevo.explain_turn(best.strategy, **at, turn=turn)
            (choice,) = decision.choices
            seen.add(choice.better)
            if choice.better != "either":
                assert choice.better == ("roll" if decision.rolls else "hold")
            assert decision.rolls == decision.optimum_rolls
    assert "roll" in seen
    assert "hold" in seen or game.size <= 12  # where a game is this short, rolling is better everywhere


def test_a_decision_against_the_optimum_and_against_itself():
    twenty = pigevo.hold_at(PIG, 20)
    decision = pigevo.explain_turn(twenty, 0, 0, 20)
    assert (decision.rolls, decision.optimum_rolls) == (0.0, 1.0)
    assert [(choice.playing, choice.against) for choice in decision.choices] == [
        ("hold_at:20", "optimal"), ("hold_at:20", "hold_at:20"), ("optimal", "optimal"),
    ]  # fmt: skip
    against, itself, _ = decision.choices
    best = pigevo.optimal(PIG).strategy
    assert against.hold == pytest.approx(1 - state_values(best, twenty)[0, 20, 0], abs=CLOSE)
    assert itself.hold == pytest.approx(state_values(twenty, twenty)[0, 0, 20], abs=CLOSE)
    assert against.gain == pytest.approx(against.roll - against.hold)
    assert json.loads(json.dumps(decision.as_json))["choices"][0]["better"] == "hold"


def test_a_pass_where_it_is_allowed_is_worth_nothing_against_who_passes_too():
    assert pigevo.explain_turn(pigevo.hold_at(PIG, 20), 3, 4, 0).choices[0].hold is None
    game = pigevo.Pig(target=8, sides=4, allow_pass=True)
    choice = pigevo.explain_turn(pigevo.skip_when_level(game, 3), 4, 4, 0).choices[1]
    assert (choice.against, choice.hold) == ("skip_when_level:3", 0.0)
    assert choice.roll > 0.3


def test_only_states_that_play_comes_to_are_unknowns():
    system = pigevo.explain_scores(pigevo.hold_at(PIG, 20), pigevo.hold_at(PIG, 20), 0, 0)
    assert [unknown.place["total"] for unknown in system.unknowns if unknown.player == 0] == [0, *range(2, 26)]


WRONG = [
    ({"own": 100}, "an own score of 100 is outside the game: it must be from 0 to 99."),
    ({"opponent": -1}, "-1 cannot be the score of the opponent: it must be a whole number, at least 0."),
    ({"own": 1.5}, "1.5 cannot be the own score"),
    ({"left": 3}, "nothing depends on number of turns left"),
    ({"places": 3}, "nothing depends on places"),
]


@pytest.mark.parametrize(("change", "message"), WRONG, ids=[message for _, message in WRONG])
def test_a_wrong_place_is_refused(change, message):
    twenty = pigevo.hold_at(PIG, 20)
    with pytest.raises(InputError, match=message):
        pigevo.explain_scores(twenty, twenty, **({"own": 1, "opponent": 2} | change))


def test_a_wrong_turn_is_refused():
    twenty = pigevo.hold_at(PIG, 20)
    with pytest.raises(InputError, match="90 banked and a turn total of 10 reach 100: the game is won there"):
        pigevo.explain_turn(twenty, 90, 0, 10)
    with pytest.raises(InputError, match="a turn total of 100 is outside the game"):
        pigevo.explain_turn(twenty, 0, 0, 100)
    with pytest.raises(InputError, match="nothing depends on number of rolls"):
        pigevo.explain_turn(twenty, 0, 0, 10, rolls=3)
    counted = pigevo.hold_at(GAMES["ten_rounds"].bind({"turns": 2, "cap": 12, "rolls": True}), 3)
    assert pigevo.explain_turn(counted, 0, 0, 5, rolls=2).place["rolls"] == 2
    with pytest.raises(InputError, match="a turn total of 0 after 2 rolls cannot be"):
        pigevo.explain_turn(counted, 0, 0, 0, rolls=2)
    with pytest.raises(InputError, match="must play the same game"):
        pigevo.explain_scores(twenty, counted, 0, 0)


def test_a_decision_above_the_target_where_the_other_one_has_a_last_turn():
    game = GAMES["skunk"].function(target=16, cap=30)
    best = pigevo.optimal(game).strategy
    (choice,) = pigevo.explain_turn(best, 10, 12, 8).choices
    assert max(choice.roll, choice.hold) == pytest.approx(pigevo.state_values(best, best)[10, 12, 8], abs=1e-12)
    with pytest.raises(InputError, match="10 banked and a turn total of 20 reach 30: the game is won there"):
        pigevo.explain_turn(best, 10, 12, 20)
