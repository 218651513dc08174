"""Named strategies, the formula of a school blog and combinations, each against its rule for a single state."""

import numpy as np
import pytest

import pigevo
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.games import GAMES, Pig, Piglet
from pigevo.games.game_record import make_game
from pigevo.strategies import STRATEGIES, parse_strategy
from pigevo.strategies.combined import read_combination
from pigevo.strategies.parse import absolute, names_file, single_words
from pigevo.strategies.rules.reading import known_rules
from pigevo.strategies.stick_formula import by_rolls, chances_by_total, sticking


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
def test_the_name_of_a_strategy_can_be_typed_again(name):
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


TWO_TURNS = GAMES["ten_rounds"].bind({"turns": 2, "cap": 60})


def turns_of_the_blog():
    """What a turn banks, by the code of the blog: each number of points with its probability."""
    banked = {}

    def roll(score, rolls, chance):
        for die in range(1, 7):
            now, count, p = score + die, rolls + 1, chance / 6
            if die == 1 and count != 1:
                banked[0] = banked.get(0, 0.0) + p
                continue
            v = (now / count) / 6
            stick = min(1.0, (count ** (v * 4)) / 50)
            banked[now] = banked.get(now, 0.0) + p * stick
            if stick < 1 and p > 1e-13:
                roll(now, count, p * (1 - stick))

    roll(0, 0, 1.0)
    return banked


def turns_of(strategy):
    """The same of a strategy in the first turn of a game, by turn totals."""
    banked, here = {}, {face: 1 / 6 for face in range(1, 7)}
    while here:
        after = {}
        for total, chance in here.items():
            on = float(strategy.roll[TWO_TURNS.cell(left=2, second=0, difference=0, total=total)])
            banked[total] = banked.get(total, 0.0) + chance * (1 - on)
            if on:
                banked[0] = banked.get(0, 0.0) + chance * on / 6
                for face in range(2, 7):
                    after[total + face] = after.get(total + face, 0.0) + chance * on / 6
        here = after
    return banked


def test_a_turn_banks_what_the_code_of_the_blog_banks():
    expected, banked = turns_of_the_blog(), turns_of(parse_strategy("stick_formula:4,50", TWO_TURNS))
    assert sum(expected.values()) == pytest.approx(1, abs=1e-9)
    for points in range(60):
        assert banked.get(points, 0.0) == pytest.approx(expected.get(points, 0.0), abs=1e-9), points


def test_by_the_number_of_rolls_it_wins_what_it_wins_by_the_turn_total():
    wide = GAMES["ten_rounds"].bind({"turns": 2, "cap": 60, "rolls": True})
    by_rolls_too, other = (
        pigevo.win_probability(parse_strategy("stick_formula:4,50", game), pigevo.hold_at(game, 15))
        for game in (wide, TWO_TURNS)
    )
    assert (by_rolls_too.first, by_rolls_too.second) == pytest.approx((other.first, other.second), abs=1e-12)


@pytest.mark.parametrize("name", GAMES)
def test_in_every_game_it_sticks_the_sooner_the_smaller_its_divisor(name):
    game = GAMES[name].bind({"cap": 60} if name == "ten_rounds" else {})
    eager, patient = (parse_strategy(f"stick_formula:4,{divisor}", game) for divisor in (5, 50))
    decides = np.broadcast_to(game.decision_states, game.shape)
    assert patient.is_mixed
    assert (eager.roll <= patient.roll + 1e-12)[decides].all()
    assert (eager.roll < patient.roll)[decides].any()


def test_where_the_other_player_has_a_reply_it_banks_at_the_target_and_rolls_until_ahead():
    game = GAMES["equal_turns"].bind({"target": 30, "cap": 50})
    roll = parse_strategy("stick_formula", game).roll
    assert roll[1, 20, 31, 11] == 1
    assert roll[1, 20, 31, 12] == 0
    assert roll[0, 20, 29, 10] == 0
    assert 0 < roll[0, 20, 29, 9] < 1


