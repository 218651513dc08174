"""Published figures of the games other than Pig, what their rules say, and what the caps of a game can lose."""

import math

import numpy as np
import pytest

import pigevo
from pigevo.errors import InputError
from pigevo.games import GAMES
from pigevo.games.game import Game, Throw


def lost_by_caps(game):
    """What the caps of a game of turns can lose: a bound by a game that is kinder to one player.

    In the kinder game the favoured player wins at once wherever it banks a turn total, or comes to a lead, of the cap.
    The other one must hold at a turn total of the cap, and a longer lead of it counts as the cap: both take from it, as a
    longer lead is never worse.  So the favoured player wins at least as much as in the game without caps, whatever both
    do there, and so the game without caps is worth something between the two kinder games, one for each player.
    """
    kind = kinder(game, True)
    plain = kinder(game, None)
    other = kinder(game, False)
    return max(kind - plain, plain - other)


def kinder(game, favoured):
    """The value for who moves first, by backward induction in plain numpy.

    Args:
        game: of turns, without falls.
        favoured: True, the first player wins at once at a cap; False, the second one does; None, nobody does.
    """
    cap, chance = game.cap, 1 / game.sides
    leads = np.arange(-cap, cap + 1)
    after = np.where(leads > 0, 1.0, np.where(leads == 0, game.draw, 0.0))  # by the lead of who has just moved
    for turn in range(2 * game.turns, 0, -1):
        is_first = turn % 2 == 1
        wins = favoured is not None and favoured == is_first

        def banked(total, after=after, wins=wins):
            lead = np.clip(leads + total, -cap, cap)
            worth = after[lead + cap]
            if wins and total >= cap:
                return np.ones_like(worth)
            if wins:
                worth = np.where(leads + total >= cap, 1.0, worth)
            return worth

        value = {total: banked(total) for total in range(cap, cap + game.sides + 1)}
        for total in range(cap - 1, 0, -1):
            roll = chance * banked(0) + sum(chance * value[total + face] for face in range(2, game.sides + 1))
            value[total] = np.maximum(roll, banked(total))
        moving = sum(chance * value[face] for face in range(1, game.sides + 1))
        after = 1 - moving[::-1]  # to who has moved before, by its own lead
    return 1 - after[cap]


def game_of(name, **options):
    return GAMES[name].bind(options)


def chance(game, **wanted):
    return math.fsum(t.chance for t in game.throws if all(getattr(t, key) == value for key, value in wanted.items()))


@pytest.mark.slow
def test_two_dice_hold_at_23_is_best_and_wins_what_zhu_and_ma_2022_say():
    game = game_of("two_dice")
    best = pigevo.optimal(game)
    assert best.error < 1e-12
    won = {n: pigevo.win_probability(pigevo.hold_at(game, n), best.strategy).overall for n in range(18, 29)}
    assert max(won, key=won.get) == 23
    assert won[23] == pytest.approx(0.4747, abs=5e-5)


def test_two_dice_is_worth_what_a_sheet_on_skunk_of_1998_says():
    """It calls these rules Skunk (saybro.com/gottahack) and prints .5195594 for who moves first; six digits are ours."""
    assert pigevo.optimal(game_of("two_dice")).value == pytest.approx(0.5195594, abs=1e-6)


def test_skunk_throws_as_two_dice_and_has_another_end():
    skunk, plain = game_of("skunk"), game_of("two_dice")
    assert skunk.throws == plain.throws
    assert (skunk.reply, skunk.level, skunk.target) == ("other", "kept", 100)


def test_progressive_to_100_is_worth_what_was_published():
    assert pigevo.optimal(game_of("progressive")).value == pytest.approx(0.5339, abs=5e-5)


def test_progressive_to_40_is_near_the_54_percent_of_norvigs_lecture():
    assert pigevo.optimal(game_of("progressive", target=40)).value == pytest.approx(0.54, abs=0.01)


def test_two_dice_lose_the_turn_in_ten_throws_of_36_and_all_in_one():
    game = game_of("two_dice")
    assert chance(game, ends="turn") == pytest.approx(10 / 36)
    assert chance(game, ends="score") == pytest.approx(1 / 36)
    assert game.falls
    assert not game.one_die


def test_big_pig_doubles_count_twice_and_two_ones_25():
    game = game_of("big_pig")
    gains = dict(game.die)
    assert gains[25] == pytest.approx(1 / 36)
    assert gains[8] == pytest.approx(5 / 36)  # 2-2 twice, 2-6, 6-2, 3-5, 5-3
    assert gains[24] == pytest.approx(1 / 36)
    assert chance(game, ends="turn") == pytest.approx(10 / 36)
    assert game.one_die  # the fast engine plays it


def test_pass_the_pigs_counts_as_kern_2006_threw():
    game = game_of("pass_the_pigs")
    apart = 5977 / 6000
    up, down, jowler = 1796 / 5977, 2063 / 5977, 29 / 5977
    assert chance(game, ends="score") == pytest.approx(23 / 6000)
    assert chance(game, ends="turn") == pytest.approx(apart * 2 * up * down)
    assert chance(game, ends="", points=1) == pytest.approx(apart * (up**2 + down**2))
    assert chance(game, ends="", points=60) == pytest.approx(apart * jowler**2)
    assert max(points for points, _ in game.die) == 60


