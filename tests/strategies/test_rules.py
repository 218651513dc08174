"""Rules that a person can remember: what they say, what they play, also in a game of rounds, and what they need."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import pigevo
from pigevo.errors import InputError
from pigevo.games import GAMES, Game, Pig
from pigevo.games.game import Throw
from pigevo.strategies import parse_strategy
from pigevo.strategies.rules import AtLeast, Complexity, Constant, Fraction, Leaves, Rule, Sum, complexity, parse_rule
from pigevo.strategies.rules.reading import LONGEST
from tests.cases import at_least, rules, rules_for_rounds

SMALL = Pig(target=23)
few = settings(max_examples=40, deadline=None)
PUBLISHED = "21+(j-i)/8; race either>=71"


@given(st.one_of(rules, rules_for_rounds))
@few
def test_a_rule_is_read_as_it_is_written(rule):
    spaced = f"rule:  {rule.text.replace('>=', ' >= ').replace('+', ' + ')} "
    assume(len(spaced) <= LONGEST)
    assert parse_rule(rule.text) == rule
    assert parse_rule(spaced) == rule
    sentence = rule.sentence
    assert sentence[0].isupper()
    assert sentence.endswith(".")
    assert not any(mark in sentence for mark in ("  ", "..", "{"))


@given(rules)
@few
def test_the_line_of_python_is_the_rule(rule):
    line = eval(rule.python(SMALL.target))
    roll = rule.strategy(SMALL).roll
    t = SMALL.target
    wrong = [(i, j, k) for i in range(t) for j in range(t) for k in range(1, t - i) if roll[i, j, k] != line(i, j, k)]
    assert wrong == []


@given(rules, at_least)
@few
def test_a_further_condition_asks_for_more(rule, condition):
    more = complexity(Rule(rule.base, (*rule.race, (condition,))))
    assert more.integers == complexity(rule).integers + (not condition.by_sight)
    assert more.operations > complexity(rule).operations


def test_the_published_rule_loses_as_published():
    game = Pig()
    p = pigevo.win_probability(parse_rule(PUBLISHED).strategy(game), pigevo.optimal(game).strategy)
    assert abs(1 - 2 * p.overall - 0.0092) < 0.00005


def half_up(x):
    return math.floor(x + 0.5)


@pytest.mark.parametrize(
    ("text", "plan"),
    [
        ("12", lambda i, j: 12),
        ("multiple(7)", lambda i, j: next(m for m in range(0, 99, 7) if m > i) - i),
        ("marks(9, 15)", lambda i, j: next((m for m in (9, 15) if m > i), 999) - i),
        ("8+(j-i)/4", lambda i, j: 8 + half_up((j - i) / 4)),
        ("8-(j-i)/3", lambda i, j: 8 - half_up((j - i) / 3)),
        ("9+j/5-i/6", lambda i, j: 9 + half_up(j / 5) - half_up(i / 6)),
        ("max(6, j-i-4)", lambda i, j: max(6, j - i - 4)),
        ("quarters(5,6,7,8)", lambda i, j: 5 if i < 5.75 else 6 if i < 11.5 else 7 if i < 17.25 else 8),
        ("4 if ahead else 9 if deficit>=6 else 7", lambda i, j: 4 if i > j else 9 if j >= i + 6 else 7),
        ("7; race own>=15", lambda i, j: 999 if i >= 15 else 7),
        ("7; race either>=15", lambda i, j: 999 if max(i, j) >= 15 else 7),
        ("7; race both>=9", lambda i, j: 999 if min(i, j) >= 9 else 7),
        ("7; race own>=15 or opponent>=12 and sum>=20", lambda i, j: 999 if i >= 15 or (j >= 12 and i + j >= 20) else 7),
        ("7; race own+2*opponent>=30", lambda i, j: 999 if i + 2 * j >= 30 else 7),
        ("7; race 2*own+opponent>=30", lambda i, j: 999 if 2 * i + j >= 30 else 7),
        ("7; race lead>=4", lambda i, j: 999 if i - j >= 4 else 7),
        ("7+(j-i)/2; race leaves<=5", lambda i, j: 999 if 23 - i - (p := 7 + half_up((j - i) / 2)) <= 5 else p),
    ],
)  # fmt: skip
def test_rules_hold_where_their_words_say(text, plan):
    roll = parse_rule(text).strategy(SMALL).roll
    t = SMALL.target
    wrong = [
        (i, j, k) for i in range(t) for j in range(t) for k in range(1, t - i) if roll[i, j, k] != (k < plan(i, j))
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "integers", "operations"),
    [
        ("25", 1, 0),
        ("25; race leaves<=25", 2, 3),
        (PUBLISHED, 3, 12),  # subtract, three halvings, add: 10; and two comparisons
        ("21+(j-i)/10", 2, 6),
        ("21+(j-i)/3", 2, 8),
        ("21+(j-i)/7", 2, 10),
        ("21+(j-i)/20", 2, 8),
        ("21+(j-i)/25", 2, 12),
        ("21+j/30-i/2", 3, 12),
        ("21+(j-i)", 1, 4),
        ("multiple(25)", 1, 3),
        ("19 if ahead else 24", 2, 1),
        ("19 if lead>=5 else 24", 3, 3),
        ("max(25,j-i-10)", 2, 5),
        ("max(25,j-i+1)", 1, 3),
        ("quarters(24,25,23,25)", 4, 3),
        ("25; race 2*own+opponent>=178", 2, 5),
        ("marks(25,50,74); race ahead", 3, 6),
        ("18+(j-i)/turns", 1, 14),
        ("max(17, 18 + (j - i)/turns)", 2, 15),
        ("max(17, 13+(j-i)/turns if second else 21+(j-i)/turns)", 3, 16),
        ("20+(j-i)/8; last 14 if ahead else 15+(j-i)", 4, 10),
        ("20; last 16+(j-i)", 2, 5),
    ],
)
def test_the_complexity_of_a_rule_is_counted(text, integers, operations):
    assert complexity(parse_rule(text)) == Complexity(integers, operations)


SENTENCES = {
    PUBLISHED: "Hold at 21, plus an eighth of what you are behind or minus an eighth of what you are ahead. "
    "But roll to win once either of you has 71 or more.",
    "19 if ahead else 24": "If you are ahead, hold at 19; otherwise hold at 24.",
    "4 if second else 9": "If you move second in the round, hold at 4; otherwise hold at 9.",
    "max(17,18+(j-i)/turns)": "Hold at 18, plus what you are behind or minus what you are ahead, shared out over your "
    "turns left (this one counts too), but never below 17.",
    "20; last 16+(j-i)": "Hold at 20. In your last turn hold at 16, plus what you are behind or minus what you are "
    "ahead. If nobody plays after you, roll until ahead.",
}


@pytest.mark.parametrize("text", SENTENCES)
def test_sentences_are_plain(text):
    assert parse_rule(text).sentence == SENTENCES[text]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("rule:", "'' in the rule '' must be one of: 25, 21+(j-i)/8"),
        ("rule: hold", "'hold' in the rule 'hold' must be one of"),
        ("rule: 25;", "after the semicolon of '25;' write race"),
        ("rule: 25; rac either>=3", "write race and a condition"),
        ("rule: 25; race foo>=3", "'foo >= 3' in the rule"),
        ("rule: 25; race either>71", "must be one of: own>=N"),
        ("rule: 25; race either>=x", "must be one of: a whole number"),
        ("rule: 25.5", "must be one of: a whole number"),
        ("rule: True", "must be one of: a whole number"),
        ("rule: 25+(j-i)/0", "to divide by in a rule cannot be 0"),
        ("rule: 25+k/3", "one of (j-i), i or j"),
        ("rule: 25+(j-i)//8", "one of (j-i), i or j"),
        ("rule: 99999", "must be a whole number from 0 to 5000"),
        ("rule: max(25, i)", "must be one of: j-i-10"),
        ("rule: marks(50, 25)", "each larger than the one before"),
        ("rule: quarters(1,2,3)", "must be one of"),
        ("rule: 1 if leaves<=3 else 4", "can stand after race only"),
        ("rule: __import__('os').getcwd()", "must be one of"),
        ("rule: " + "(" * 400, "must be one of"),
        ("rule: " + "1" * 501, "at most 500 characters"),
        ("rule: 25\x00", "must be one of"),
    ],
)
def test_what_is_no_rule_is_refused_with_a_sentence(refused, text, part):
    refused(text, SMALL, part)


def test_a_long_choice_is_read():
    assert parse_strategy("rule: " + "1 if ahead else " * 30 + "1", SMALL) == pigevo.hold_at(SMALL, 1)


@given(st.text(alphabet="0123456789+-*/()<>=,.;: ijTracedhelvsowbnu'\\\x00\n", max_size=60))
@example("1if ahead else 2")
@example("-" * 490)
@example("'\\d'; race ahead")
@example("25; race " + "not " * 100 + "ahead")
def test_any_text_is_a_rule_or_refused_in_one_line(text):
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            assert parse_rule(parse_rule(text).text) == parse_rule(text)
        except InputError as error:
            assert "\n" not in str(error)
    assert warned == []


@pytest.mark.parametrize("make", [
    lambda: AtLeast("speed", 3), lambda: Leaves(-1), lambda: Constant(True), lambda: Fraction("*", "i", 2),
    lambda: Sum(3, ()), lambda: Rule(Constant(3), ((),)),
])  # fmt: skip
def test_records_refuse_what_no_rule_has(make):
    with pytest.raises(InputError):
        make()


def test_rules_play_other_games_too():
    for name in ("two_dice", "big_pig", "equal_turns", "skunk"):
        game = GAMES[name].bind({"target": 30} if name != "equal_turns" else {"target": 30, "cap": 40})
        assert parse_strategy("rule: 12; race own>=999", game) == pigevo.hold_at(game, 12)


ROUNDS = GAMES["ten_rounds"].bind({"turns": 3, "cap": 12})
STATES = [
    (left, second, lead, total)
    for left in (1, 2, 3) for second in (0, 1) for lead in range(-12, 13) for total in range(1, 12)
]  # fmt: skip


class Falling(Game):
    """A game of two turns in which a 1 loses the whole score, so that both scores are known."""

    turns, cap = 2, 20
    throws = (Throw(0, 0.5, "score"), Throw(2, 0.5))


def rolls(strategy, left, second, lead, total):
    return bool(strategy.roll[ROUNDS.cell(left=left, second=second, difference=lead, total=total)])


@given(rules_for_rounds)
@few
def test_the_line_of_python_is_the_rule_in_a_game_of_rounds(rule):
    line, strategy = eval(rule.python(0)), rule.strategy(ROUNDS)
    wrong = [s for s in STATES if rolls(strategy, *s) != line(s[0], s[1], max(s[2], 0), max(-s[2], 0), s[3])]
    assert wrong == []


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
    strategy = parse_strategy(f"rule: {text}", ROUNDS)
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
        ("rule: multiple(7)", ROUNDS, "multiple(7) needs both scores"),
        ("rule: 7; last marks(9)", ROUNDS, "marks(9) needs both scores"),
        ("rule: 7+j/3", ROUNDS, "needs both scores"),
        ("rule: 3 if own>=4 else 7", ROUNDS, "needs both scores"),
        ("rule: 3 if ahead else multiple(7)", ROUNDS, "needs both scores"),
        ("rule: 7; race own>=9", ROUNDS, "`race` in 7; race own>=9 needs a game with a target"),
        ("rule: 7; last 9", pigevo.Pig(target=20), "`last` in 7; last 9 needs a game of rounds"),
        ("rule: 7; last 9", GAMES["equal_turns"].bind({"target": 20, "cap": 30}), "needs a game of rounds"),
        ("rule: 7+j/turns", ROUNDS, "needs both scores"),
        ("rule: max(5,7+j/3)", ROUNDS, "needs both scores"),
        ("rule: 7+(j-i)/turns", pigevo.Pig(target=20), "`turns` in 7+(j-i)/turns needs a game of rounds"),
        ("rule: max(5,7+i/turns)", GAMES["equal_turns"].bind({"target": 20, "cap": 30}), "needs a game of rounds"),
        ("rule: 7+(j-i)/turns; race own>=9", ROUNDS, "not both"),
        (
            "rule: 7+(j-i)/rounds",
            ROUNDS,
            "'rounds' in the rule '7+(j-i)/rounds' must be one of: a whole number or turns",
        ),
        ("rule: max(5,7*turns)", ROUNDS, "'7 * turns' in the rule"),
        ("rule: max(5,turns)", ROUNDS, "must be one of: j-i-10, j-i, j-i+1, 18+(j-i)/8"),
        ("rule: 7; last", ROUNDS, "'' in the rule '7; last' must be one of: 25"),
        ("rule: 7; last 9; race own>=3", ROUNDS, "must be one of: 25"),
        ("rule: 4 if second else 9", pigevo.Pig(target=20), "equally many turns: ten_rounds or equal_turns"),
        ("rule: 7; race second", ROUNDS, "can choose between two bases only"),
        ("rule: 7; last 4 if second else 9", ROUNDS, "`second` has no meaning after `last`"),
        ("rule: 4 if third else 9", ROUNDS, "deficit>=N, ahead, behind, second"),
        ("rule: 7; lost 9", ROUNDS, "or, in a game of rounds, last and a base"),
    ],
)
def test_what_does_not_fit_the_game_is_refused_with_a_sentence(refused, text, game, part):
    refused(text, game, part)
