"""Games other than Pig and variants of its rules: published figures, what caps can lose, and brute force.

In the variants the other player has a last turn, a player must hold to win, or decisions depend on the opponent's last
turn and the number of rolls.
"""

import itertools
import math
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import pytest

import pigevo
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.mutation import MUTATORS
from pigevo.evolution.mutation.boundary import move_in_patches
from pigevo.figures.page import hold_table_data
from pigevo.games import GAMES
from pigevo.games.game import Game, Throw
from pigevo.games.pig_variants import HoldToWin
from pigevo.simulation.stepwise import outcome, play_turns
from pigevo.strategies import CubeGrid, Strategy
from pigevo.web.films import refuse_other_games
from tests.evolution.conftest import context_of
from tests.reference import any_game
from tests.reference.any_game import assert_best_as_every_state, assert_pair_as_every_state
from tests.test_simulation import mixed, on_board, twin


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
        ((Throw(0, 0.5), Throw(3, 0.1, "score"), Throw(2, 0.4)), {}, "whole score cannot score 3 in the same turn"),
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


@dataclass(frozen=True)
class Race(Game):
    """A die of three: 1 loses the turn total."""

    target: int = 5
    reply: str = "second"
    level: str = "draw"
    draw: float = 0.5
    cap: int = 9
    allow_pass: bool = False
    throws = (Throw(0, 0.3, "turn"), Throw(0, 0.1, "score"), Throw(2, 0.4), Throw(3, 0.2))


REPLIES = itertools.product(("second", "other"), ("draw", "kept"), (False, True))


@pytest.mark.parametrize("game", [Race(reply=r, level=n, allow_pass=p) for r, n, p in REPLIES], ids=str)
def test_every_reply_is_played_as_every_state_says(game):
    a, b = pigevo.random_strategy(game, seed=1), pigevo.hold_at(game, 3)
    for pair in ((a, b), (b, a), (a, a)):
        assert_pair_as_every_state(*pair)
    assert_best_as_every_state(game, a)


def test_what_a_draw_is_worth_counts_and_stalemates_are_no_draws():
    game = Race(draw=0.2, allow_pass=True)
    a = pigevo.Strategy.from_function(game, lambda i, j, k: (k < 2) & ((k > 0) | (i + j != 4)))
    b = pigevo.Strategy.from_function(game, lambda i, j, k: (k < 3) & ((k > 0) | (i + j != 4)))
    assert_pair_as_every_state(a, b)
    p = pigevo.win_probability(a, b)
    assert min(p.draw_first, p.stalemate_first) > 0.001


def test_with_equal_turns_who_looks_at_nothing_but_the_own_turn_wins_as_often_in_either_seat():
    game = GAMES["equal_turns"].bind({"target": 30, "cap": 60})
    a, b = (pigevo.Strategy.from_function(game, lambda i, j, k, n=n: k < n) for n in (7, 11))
    p = pigevo.win_probability(a, b)
    assert p.first == pytest.approx(p.second, abs=1e-12)
    plain = pigevo.win_probability(pigevo.hold_at(pigevo.Pig(30), 7), pigevo.hold_at(pigevo.Pig(30), 11))
    assert plain.first > plain.second + 0.05


def test_to_one_point_equal_turns_are_counted_by_hand():
    """Who moves first banks a roll of 2 to 6, or busts; the other needs more, or goes on from 0 to 0."""
    game = GAMES["equal_turns"].bind({"target": 1, "cap": 7})
    once = pigevo.Strategy.from_function(game, lambda i, j, k: False)
    p = pigevo.win_probability(once, once)
    # Both busts aside, 35 pairs of rolls are alike, of which 5 are level; who is higher moves first as often as second.
    assert p.draw_first == pytest.approx(5 / 35)
    assert p.first == pytest.approx(0.5)


def test_the_other_players_last_turn_is_worth_more_than_the_round():
    """In Skunk who moves second may come to the target first too, and then the first one has a last turn."""
    game = Race(reply="other", level="kept")
    a = pigevo.random_strategy(game, seed=1)
    other = any_game.solve(game, a, a)[0, 0]
    equal = pigevo.Strategy(Race(level="kept"), np.stack([a.roll, a.roll]))
    assert other > any_game.solve(equal.game, equal, equal)[0, 0] + 0.005


def test_named_strategies_bank_at_the_target_and_roll_until_ahead_in_a_last_turn():
    game = GAMES["skunk"].bind({"target": 20, "cap": 40})
    for player in (pigevo.hold_at(game, 25), pigevo.score(game, 3), pigevo.roll_to_win(game)):
        assert not player.roll[10, 5, 10]
        assert player.roll[10, 24, 14]
        assert not player.roll[10, 24, 15]
    assert pigevo.roll_to_win(game).roll[10, 5, 9]
    assert not pigevo.hold_at(game, 3).roll[10, 5, 3]


