"""Rules in a game of rounds: what they play, and what they need."""

import numpy as np
import pytest
from hypothesis import given, settings

import pigevo
from pigevo.games import GAMES, Game
from pigevo.games.game import Throw
from pigevo.strategies import parse_strategy
from pigevo.strategies.rules import parse_rule
from tests.strategies.rule_cases import rules_for_rounds

GAME = GAMES["ten_rounds"].bind({"turns": 3, "cap": 12})
STATES = [
    (left, second, lead, total)
    for left in (1, 2, 3) for second in (0, 1) for lead in range(-12, 13) for total in range(1, 12)
]  # fmt: skip


class Falling(Game):
    """A game of two turns in which a 1 loses the whole score, so that both scores are known."""

    turns, cap = 2, 20
    throws = (Throw(0, 0.5, "score"), Throw(2, 0.5))


def rolls(strategy, left, second, lead, total):
    return bool(strategy.roll[GAME.cell(left=left, second=second, difference=lead, total=total)])


@given(rules_for_rounds)
@settings(max_examples=40, deadline=None)
def test_the_line_of_python_is_the_rule(rule):
    line, strategy = eval(rule.python(0)), rule.strategy(GAME)
    wrong = [s for s in STATES if rolls(strategy, *s) != line(s[0], s[1], max(s[2], 0), max(-s[2], 0), s[3])]
    assert wrong == []


def half_up(x):
    return np.floor(x + 0.5)


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        ("7", lambda left, second, lead: 7),
        ("6+(j-i)/4; last 4+(j-i)", lambda left, second, lead: 4 - lead if left == 1 else 6 + half_up(-lead / 4)),
        ("4 if ahead else 8; last max(5,j-i)", lambda left, second, lead: (
            max(5, -lead) if left == 1 else 4 if lead > 0 else 8)),
        ("6+(j-i)/turns", lambda left, second, lead: 6 + half_up(-lead / left)),
        ("9-(j-i)/turns", lambda left, second, lead: 9 - half_up(-lead / left)),
        ("max(5,6+(j-i)/turns)", lambda left, second, lead: max(5, 6 + half_up(-lead / left))),
        ("max(5,6+(j-i)/turns+(j-i)/4)", lambda left, second, lead: max(
            5, 6 + half_up(-lead / left) + half_up(-lead / 4))),
        ("5 if ahead else 6+(j-i)/turns; last 4", lambda left, second, lead: (
            4 if left == 1 else 5 if lead > 0 else 6 + half_up(-lead / left))),
        ("4; last 6+(j-i)/turns", lambda left, second, lead: 6 - lead if left == 1 else 4),
        ("4 if second else 8", lambda left, second, lead: 4 if second else 8),
        ("4 if second else 8+(j-i)/2; last 6-(j-i)", lambda left, second, lead: (
            4 if second else 6 + lead if left == 1 else 8 + half_up(-lead / 2))),
        ("max(5,4+(j-i)/turns if second else 7+(j-i)/turns)", lambda left, second, lead: max(
            5, (4 if second else 7) + half_up(-lead / left))),
        ("3 if ahead else (max(6,j-i) if second else 9)", lambda left, second, lead: (
            3 if lead > 0 else max(6, -lead) if second else 9)),
    ],
)  # fmt: skip
def test_rules_hold_where_their_words_say_and_roll_until_ahead_in_the_last_turn_of_all(text, plan):
    strategy = parse_strategy(f"rule: {text}", GAME)
    for left, second, lead, total in STATES:
        hold = 1 - lead if left == 1 and second else plan(left, second, lead)
        assert rolls(strategy, left, second, lead, total) == (total < hold), (left, second, lead, total)


def test_in_a_race_of_equal_turns_a_rule_knows_who_moves_second_too():
    game = GAMES["equal_turns"].bind({"target": 20, "cap": 30})
    strategy = parse_strategy("rule: 4 if second else 9; race own>=15", game)
    first, second = (parse_strategy(f"rule: {n}; race own>=15", game) for n in (9, 4))
    assert np.array_equal(strategy.roll[0], first.roll[0])
    assert np.array_equal(strategy.roll[1], second.roll[1])
    line = eval(parse_rule("4 if second else 9; race own>=15").python(20))
    assert [line(second, 3, 3, 5) for second in (0, 1)] == [True, False]


def test_where_both_scores_are_known_a_rule_plays_by_their_difference():
    plan = parse_rule("9+(j-i)/3; last 5").planned(Falling())
    assert plan.shape == (2, 2, 21, 21)
    assert (plan[1, 0, 3, 12], plan[0, 0, 3, 12], plan[0, 1, 3, 12]) == (12, 5, 10)


@pytest.mark.parametrize(
    ("text", "game", "part"),
    [
        ("rule: multiple(7)", GAME, "multiple(7) needs both scores"),
        ("rule: 7; last marks(9)", GAME, "marks(9) needs both scores"),
        ("rule: 7+j/3", GAME, "needs both scores"),
        ("rule: 3 if own>=4 else 7", GAME, "needs both scores"),
        ("rule: 3 if ahead else multiple(7)", GAME, "needs both scores"),
        ("rule: 7; race own>=9", GAME, "`race` in 7; race own>=9 needs a game with a target"),
        ("rule: 7; last 9", pigevo.Pig(target=20), "`last` in 7; last 9 needs a game of rounds"),
        ("rule: 7; last 9", GAMES["equal_turns"].bind({"target": 20, "cap": 30}), "needs a game of rounds"),
        ("rule: 7+j/turns", GAME, "needs both scores"),
        ("rule: max(5,7+j/3)", GAME, "needs both scores"),
        ("rule: 7+(j-i)/turns", pigevo.Pig(target=20), "`turns` in 7+(j-i)/turns needs a game of rounds"),
        ("rule: max(5,7+i/turns)", GAMES["equal_turns"].bind({"target": 20, "cap": 30}), "needs a game of rounds"),
        ("rule: 7+(j-i)/turns; race own>=9", GAME, "not both"),
        ("rule: 7+(j-i)/rounds", GAME, "'rounds' in the rule '7+(j-i)/rounds' must be one of: a whole number or turns"),
        ("rule: max(5,7*turns)", GAME, "'7 * turns' in the rule"),
        ("rule: max(5,turns)", GAME, "must be one of: j-i-10, j-i, j-i+1, 18+(j-i)/8"),
        ("rule: 7; last", GAME, "'' in the rule '7; last' must be one of: 25"),
        ("rule: 7; last 9; race own>=3", GAME, "must be one of: 25"),
        ("rule: 4 if second else 9", pigevo.Pig(target=20), "equally many turns: ten_rounds or equal_turns"),
        ("rule: 7; race second", GAME, "can choose between two bases only"),
        ("rule: 7; last 4 if second else 9", GAME, "`second` has no meaning after `last`"),
        ("rule: 4 if third else 9", GAME, "deficit>=N, ahead, behind, second"),
        ("rule: 7; lost 9", GAME, "or, in a game of rounds, last and a base"),
    ],
)
def test_what_does_not_fit_the_game_is_refused_with_a_sentence(refused, text, game, part):
    refused(text, game, part)
