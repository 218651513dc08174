"""What decisions are worth: choices, costs of flips and the equations of single states, and what the best ones promise.

Against a fixed opponent no local maximum is not global (Exeter 2017, section 2.3.5); from the opening alone there are
plateaus. `docs/explanation/equations.md` has the proofs.
"""

import functools
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
from tests.cases import duels, games, law
from tests.reference import two
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


def test_a_pass_is_a_choice_too():
    game = pigevo.Pig(target=14, allow_pass=True)
    a, b = pigevo.roll_and_wait(game, 10, 4), pigevo.hold_at(game, 4)
    first, *later = choices_at(a, b, 11, 5)
    assert (first.total, first.chance, first.visits) == (0, 0, reach(a, b).overall[11, 5, 0])
    assert first.visits > 0
    assert first.hold == pytest.approx(pigevo.state_values(a, b)[11, 5, 0], abs=1e-12)
    assert first.roll > first.hold
    assert [choice.total for choice in later] == [2]
    never = Strategy(game, np.zeros(game.shape, np.bool_))
    for strategy in (a, b):  # to pass against who passes too is worth nothing, as `explain_turn` says
        assert choices_at(strategy, never, 11, 5)[0].hold == 0


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


@law(games())
def test_the_optimum_is_the_best_response_to_itself_and_reaches_the_values_it_states(game):
    s = pigevo.optimal(game)
    response = pigevo.best_response(s.strategy)
    assert response.value == pytest.approx(s.value, abs=CLOSE)
    np.testing.assert_allclose(response.values, s.values, rtol=0, atol=CLOSE)
    d = two.solve(game, s.strategy.roll, s.strategy.roll)
    assert s.value == pytest.approx(d.first, abs=CLOSE)
    np.testing.assert_allclose(s.values, d.values[:, :, 0], rtol=0, atol=CLOSE)


@law(duels())
def test_no_strategy_does_better_than_the_best_response_from_any_scores_or_beats_the_optimum(duel):
    game, challenger, b = duel
    assert pigevo.win_probability(challenger, pigevo.optimal(game).strategy).overall <= 0.5 + CLOSE
    response = pigevo.best_response(b)
    p = pigevo.win_probability(challenger, b)
    best = pigevo.win_probability(response.strategy, b)
    assert p.first <= response.value + CLOSE
    assert p.first <= best.first + CLOSE
    assert p.second <= best.second + CLOSE
    assert (pigevo.state_values(challenger, b)[:, :, 0] <= response.values + CLOSE).all()
    d = two.solve(game, response.strategy.roll, b.roll)
    assert response.value == pytest.approx(d.first, abs=CLOSE)
    np.testing.assert_allclose(response.values, d.values[:, :, 0], rtol=0, atol=CLOSE)


ENUMERABLE = [pigevo.Piglet(2), pigevo.Piglet(2, 0.25, allow_pass=True), pigevo.Pig(2, 3, allow_pass=True)]


@pytest.mark.parametrize("game", ENUMERABLE, ids=str)
def test_the_best_response_is_the_best_of_all_strategies(game):
    for roll in list(two.all_strategies(game))[::11]:
        first, second, values = two.best_response_by_enumeration(game, roll)
        opponent = pigevo.Strategy(game, roll)
        response = pigevo.best_response(opponent)
        p = pigevo.win_probability(response.strategy, opponent)
        assert (response.value, p.first, p.second) == pytest.approx((first, first, second), abs=CLOSE)
        np.testing.assert_allclose(response.values, values, rtol=0, atol=CLOSE)


@pytest.mark.parametrize("game", ENUMERABLE, ids=str)
def test_no_strategy_is_surer_of_its_share_than_the_optimum(game):
    sure, _ = two.optimum_by_enumeration(game)
    optimum = pigevo.optimal(game).strategy
    worst = min(
        pigevo.win_probability(optimum, pigevo.Strategy(game, other)).overall for other in two.all_strategies(game)
    )
    assert sure == pytest.approx(0.5, abs=CLOSE)
    assert worst == pytest.approx(sure, abs=CLOSE)


@pytest.mark.parametrize(
    "game",
    [pigevo.Piglet(2), pigevo.Piglet(5, 0.7), pigevo.Pig(5, 3), pigevo.Race(6, {2: 0.5, 3: 0.5}, 0.0)],
    ids=str,
)
def test_the_optimum_is_what_equation_2_31_iterates_to(game):
    expected = two.optimum_by_value_iteration(game)
    s = pigevo.optimal(game)
    np.testing.assert_allclose(s.values, expected[:, :, 0], rtol=0, atol=CLOSE)
    values, decided = pigevo.state_values(s.strategy, s.strategy), ~np.isnan(expected)
    np.testing.assert_allclose(values[decided], expected[decided], rtol=0, atol=CLOSE)


@law(games(allow_pass=True))
def test_leave_to_pass_changes_nothing_for_the_optimum(game):
    strict = pigevo.Race(game.target, game.gains, game.bust)
    s = pigevo.optimal(game)
    np.testing.assert_allclose(s.values, pigevo.optimal(strict).values, rtol=0, atol=CLOSE)
    p = pigevo.win_probability(s.strategy, s.strategy)
    assert p.overall == pytest.approx(0.5, abs=CLOSE)
    assert max(p.stalemate_first, p.stalemate_second) <= CLOSE


@law(duels(players=1, allow_pass=True, largest=5), full=20)
def test_no_opponent_can_stalemate_its_best_response(duel):
    _, b = duel
    p = pigevo.win_probability(pigevo.best_response(b).strategy, b)
    assert max(p.stalemate_first, p.stalemate_second) <= CLOSE


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
    assert overall[6] == pytest.approx(0.5, abs=CLOSE)
    assert own[6] == pytest.approx(0.530592725274, abs=1e-12)
    assert rounds[7].strategy != rounds[6].strategy
    assert rounds[8].strategy == rounds[7].strategy
    assert rounds[7].value == pytest.approx(optimum.value, abs=CLOSE)