def widened(best, wide):
    """The same strategy where scores may go farther: it holds at the cap, and rolls until ahead of who did not."""
    roll = np.zeros(wide.shape, np.bool_)
    roll[tuple(slice(n) for n in best.game.shape)] = best.roll
    i, j, k = wide.scores
    beyond = np.broadcast_to(j >= best.game.cap, wide.shape)
    return pigevo.Strategy(wide, np.where(beyond, i + k <= j, roll) | wide.starts)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("equal_turns", {"target": 20, "cap": 70}),
        ("skunk", {"target": 20, "cap": 90}),
        pytest.param("equal_turns", {}, marks=pytest.mark.slow),
        pytest.param("skunk", {}, marks=pytest.mark.slow),
    ],
)
def test_the_caps_lose_less_than_a_thousand_millionth(name, options):
    """The optimum, played where 100 more points win at once, is answered by nobody with more than its value.

    Such an answer is worth no less than one without any cap, since it wins at once where it would only lead by far; the
    optimum itself never comes so far, as it holds at the cap.  So no play without caps gains more than this on it, and
    the value without caps lies between these two.
    """
    game = GAMES[name].bind(options)
    best = pigevo.optimal(game)
    wide = GAMES[name].bind(options | {"cap": game.cap + 100})
    answer = pigevo.best_response(widened(best.strategy, wide))
    assert abs(answer.value - best.value) + answer.error + best.error < 1e-9
    assert abs(answer.second - best.second) + answer.error + best.error < 1e-9


def test_a_cap_that_is_too_low_loses_more():
    low, wide = (GAMES["equal_turns"].bind({"target": 20, "cap": cap}) for cap in (22, 80))
    best = pigevo.optimal(low)
    assert pigevo.best_response(widened(best.strategy, wide)).overall > best.overall + 1e-3


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


def test_the_rules_of_hold_to_win_tell_it_from_pig_and_from_another_cap():
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


@dataclass(frozen=True)
class Remembering(Game):
    """A die of three faces, whose players remember what `remembers` says."""

    target: int = 6
    turns: int = 0
    cap: int = 0
    reply: str = ""
    allow_pass: bool = False
    remembers: tuple[str, ...] = ("last_turn",)
    most_rolls: int = 3
    throws = (Throw(1, 0.25, "turn"), Throw(2, 0.5), Throw(3, 0.25))


EVERY = [
    Remembering(),
    Remembering(allow_pass=True),
    Remembering(remembers=("last_turn", "rolls")),
    Remembering(reply="second", cap=9),
    Remembering(target=0, turns=2, cap=8),
    Remembering(target=0, turns=2, cap=8, remembers=("rolls", "last_turn")),
]


def by_last_turn(game, more):
    """Beats the opponent's last turn by so much, whatever the score."""

    def rule(**at):
        return at["total"] < at["last_turn"] + more

    roll = np.broadcast_to(rule(**game.mesh), game.shape) & game.decision_states
    return Strategy(game, roll | (game.starts & (not game.allow_pass)), f"beats the last turn by {more}")


SAMPLE = [pytest.param(game, marks=pytest.mark.slow if n in (0, 2, 4) else []) for n, game in enumerate(EVERY)]


@pytest.mark.parametrize("game", SAMPLE, ids=str)
def test_win_probabilities_are_those_of_every_state(game):
    players = by_last_turn(game, 1), by_last_turn(game, 3), pigevo.random_strategy(game, seed=1), mixed(game, 2)
    for a in players:
        for b in players[1:]:
            assert_pair_as_every_state(a, b)


@pytest.mark.parametrize("game", EVERY, ids=str)
def test_to_remember_helps_against_who_does_but_not_in_the_optimum(game):
    best, forgetful = pigevo.optimal(game), pigevo.optimal(replace(game, remembers=()))
    assert (best.value, best.second) == pytest.approx((forgetful.value, forgetful.second), abs=1e-11)
    opponent = by_last_turn(game, 1)
    answer = pigevo.best_response(opponent)
    assert (answer.value, answer.second) == pytest.approx(any_game.optimum(game, opponent), abs=1e-11)