def test_the_mean_roll_is_a_share_of_the_most_that_a_throw_brings():
    coin = parse_strategy("stick_formula:4,50", Piglet(target=10))  # each head is 1 of 1, so v is 1
    assert [coin.roll[0, 0, k] for k in (1, 2, 3)] == pytest.approx([1 - 1 / 50, 1 - 16 / 50, 0])
    pig = parse_strategy("stick_formula:4,50", Pig(target=30))
    assert pig.roll[0, 0, 2] == pytest.approx(1 - 1 / 50)  # one roll, whatever it was


def test_a_rule_by_rolls_without_chance_is_one_by_turn_totals_where_these_tell_them():
    coin = Piglet(target=10)
    assert by_rolls(coin, lambda total, rolls: rolls >= 3, "three") == pigevo.hold_at(coin, 3)
    assert chances_by_total(coin, lambda total, rolls: total >= 4)[:6].tolist() == [1, 1, 1, 1, 0, 0]


def test_the_formula_of_the_blog():
    assert sticking(3, 1.0, 4, 50) == 1  # three sixes: 81 / 50
    assert sticking(2, 0.5, 4, 50) == pytest.approx(2**2 / 50)
    assert sticking(1, 0.5, 4, 50) == pytest.approx(1 / 50)


@pytest.mark.parametrize(
    ("word", "part"),
    [
        ("stick_formula:-1,50", "stick_formula.power = -1"), ("stick_formula:4,0", "stick_formula.divisor = 0"),
        ("stick_formula:nan,50", "stick_formula.power = nan"), ("stick_formula:4,50,1", "takes 2 (power, divisor)"),
        ("stick_formula:4,inf", "stick_formula.divisor = inf"),
    ],
)  # fmt: skip
def test_numbers_without_a_formula_are_refused(refused, word, part):
    refused(word, TWO_TURNS, part)


def test_repaired_it_is_the_formula_but_for_the_last_turn_in_which_it_rolls_until_ahead():
    formula, repaired = (
        parse_strategy(f"{name}:4,50", TWO_TURNS) for name in ("stick_formula", "stick_formula_repaired")
    )
    for left, second, lead, total in ((2, 1, -9, 20), (1, 0, 4, 12), (2, 0, 0, 30)):
        cell = TWO_TURNS.cell(left=left, second=second, difference=lead, total=total)
        assert repaired.roll[cell] == formula.roll[cell]
    for lead, total, rolls in ((-9, 8, 1), (-9, 9, 1), (-9, 10, 0), (3, 2, 0)):
        assert repaired.roll[TWO_TURNS.cell(left=1, second=1, difference=lead, total=total)] == rolls
    assert repaired.name == "stick_formula_repaired:4,50"
    with pytest.raises(pigevo.InputError, match="needs a game of turns"):
        parse_strategy("stick_formula_repaired", Pig(target=20))


SMALL = Pig(target=12)


def game_of(name):
    entry = GAMES[name]
    small = {key: value for key, value in {"target": 12, "turns": 2, "cap": 20}.items() if key in entry.options}
    return make_game(name, small)


@pytest.mark.parametrize("game", [SMALL, Pig(target=12, allow_pass=True), *map(game_of, GAMES)], ids=str)
def test_a_slip_is_the_other_decision_wherever_there_is_one(game):
    own = pigevo.hold_at(game, 4)
    erring = pigevo.noisy(own, 0.1)
    decides = np.broadcast_to(game.decision_states, game.shape)
    assert np.allclose(erring.roll[decides], np.where(own.roll[decides], 0.9, 0.1), rtol=0, atol=1e-15)
    assert np.array_equal(erring.roll[~decides], own.roll[~decides].astype(float))
    assert pigevo.noisy(own, 0) == own
    always = pigevo.noisy(own, 1)
    assert not always.is_mixed
    assert np.array_equal(always.roll[decides], ~own.roll[decides])