LEAST = 1e-10
"""Gains below it are rounding."""


def gains_of_flips(a, b):
    """What each decision of a that is changed alone gains at once, a going on as before: shape (T, T, T); nan elsewhere."""
    game, t = a.game, a.game.target
    own, other = pigevo.state_values(a, b), pigevo.state_values(b, a)
    gains = np.full((t, t, t), np.nan)
    for i, j, k in np.ndindex(t, t, t):
        if 0 < k < t - i:
            rolled = game.bust * (1 - other[j, i, 0])
            rolled += sum(p * (own[i, j, k + g] if i + k + g < t else 1) for g, p in game.die)
            held = 1 - other[j, i + k, 0]
            gains[i, j, k] = held - rolled if a.roll[i, j, k] else rolled - held
    return gains


def flipped(a, cells):
    roll = a.roll.copy()
    roll[cells] ^= True
    return pigevo.Strategy(a.game, roll)


def by_steepest_flips(a, b):
    """Change the one decision that gains most at once until none gains; the win probability never falls on the way."""
    value = pigevo.win_probability(a, b)
    for _ in range(10 * a.roll.size):
        gains = np.nan_to_num(gains_of_flips(a, b), nan=-1.0)
        if gains.max() <= LEAST:
            return a
        a = flipped(a, np.unravel_index(gains.argmax(), gains.shape))
        before, value = value, pigevo.win_probability(a, b)
        assert min(value.first - before.first, value.second - before.second) >= -CLOSE
    raise AssertionError("no end")


def by_policy_iteration(a, b):
    """Change all decisions that gain at once, until none does."""
    for _ in range(a.roll.size):
        better = np.nan_to_num(gains_of_flips(a, b), nan=-1.0) > LEAST
        if not better.any():
            return a
        a = flipped(a, better)
    raise AssertionError("no end")


def assert_best(a, b):
    best = pigevo.best_response(b)
    np.testing.assert_allclose(pigevo.state_values(a, b)[:, :, 0], best.values, rtol=0, atol=1e-9)
    won = pigevo.win_probability(a, b)
    assert (won.first, won.second) == pytest.approx((best.value, best.second), abs=1e-9)


@law(duels(allow_pass=False, largest=5), quick=8, full=40)
def test_single_flips_and_policy_iteration_end_at_the_best_response_from_anywhere_against_anybody(duel):
    _, a, b = duel
    assert_best(by_steepest_flips(a, b), b)
    assert_best(by_policy_iteration(a, b), b)


PIGLET = pigevo.Piglet(3)


@functools.cache
def neighbours():
    """All strategies of Piglet to 3 by their decisions, and for each those that differ in one decision."""
    cells = two.decision_cells(PIGLET)
    strategies = {
        tuple(roll[cell] for cell in cells): pigevo.Strategy(PIGLET, roll) for roll in two.all_strategies(PIGLET)
    }
    return strategies, {key: [(*key[:n], not key[n], *key[n + 1 :]) for n in range(len(cells))] for key in strategies}


@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.slow) for n in range(2, 8))])
def test_of_all_strategies_of_a_tiny_game_only_the_best_have_no_flip_that_gains_somewhere(seed):
    b = pigevo.random_strategy(PIGLET, seed=seed)
    strategies, near = neighbours()
    values = {key: pigevo.state_values(a, b) for key, a in strategies.items()}
    best = pigevo.best_response(b).values
    cells = two.decision_cells(PIGLET)
    for key, of_flips in near.items():
        gains = gains_of_flips(strategies[key], b)
        for cell, other in zip(cells, of_flips, strict=True):
            change = values[other] - values[key]
            assert change.min() >= -CLOSE or change.max() <= CLOSE  # nowhere better and elsewhere worse
            if abs(gains[cell]) > LEAST:
                assert np.sign(change[cell]) == np.sign(gains[cell])
        is_best = np.allclose(values[key][:, :, 0], best, rtol=0, atol=1e-9)
        gains_nowhere = all((values[other] - values[key]).max() <= LEAST for other in of_flips)
        assert gains_nowhere == (np.nanmax(gains) <= LEAST)
        assert is_best or not gains_nowhere


def trapped(b):
    """How many strategies win less than the best response though no flip of a decision wins more from the opening, and
    of how many of these every flip wins less."""
    strategies, near = neighbours()
    won = {key: pigevo.win_probability(a, b).overall for key, a in strategies.items()}
    most, flat, peaks = max(won.values()), 0, 0
    for key, of_flips in near.items():
        if won[key] < most - LEAST:
            change = [won[other] - won[key] for other in of_flips]
            flat += max(change) <= LEAST
            peaks += max(change) < -LEAST
    return flat, peaks


@pytest.mark.parametrize(
    ("b", "plateaus"),
    [
        (pigevo.optimal(PIGLET).strategy, 32),
        pytest.param(pigevo.hold_at(PIGLET, 1), 14, marks=pytest.mark.slow),
        pytest.param(pigevo.hold_at(PIGLET, 2), 32, marks=pytest.mark.slow),
        pytest.param(pigevo.random_strategy(PIGLET, seed=5), 96, marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_from_the_opening_alone_there_are_plateaus_but_no_strict_local_maximum(b, plateaus):
    """Of 512 strategies; what play cannot reach shows no gain until another decision leads there."""
    assert trapped(b) == (plateaus, 0)
