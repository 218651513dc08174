"""Pig in which a player must hold to win, beside plain Pig and beside all strategies of a tiny game, one by one."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

import pigevo
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.figures.page import hold_table_data
from pigevo.games import GAMES
from pigevo.games.pig_variants import HoldToWin
from pigevo.simulation.stepwise import outcome, play_turns
from pigevo.web.films import refuse_other_games

TINY = HoldToWin(3, sides=3, beyond=2)
"""A die of 1, 2, 3. Scores are 0 or 2 between turns; at 0 a player decides at totals 2 to 4, at 2 at a total of 2."""

DECISIONS = [(i, j, k) for i, j in itertools.product((0, 2), repeat=2) for k in range(2, 5) if i + k < 5]


def turn(rolls, own, other, total=0):
    """The chances of what a turn banks, die by die; at 5 points a turn ends by itself."""
    if own + total >= 5 or (total and not rolls[own, other, total]):
        return {total: Fraction(1)}
    ends = {0: Fraction(1, 3)}
    for face in (2, 3):
        for banked, chance in turn(rolls, own, other, total + face).items():
            ends[banked] = ends.get(banked, 0) + chance / 3
    return ends


def wins(a, b, own=0, other=0):
    """The chance that a, who moves, wins; two lost turns lead back here."""

    def gained(ends, score, after):
        return sum(p * (1 if score + n >= 3 else after(score + n)) for n, p in ends.items() if n)

    mine, theirs = turn(a, own, other), turn(b, other, own)
    first = gained(mine, own, lambda score: 1 - wins(b, a, other, score))
    second = gained(theirs, other, lambda score: 1 - wins(a, b, own, score))
    return (first + mine[0] * (1 - second - theirs[0])) / (1 - mine[0] * theirs[0])


def tables():
    """Every strategy of the tiny game, as the decisions by state."""
    for answers in itertools.product((False, True), repeat=len(DECISIONS)):
        yield dict(zip(DECISIONS, answers, strict=True))


def strategy_of(rolls):
    return pigevo.Strategy.from_function(TINY, lambda i, j, k: rolls.get((i, j, k), k == 0))


def test_of_all_strategies_of_a_tiny_game_none_beats_the_optimum_and_the_optimum_holds_at_the_target():
    best = pigevo.optimal(TINY)
    rolls = {at: bool(best.strategy.roll[at]) for at in DECISIONS}
    assert not any(roll for (i, _, k), roll in rolls.items() if i + k >= 3)
    assert best.value == pytest.approx(float(wins(rolls, rolls)), abs=1e-14)
    shares = [(wins(one, rolls) + 1 - wins(rolls, one)) / 2 for one in tables()]
    assert len(shares) == 2 ** len(DECISIONS) >= 256
    assert max(shares) == Fraction(1, 2)
    assert min(shares) < Fraction(2, 5)  # those that roll on where they have won


def test_win_probabilities_are_those_of_the_turns_die_by_die():
    some = list(tables())[::37]
    for a, b in itertools.product(some, repeat=2):
        p = pigevo.win_probability(strategy_of(a), strategy_of(b))
        assert (p.first, 1 - p.second) == pytest.approx((float(wins(a, b)), float(wins(b, a))), abs=1e-14)


@pytest.mark.parametrize("allow_pass", [False, True])
def test_the_optimum_and_all_who_hold_at_the_target_play_as_in_pig(allow_pass):
    game, pig = HoldToWin(30, beyond=9, allow_pass=allow_pass), pigevo.Pig(30, allow_pass=allow_pass)
    best, usual = pigevo.optimal(game), pigevo.optimal(pig)
    assert (best.value, best.second) == pytest.approx((usual.value, usual.second), abs=1e-13)
    i, _, k = game.scores
    assert not best.strategy.roll[np.broadcast_to(i + k >= 30, game.shape)].any()
    words = [*(f"hold_at:{n}" for n in range(1, 31)), "score:9", "roll_to_win", "keep_pace_and_end_race:9,4,8",
             "rule: 9+(j-i)/4; race either>=22", "next_multiple:8"]  # fmt: skip
    for word in words:
        mine, plain = pigevo.parse_strategy(word, game), pigevo.parse_strategy(word, pig)
        assert np.array_equal(mine.roll[:, :, :30] & (i + k < 30)[:, :, :30], plain.roll), word
        p, q = (pigevo.win_probability(one, b.strategy) for one, b in ((mine, best), (plain, usual)))
        assert (p.first, p.second) == pytest.approx((q.first, q.second), abs=1e-13), word
    assert pigevo.Strategy.from_holds(game, 7) == pigevo.hold_at(game, 7)


def test_a_table_of_hold_values_holds_at_the_target(tmp_path):
    game, path = HoldToWin(12, beyond=9), tmp_path / "mine.csv"
    path.write_text("\n".join([",".join(["12"] * 12)] * 12))
    assert pigevo.parse_strategy(str(path), game) == pigevo.roll_to_win(game)


def test_a_function_may_roll_on_at_the_target_and_loses_by_it():
    game = HoldToWin(30, beyond=9)
    on = pigevo.Strategy.from_function(game, lambda i, j, k: k < 9)
    assert on.roll[25, 0, 8]
    assert not pigevo.hold_at(game, 9).roll[25, 0, 8]
    p = pigevo.win_probability(on, pigevo.hold_at(game, 9))
    assert p.overall < 0.49
    match = pigevo.play_match(on, pigevo.hold_at(game, 9), games=20_000, seed=3)
    low, high = match.interval(0.999)
    assert low < p.overall < high


def test_games_step_by_step_go_on_at_the_target():
    game = HoldToWin(10, beyond=20)
    on, at_once = (pigevo.Strategy.from_function(game, f) for f in (lambda i, j, k: k < 20, lambda i, j, k: k < 1))
    lost = won = 0
    for number in range(200):
        turns = list(play_turns(on, at_once, Draw(number, "dice"), 1000))
        for turn_ in turns[::2]:
            passed = turn_.own + sum(turn_.rolls[:-1]) >= 10
            lost, won = lost + (passed and not turn_.banked), won + (passed and turn_.banked > 0)
        assert outcome(turns, game) == turns[-1].player
        assert turns[-1].own + turns[-1].banked >= 10
    assert lost > 20 < won


def test_its_rules_tell_it_from_pig_and_from_another_cap():
    games = [
        pigevo.Pig(20),
        HoldToWin(20),
        HoldToWin(20, beyond=49),
        GAMES["equal_turns"].bind({"target": 20, "cap": 70}),
    ]
    assert len({game.rules for game in games}) == 4
    assert not HoldToWin(20).one_die


def test_a_printed_table_says_where_it_rolls_to_the_end_and_is_worth_what_it_is_in_pig():
    mine, plain = (hold_table_data(pigevo.hold_at(game, 8), most=8) for game in (HoldToWin(20), pigevo.Pig(20)))
    assert np.array_equal(mine.to_the_end, plain.to_the_end)
    assert mine.to_the_end.any()
    assert mine.played == pytest.approx(plain.played, abs=1e-13)


@pytest.mark.parametrize("game", [HoldToWin(20), GAMES["skunk"].bind({"target": 20})], ids=str)
def test_pages_of_runs_refuse_games_that_go_on_past_the_target(game):
    with pytest.raises(InputError, match="the page shows runs over both scores"):
        refuse_other_games(game)