def test_slips_add_up_as_chances_do():
    twice = pigevo.noisy(pigevo.noisy(pigevo.hold_at(SMALL, 4), 0.1), 0.2)
    assert np.allclose(twice.roll, pigevo.noisy(pigevo.hold_at(SMALL, 4), 0.1 * 0.8 + 0.2 * 0.9).roll, atol=1e-15)


def test_a_mixture_has_the_weighted_mean_of_both_chances():
    a, b = pigevo.hold_at(SMALL, 3), pigevo.noisy(pigevo.hold_at(SMALL, 6), 0.25)
    mixed = pigevo.mix(a, b, 0.2)
    assert np.allclose(mixed.roll, 0.2 * a.roll + 0.8 * b.roll, rtol=0, atol=1e-15)
    assert (pigevo.mix(a, b, 1), pigevo.mix(a, b, 0)) == (a, b)
    assert pigevo.mix(a, a, 0.3) == a
    assert pigevo.mix(a, b, 0.2).roll == pytest.approx(pigevo.mix(b, a, 0.8).roll)


def test_a_mirror_exchanges_the_scores_where_the_strategy_has_something_to_decide():
    own = pigevo.random_strategy(SMALL, seed=3)
    mirrored = pigevo.mirror(own)
    for i in range(12):
        for j in range(12):
            for k in range(1, 12 - i):
                there = (j, i, k) if j + k < 12 else (i, j, k)
                assert mirrored.roll[i, j, k] == own.roll[there], (i, j, k)


@pytest.mark.parametrize("game", [SMALL, Pig(target=12, allow_pass=True), *map(game_of, GAMES)], ids=str)
def test_the_mirror_of_a_mirror_is_the_strategy_itself(game):
    for own in (pigevo.random_strategy(game, seed=1), pigevo.noisy(pigevo.random_strategy(game, seed=2), 0.125)):
        assert pigevo.mirror(pigevo.mirror(own)) == own
        assert pigevo.mirror(own) != own
    if not game.reply:  # there hold-at looks at the scores at the end
        assert pigevo.mirror(pigevo.hold_at(game, 4)) == pigevo.hold_at(game, 4)


def test_a_mirror_sees_a_deficit_as_a_lead():
    game = GAMES["ten_rounds"].function(turns=3, cap=30)
    behind = parse_strategy("rule: 9+(j-i)/3", game)
    assert pigevo.mirror(behind) != behind
    assert np.array_equal(pigevo.mirror(behind).roll, behind.roll[:, :, ::-1])


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("noisy:0.05,optimal", ["optimal"]),
        ("noisy:0.05,score:20,2", ["score:20,2"]),
        ("noisy: 0.05 , noisy:0.1, hold_at:20", ["noisy:0.1, hold_at:20"]),
        ("mix:0.5,hold_at:20,optimal", ["hold_at:20", "optimal"]),
        ("mix:.5,score:20,2,score:25,-1", ["score:20,2", "score:25,-1"]),
        ("mix:0.5,noisy:0.1,score:20,2,optimal", ["noisy:0.1,score:20,2", "optimal"]),
        ("mix:0.5,mix:0.1,hold_at:1,hold_at:2,mirror:score:1,1", ["mix:0.1,hold_at:1,hold_at:2", "mirror:score:1,1"]),
        ("mix:0.5,mirror:mix:1e-2,a,noisy:0,b,c", ["mirror:mix:1e-2,a,noisy:0,b", "c"]),
        ("mix:0.5,rule: max(17,18+(j-i)/turns),rule: quarters(1,2,3,4)",
         ["rule: max(17,18+(j-i)/turns)", "rule: quarters(1,2,3,4)"]),
        ("mix:0.5,hold_at:1..3,score:5,0..2", ["hold_at:1..3", "score:5,0..2"]),
        ("mirror:rule: 21+(j-i)/8; race either>=71", ["rule: 21+(j-i)/8; race either>=71"]),
        ("mix:1,../a b.npz,mine.py:f", ["../a b.npz", "mine.py:f"]),
    ],
)  # fmt: skip
def test_how_a_word_is_read(word, words):
    assert list(read_combination(word).words) == words