@pytest.mark.parametrize("game", EVERY, ids=str)
def test_games_are_simulated_as_their_plain_twin_plays_them(game):
    a, b, draw = by_last_turn(game, 1), mixed(game, 3), Draw(3, "dice", 1, 2)
    outcomes = on_board(a, b, draw, 60, 40)
    assert outcomes == [twin(a, b, draw, part, 40) for part in range(60)]
    turns = list(play_turns(a, b, draw.at(pair=draw.pair, part=0), 40))
    assert outcome(turns, game) == outcomes[0]
    for before, turn in itertools.pairwise(turns):
        if turn.player == 0 and len(turn.rolls) and sum(turn.rolls) == turn.banked:
            assert turn.banked >= min(before.banked + 1, game.size - (turn.own if game.target else 0))


@pytest.mark.parametrize("game", EVERY, ids=str)
def test_cubes_and_files_hold_such_strategies(game, tmp_path):
    grid, player = CubeGrid(game), by_last_turn(game, 2)
    genome = grid.from_strategies([player])
    assert grid.strategy(genome[0]) == player
    assert grid.genes == np.broadcast_to(game.decision_states, game.shape).sum()


def move_in_patch(grid, genome, patch, by, level=None, slanted=False):
    patches = np.array([[(part.start, part.stop) for part in patch]])
    levels = None if level is None else np.array([level])
    move_in_patches(grid, genome[None], np.array([0]), patches, np.array([by]), levels, np.array([slanted]))


def test_a_move_of_the_boundary_moves_it_for_each_number_of_rolls():
    game = Remembering(target=12, remembers=("rolls",))
    grid = CubeGrid(game)
    genome = grid.from_strategies([Strategy.from_function(game, lambda i, j, k, r: (k < 3 + r) & (r < 3) | (k < 1))])[0]
    move_in_patch(grid, genome, np.s_[2:4, 5:6], 2)
    later = grid.strategy(genome)
    for own, rolls in ((2, 1), (3, 1), (2, 2)):
        assert [later.roll[own, 5, k, rolls] for k in range(3 + rolls, 6 + rolls)] == [True, True, False]
    assert not later.roll[1, 5, 4, 1]
    assert not later.roll[2, 4, 4, 1]


def test_a_level_move_takes_the_boundary_of_one_place_for_each_number_of_rolls():
    game = Remembering(target=12, remembers=("rolls",))
    grid = CubeGrid(game)
    player = Strategy.from_function(game, lambda i, j, k, r: k < np.where(i == 2, 3 + r, 8))
    genome = grid.from_strategies([player])[0]
    move_in_patch(grid, genome, np.s_[0:5, 0:12], 0, (2, 7))
    level = grid.strategy(genome).roll
    for rolls in (1, 2, 3):
        assert level[4, 3, 2 + rolls, rolls]
        assert not level[4, 3, 3 + rolls, rolls]
    assert level[5, 3, 6, 1]


def test_a_slanted_move_holds_at_the_lead_of_one_place():
    turns = Remembering(target=0, turns=2, cap=8, remembers=())
    grid = CubeGrid(turns)
    genome = grid.from_strategies([Strategy.from_function(turns, lambda i, j, k: k < 4)])[0]
    move_in_patch(grid, genome, np.s_[0:1, 1:2, 3:9], 1, (0, 1, 7), slanted=True)
    slanted = grid.strategy(genome).roll
    for place in range(3, 9):  # at the lead of place 7, which is -1, it now holds at 5
        first = int(np.argmin([*slanted[0, 1, place], False]))
        assert first == min(5 + 7 - place, 8)
    assert not slanted[0, 0, 5, 4]
    race = Remembering(target=12, remembers=())
    grid = CubeGrid(race)
    genome = grid.from_strategies([Strategy.from_function(race, lambda i, j, k: k < 4)])[0]
    move_in_patch(grid, genome, np.s_[2:4, 4:9], 0, (2, 6), slanted=True)
    slanted = grid.strategy(genome).roll
    assert [int(np.argmin(slanted[2, j])) for j in range(3, 10)] == [4, 2, 3, 4, 5, 6, 4]
    assert [int(np.argmin(slanted[3, j])) for j in range(3, 10)] == [4, 1, 2, 3, 4, 5, 4]
    assert int(np.argmin(slanted[4, 6])) == 4


@pytest.mark.parametrize("name", ["boundary", "self_adapting"])
@pytest.mark.parametrize("game", EVERY, ids=str)
def test_mutators_of_the_boundary_take_every_axis(game, name):
    grid = CubeGrid(game, 2)
    genomes = Draw(1, "population").bits(6, grid.genes)
    mutator = MUTATORS[name].bind({} if name == "boundary" else {"kinds": ("slant",)})
    context = context_of(grid, Draw(2, "mutation"), np.arange(6.0), fresh=6)
    context = replace(context, state=mutator.remember(genomes, context))
    changed = mutator(genomes, context)
    assert changed.shape == genomes.shape
    assert (changed != genomes).any()