@pytest.mark.slow
def test_ten_rounds_caps_lose_less_than_a_thousand_millionth():
    """A player at the cap is given a win instead, and the other one is not: no play without caps wins more."""
    assert lost_by_caps(game_of("ten_rounds")) < 1e-9
    assert lost_by_caps(game_of("ten_rounds", cap=120)) > 1e-6  # the smaller one of the experiment does


def test_ten_rounds_bound_of_what_caps_lose_holds_where_a_larger_cap_tells():
    """Between the two kinder games lies the value with any larger cap, which the general engine solves."""
    small, larger = (game_of("ten_rounds", turns=3, cap=cap) for cap in (24, 150))
    lost = abs(pigevo.optimal(larger).value - pigevo.optimal(small).value)
    assert 1e-6 < lost < lost_by_caps(small)
    usual, twice = game_of("ten_rounds"), game_of("ten_rounds", cap=400)
    assert pigevo.optimal(usual).value == pytest.approx(pigevo.optimal(twice).value, abs=1e-12)
    assert pigevo.optimal(usual).value == pytest.approx(kinder(usual, None), abs=1e-12)


def test_ten_rounds_is_level_in_two_seats_of_one_turn_that_none_may_lengthen():
    game = game_of("ten_rounds", turns=1, cap=30)
    p = pigevo.win_probability(pigevo.hold_at(game, 1), pigevo.hold_at(game, 1))
    assert p.draw_first == pytest.approx(1 / 6)
    assert p.first == pytest.approx(0.5)


def test_a_draw_is_worth_what_the_game_says():
    half, nothing = (game_of("ten_rounds", turns=1, cap=30, draw=draw) for draw in (0.5, 0.0))
    with_half, with_nothing = (
        pigevo.win_probability(pigevo.hold_at(g, 1), pigevo.hold_at(g, 1)) for g in (half, nothing)
    )
    assert with_nothing.first == pytest.approx(with_half.first - with_half.draw_first / 2)
    m = pigevo.play_match(pigevo.hold_at(nothing, 1), pigevo.hold_at(nothing, 1), games=2000, seed=1)
    assert m.win_rate == m.wins / 2000
    low, high = m.interval(0.999)
    assert low < with_nothing.overall < high


class Odd(Game):
    target = 10

    def __init__(self, throws, **changed):
        self.some = throws
        self.__dict__.update(changed)
        self.__post_init__()

    @property
    def throws(self):
        return self.some


GOOD = (Throw(0, 0.5, "turn"), Throw(2, 0.5))


@pytest.mark.parametrize(
    ("throws", "changed", "message"),
    [
        ((Throw(2, 0.5), Throw(3, 0.4)), {}, "add up to 1"),
        ((Throw(2, 1.5), Throw(3, -0.5)), {}, "probability of a throw must be from 0 to 1, not 1.5"),
        ((Throw(0, 0.5, "turn"), Throw(1, float("nan"))), {}, "probability of a throw must be from 0 to 1, not nan"),
        ((Throw(0, 0.5, "turn"), Throw(1, "0.5")), {}, "probability of a throw must be from 0 to 1, not '0.5'"),
        ((Throw(-1, 0.5), Throw(3, 0.5)), {}, "a throw of -1 points cannot be played"),
        ((Throw(1.5, 0.5), Throw(3, 0.5)), {}, "a throw of 1.5 points cannot be played"),
        ((Throw("1", 0.5), Throw(3, 0.5)), {}, "a throw of '1' points cannot be played"),
        ((Throw(10**30, 0.5, "turn"), Throw(3, 0.5)), {}, "points cannot be played: it gains"),
        (GOOD, {"target": -8}, "target = -8 cannot be played"),
        (GOOD, {"target": 8.0}, "target = 8.0 cannot be played"),
        (GOOD, {"target": 0, "turns": 2, "cap": 10**9}, "cap = 1000000000 cannot be played"),
        (
            GOOD,
            {"target": 0, "turns": 2, "cap": 9, "draw": 1.5},
            "a draw is worth from 0 to 1 to either player, not 1.5",
        ),
        (GOOD, {"target": 0, "turns": 2, "cap": 9, "draw": float("nan")}, "a draw is worth from 0 to 1"),
        ((Throw(0, 0.5), Throw(0, 0.5, "turn")), {}, "never gain"),
        (lambda own: (Throw(own, 1.0),), {}, "what a throw brings cannot depend on the scores"),
        ((Throw(0, 1.0, "turn"),), {}, "always end"),
        ((Throw(0, 0.5, "bank"), Throw(2, 0.5)), {}, "ends is '' or 'turn' or 'score', not 'bank'"),
        (GOOD, {"target": 0}, "give one of them"),
        (GOOD, {"turns": 3}, "give one of them"),
        (GOOD, {"target": 0, "turns": 3}, "needs a cap"),
        (GOOD, {"remembers": ("weather",)}, "weather"),
        (GOOD, {"reply": "other"}, "cap above its target"),
        (GOOD, {"reply": "other", "cap": 10}, "cap above its target"),
        (GOOD, {"cap": 10}, "cap above its target"),
        (GOOD, {"reply": "both", "cap": 20}, "'second' or 'other'"),
        (GOOD, {"target": 0, "turns": 3, "cap": 20, "reply": "second"}, "no reply"),
        (GOOD, {"target": 0, "turns": 3, "cap": 20, "level": "kept"}, "are a draw"),
    ],
)
def test_rules_that_cannot_be_played_are_refused(throws, changed, message):
    with pytest.raises(InputError, match=message):
        Odd(throws, **changed)