@pytest.mark.parametrize(
    "word", ["hold_at:20", "mixture:0.5", "noisy.npz", "rule: noisy:0.5", "./mix:0.5", "mix/a.npz"]
)
def test_other_words_are_no_combinations(word):
    assert read_combination(word) is None


@pytest.mark.parametrize("name", [
    "noisy:0.05,optimal", "mix:0.5,score:20,2,noisy:0.125,hold_at:7", "mirror:noisy:0.01,rule: 8+(j-i)/2; race either>=9",
])  # fmt: skip
def test_the_name_of_a_combination_can_be_typed_again(name):
    made = pigevo.parse_strategy(name, SMALL)
    assert made.name == name
    assert pigevo.parse_strategy(made.name, SMALL) == made


@pytest.mark.parametrize(
    ("word", "part"),
    [
        ("noisy", "'' in 'noisy' must be a probability from 0 to 1: write noisy:CHANCE,STRATEGY"),
        ("noisy:0.05", "noisy is made of one strategy, and 'noisy:0.05' names none"),
        ("noisy:0.05,", "names none"),
        ("noisy:hold_at:20,0.05", "'hold_at:20' in"),
        ("noisy:1.5,optimal", "must be a probability"),
        ("noisy:-0.1,optimal", "must be a probability"),
        ("noisy:nan,optimal", "must be a probability"),
        ("mix:0.5,optimal", "names 1 ('optimal'): write mix:SHARE,STRATEGY,STRATEGY, as in mix:0.5,"),
        ("mix:0.5,hold_at:1,hold_at:2,hold_at:3", "names 3"),
        ("mix:0.5,my,own.npz,hold_at:2", "optimal; a file whose name has a comma cannot be named in it."),
        ("mix:0.5,hold_at:1,noisy:0.1", "names none: write noisy"),
        ("mirror", "mirror is made of one strategy"),
        (
            "mirror:nobody",
            "there is no strategy 'nobody'; `pigevo strategies` lists them, and there is no file or folder of that name.",
        ),
        ("noisy:0.1,hold_at:x", "must be a number"),
        ("noisy:0.1,nowhere.npz", "there is no file nowhere.npz"),
        ("noisy:0.1," * 5000 + "hold_at:3", "more than 20 combinations"),
        ("mirror:" * 21 + "hold_at:3", "more than 20 combinations"),
    ],
)
def test_a_wrong_combination_is_refused_with_what_would_be_right(refused, word, part):
    assert len(refused(word, SMALL, part)) < 300


def test_in_python_too():
    own = pigevo.hold_at(SMALL, 4)
    with pytest.raises(InputError, match="the chance of a slip must be a probability from 0 to 1, not 2"):
        pigevo.noisy(own, 2)
    with pytest.raises(InputError, match="the share of the first strategy must be a probability"):
        pigevo.mix(own, own, float("nan"))
    with pytest.raises(InputError, match="they must play the same game"):
        pigevo.mix(own, pigevo.hold_at(Pig(target=13), 4), 0.5)


def test_files_within_are_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    saved = pigevo.random_strategy(SMALL, seed=3)
    saved.save("mine.npz")
    word = "mix:0.5,noisy:0.1,mine.npz,hold_at:3"
    assert names_file(word)
    assert not names_file("noisy:0.1,hold_at:3")
    assert absolute(word) == f"mix:0.5,noisy:0.1,{tmp_path}/mine.npz,hold_at:3"
    assert single_words(word) == ["mine.npz", "hold_at:3"]
    made = pigevo.parse_strategy(word, SMALL)
    assert made == pigevo.mix(pigevo.noisy(saved, 0.1), pigevo.hold_at(SMALL, 3), 0.5)
