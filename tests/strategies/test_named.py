"""The named strategies, each against its rule restated for one cell at a time."""

import numpy as np
import pytest

import pigevo
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.games import GAMES, Pig, Piglet
from pigevo.strategies import STRATEGIES, parse_strategy
from pigevo.strategies.rules.reading import known_rules


def cells(game):
    """Every asked cell."""
    t = game.target
    for i in range(t):
        for k in range(0 if game.allow_pass else 1, t - i):
            for j in range(t):
                yield i, j, k


def hold_at(n):
    return lambda i, j, k: not k >= n


def score(n, behind=0):
    return lambda i, j, k: True if i + k <= j - behind else k < n


def table_1_of_exeter_2016(i, j, k):
    return k < 20 or i + k < j - 1


def roll_and_wait(score, n):
    def rule(i, j, k):
        if i < score:
            return k < n
        return not (i > j and k == 0)  # waits while ahead

    return rule


def skip_when_level(i, j, k):
    if k == 0 and i == j and (i, j) != (0, 0):
        return False
    return k < 20


@pytest.mark.parametrize(
    ("word", "target", "rule"),
    [
        *((f"hold_at:{n}", 37, hold_at(n)) for n in (0, 1, 20, 1000)),
        ("hold_at:25", 100, hold_at(25)),
        *((f"score:{n}", 37, score(n)) for n in (1, 20)),
        *((f"score:{n},{behind}", 37, score(n, behind)) for n, behind in ((3, 1), (25, 1000))),
        ("score:20,2", 100, table_1_of_exeter_2016),
        ("roll_to_win", 37, lambda i, j, k: True),
        ("turtle:4", 37, hold_at(4)),
        ("roll_and_wait:30,6", 37, roll_and_wait(30, 6)),
        ("skip_when_level", 37, skip_when_level),
    ],
)
def test_each_rolls_where_its_rule_says(word, target, rule):
    game = Pig(target=target, allow_pass=word.startswith(("roll_and_wait", "skip")))
    strategy = pigevo.parse_strategy(word, game)
    roll = strategy.roll.tolist()
    assert [(i, j, k) for i, j, k in cells(game) if roll[i][j][k] != rule(i, j, k)] == []
    assert game.allow_pass or strategy.roll[:, :, 0].all()


COUNTING_ROLLS = GAMES["ten_rounds"].bind({"rolls": True, "turns": 1})


def test_a_number_of_rolls_is_counted_where_the_game_counts_it():
    game = COUNTING_ROLLS
    counted = pigevo.Strategy.from_function(game, lambda left, second, difference, total, rolls: rolls < 4)
    assert pigevo.parse_strategy("rolls:4", game) == counted
    with pytest.raises(pigevo.InputError, match=r"it needs a game of turns with --rolls"):
        pigevo.parse_strategy("rolls:4", Pig())
    with pytest.raises(pigevo.InputError, match=r"distinguishes at most 24 rolls"):
        pigevo.parse_strategy("rolls:25", game)


@pytest.mark.parametrize("game", [Pig(target=30), Pig(target=30, allow_pass=True), Piglet(target=25)], ids=repr)
def test_a_random_strategy_is_fair_coins_of_the_population_stream(game):
    strategy = pigevo.random_strategy(game, seed=5)
    coins = Draw(5, "population").at(part=1).bits(*game.shape).astype(bool)
    decides = np.broadcast_to(game.decision_states, game.shape)
    assert np.array_equal(strategy.roll[decides], coins[decides])
    # two-sided: 4.5 standard deviations are p = 7e-6
    assert abs(strategy.roll[decides].mean() - 0.5) < 4.5 * 0.5 / decides.sum() ** 0.5


@pytest.mark.parametrize("name", STRATEGIES)
def test_its_name_can_be_typed_again(name):
    """With other numbers than the usual ones."""
    of_rounds = name in ("rolls", "stick_formula_repaired")
    game = COUNTING_ROLLS if of_rounds else Pig(target=40, allow_pass=True)
    numbers = [str(usual + 1) for usual in STRATEGIES[name].defaults.values()]
    word = f"{name}:{','.join(numbers)}" if numbers else name
    strategy = parse_strategy(word, game)
    assert strategy.name == word
    assert strategy.game == parse_strategy(name, game).game == game


OF_THE_STUDY = [
    ("next_multiple", 100, "multiple(25)"),
    ("next_multiple_and_end_race", 100, "multiple(24); race either>=72"),
    ("two_totals_and_end_race", 100, "18 if ahead else 22; race sum>=121"),
    ("keep_pace_and_weigh", 100, "22+(j-i)/7; race 2*own+opponent>=178"),
    ("keep_pace_and_end_either", 100, "21+(j-i)/8; race either>=75 or 2*own+opponent>=185"),
]


@pytest.mark.parametrize(("word", "target", "rule"), [
    *OF_THE_STUDY,
    ("hold_at:17", 23, "17"),
    ("score:20", 23, "max(20, j-i+1)"),
    ("roll_to_win", 23, "end"),
    ("keep_pace_and_end_race", 100, "21+(j-i)/8; race either>=71"),
    ("keep_pace_and_end_race:20,3,10", 40, "20+(j-i)/3; race either>=30"),
    ("keep_pace_and_end_race:3,7,1", 40, "3+(j-i)/7; race either>=39"),
    ("keep_pace_and_end_race:19,7,0", 100, "19+(j-i)/7"),
    ("next_multiple:7", 30, "multiple(7)"),
    ("next_multiple_and_end_race:7,9", 30, "multiple(7); race either>=21"),
    ("two_totals_and_end_race:6,8,22", 30, "6 if ahead else 8; race sum>=38"),
    ("keep_pace_and_weigh:9,3,33", 30, "9+(j-i)/3; race 2*own+opponent>=57"),
    ("keep_pace_and_end_either:9,3,5,20", 30, "9+(j-i)/3; race either>=25 or 2*own+opponent>=70"),
    ("keep_pace_and_end_either:9,3,999,20", 30, "end"),
])  # fmt: skip
def test_a_name_is_a_rule_whose_scores_are_counted_from_the_target(word, target, rule):
    for allow_pass in (False, True):
        game = Pig(target=target, allow_pass=allow_pass)
        assert parse_strategy(word, game) == parse_strategy(f"rule: {rule}", game)


def test_the_usual_numbers_are_those_of_the_study():
    assert {rule for _, _, rule in OF_THE_STUDY} <= {one.rule.text for one in known_rules(Pig())}


def test_each_beats_the_published_one_of_as_many_numbers():
    game = Pig()
    best = pigevo.optimal(game).strategy

    def lost(name):
        return 0.5 - pigevo.win_probability(parse_strategy(name, game), best).overall

    published = lost("keep_pace_and_end_race")
    assert lost("keep_pace_and_end_either") < lost("keep_pace_and_weigh") < published
    assert lost("next_multiple") < min(lost(f"hold_at:{n}") for n in range(15, 36))


@pytest.mark.parametrize("number", [-3, 2.5, float("nan"), "twenty", None])
def test_a_number_that_is_refused_in_words_is_refused_in_python(number):
    with pytest.raises(
        InputError, match=r"^hold_at\.n = .* (is out of range: it must be at least 0|must be a whole number)"
    ):
        pigevo.hold_at(pigevo.Pig(), number)


def test_numbers_of_numpy_are_numbers():
    game = pigevo.Pig(9)
    assert pigevo.hold_at(game, np.int64(4)) == pigevo.hold_at(game, n=4) == pigevo.hold_at(game, 4)
