"""The formula of the school blog, against its own code, and rules by the number of rolls."""

import numpy as np
import pytest

import pigevo
from pigevo.games import GAMES, Pig, Piglet
from pigevo.strategies import parse_strategy
from pigevo.strategies.stick_formula import by_rolls, chances_by_total, sticking

GAME = GAMES["ten_rounds"].bind({"turns": 2, "cap": 60})


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
            on = float(strategy.roll[GAME.cell(left=2, second=0, difference=0, total=total)])
            banked[total] = banked.get(total, 0.0) + chance * (1 - on)
            if on:
                banked[0] = banked.get(0, 0.0) + chance * on / 6
                for face in range(2, 7):
                    after[total + face] = after.get(total + face, 0.0) + chance * on / 6
        here = after
    return banked


def test_a_turn_banks_what_the_code_of_the_blog_banks():
    expected, banked = turns_of_the_blog(), turns_of(parse_strategy("stick_formula:4,50", GAME))
    assert sum(expected.values()) == pytest.approx(1, abs=1e-9)
    for points in range(60):
        assert banked.get(points, 0.0) == pytest.approx(expected.get(points, 0.0), abs=1e-9), points


def test_by_the_number_of_rolls_it_wins_what_it_wins_by_the_turn_total():
    wide = GAMES["ten_rounds"].bind({"turns": 2, "cap": 60, "rolls": True})
    by_rolls_too, other = (
        pigevo.win_probability(parse_strategy("stick_formula:4,50", game), pigevo.hold_at(game, 15))
        for game in (wide, GAME)
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
    refused(word, GAME, part)


def test_repaired_it_is_the_formula_but_for_the_last_turn_in_which_it_rolls_until_ahead():
    formula, repaired = (parse_strategy(f"{name}:4,50", GAME) for name in ("stick_formula", "stick_formula_repaired"))
    for left, second, lead, total in ((2, 1, -9, 20), (1, 0, 4, 12), (2, 0, 0, 30)):
        cell = GAME.cell(left=left, second=second, difference=lead, total=total)
        assert repaired.roll[cell] == formula.roll[cell]
    for lead, total, rolls in ((-9, 8, 1), (-9, 9, 1), (-9, 10, 0), (3, 2, 0)):
        assert repaired.roll[GAME.cell(left=1, second=1, difference=lead, total=total)] == rolls
    assert repaired.name == "stick_formula_repaired:4,50"
    with pytest.raises(pigevo.InputError, match="needs a game of turns"):
        parse_strategy("stick_formula_repaired", Pig(target=20))
