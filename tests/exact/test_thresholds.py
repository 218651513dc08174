"""Threshold rules, evaluated side by side, against the general engine one by one."""

import numpy as np
import pytest
from hypothesis import strategies as st

import pigevo
from pigevo.errors import InputError
from pigevo.exact import best_response, optimal, reach, win_probability
from pigevo.exact.thresholds import Thresholds, _agreed, _agreement, simple_rule_against
from pigevo.games import GAMES, Pig, Piglet
from pigevo.games.race import Race
from pigevo.strategies.rules import FAR, Leaves, Rule, parse_rule
from tests.cases import law
from tests.strategies.rule_cases import bases, races, rules

GAMES_PLAYED = [Pig(target=23), Pig(target=31, sides=20), Piglet(target=12), Race(17, {1: 0.2, 5: 0.3, 9: 0.1}, 0.4),
                Pig(target=1), Pig(target=3)]  # fmt: skip


@law(st.lists(rules, min_size=1, max_size=20), st.integers(0, 99), quick=5, full=30)
def test_rules_win_as_the_general_engine_says(made, seed):
    for game in GAMES_PLAYED:
        opponent = pigevo.random_strategy(game, seed=seed)
        overall = Thresholds(opponent).overall(np.stack([rule.planned(game) for rule in made]))
        exact = [pigevo.win_probability(rule.strategy(game), opponent).overall for rule in made]
        np.testing.assert_allclose(overall, exact, rtol=0, atol=1e-12)


@law(quick=6, full=30, made=st.lists(bases, min_size=1, max_size=4), raced=st.lists(races, min_size=1, max_size=4),
     margins=st.lists(st.integers(0, 30), min_size=1, max_size=3))  # fmt: skip
def test_bases_races_and_margins_make_rules(made, raced, margins):
    """All combinations at once, more than one rule to each lane, both seats."""
    game = Pig(target=23)
    opponent = pigevo.optimal(game).strategy
    nothing = parse_rule("0").base
    raced = [tuple(g for g in race if not any(isinstance(part, Leaves) for part in g)) for race in raced]
    chosen = [(b, r, m) for b in range(len(made)) for r in range(len(raced)) for m in range(len(margins))]
    plans = np.stack([Rule(base).planned(game) for base in made])
    masks = np.stack([Rule(nothing, race).planned(game) >= FAR for race in raced])
    all_seats = Thresholds(opponent).seats(plans, masks, [(b, r, margins[m]) for b, r, m in chosen], workers=2)
    for (b, r, m), seats in zip(chosen, all_seats, strict=True):
        race = (*raced[r], (Leaves(margins[m]),)) if margins[m] else raced[r]
        p = pigevo.win_probability(Rule(made[b], race).strategy(game), opponent)
        np.testing.assert_allclose(seats, (p.first, p.second), rtol=0, atol=1e-12)


def test_without_rules_the_answer_is_empty():
    game = Pig(target=9)
    assert Thresholds(pigevo.hold_at(game, 3)).overall(np.zeros((0, 9, 9), int)).shape == (0,)


@pytest.mark.parametrize("game", [Pig(target=9, allow_pass=True), GAMES["two_dice"].bind({"target": 9})], ids=str)
def test_other_games_are_refused(game):
    with pytest.raises(InputError, match="races of one die without passing"):
        Thresholds(pigevo.hold_at(game, 3))


@pytest.mark.parametrize("target", [1, 2, 3, 30])
def test_a_simple_rule_exploits_nearly_as_a_best_response_does(target):
    game = Pig(target=target)
    for opponent in (pigevo.hold_at(game, 4), pigevo.random_strategy(game, 2)):
        wins = win_probability(simple_rule_against(opponent).strategy(game), opponent).overall
        most = best_response(opponent).overall
        assert most - 0.03 < wins < most + 1e-12
        assert wins > win_probability(pigevo.hold_at(game, 20), opponent).overall - 1e-12


OTHERS = [GAMES["two_dice"].bind({"target": 20}), Pig(target=25, allow_pass=True),
          GAMES["ten_rounds"].bind({"turns": 4, "cap": 40}), GAMES["ten_rounds"].bind({"turns": 2, "cap": 20, "rolls": True}),
          GAMES["equal_turns"].bind({"target": 20, "cap": 30})]  # fmt: skip


@pytest.mark.parametrize("game", OTHERS, ids=str)
def test_in_other_games_a_rule_is_chosen_by_how_often_it_decides_alike(game):
    """It wins more than hold values alone; and how often rules agree with the best response is what their arrays say."""
    opponent = pigevo.hold_at(game, 4)
    answer = best_response(opponent).strategy
    rule, like = simple_rule_against(opponent, answer), _agreement(answer, opponent)
    assert rule == simple_rule_against(opponent)
    wins = win_probability(rule.strategy(game), opponent).overall
    assert wins > max(0.5, *(win_probability(pigevo.hold_at(game, n), opponent).overall for n in (6, 15))) - 5e-3
    decisions = np.where(np.broadcast_to(game.decision_states, game.shape), reach(answer, opponent).overall, 0.0)
    if game.reply:  # who has come to the target decides by no rule
        decisions = decisions[:, :, : game.target]
    for text in ("9", "12+(j-i)/4"):
        alike = np.where(parse_rule(text).strategy(game).roll == answer.roll, 1.0, 0.0)
        alike = alike[:, :, : game.target] if game.reply else alike
        assert _agreed(parse_rule(text), game, like) == pytest.approx((decisions * alike).sum())


def test_a_simple_rule_finds_one_of_its_own_form():
    """Against whoever never holds, what counts is the own way to the target."""
    game = Pig(target=40)
    never = pigevo.Strategy.from_function(game, lambda i, j, k: True)
    rule = simple_rule_against(never).strategy(game)
    best = optimal(game).strategy
    assert win_probability(rule, never).overall > win_probability(best, never).overall - 5e-3
