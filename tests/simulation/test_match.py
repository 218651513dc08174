"""Simulated matches: what is counted, what decides it, what is refused, and the exact figures that they lie around."""

import numpy as np
import pytest

import pigevo
from pigevo.dice import Draw
from pigevo.errors import InputError
from pigevo.evolution.fitness.win_rates import Games
from pigevo.exact import win_probability
from pigevo.games import Pig, Piglet, Race
from pigevo.simulation import Match, match, play_match, play_pairs
from pigevo.strategies import Strategy, hold_at, random_strategy, roll_to_win
from tests.reference import two

GAME = Pig(target=30)
A, B = hold_at(GAME, 8), hold_at(GAME, 15)


@pytest.mark.parametrize("games", [1, 2, 7, 1000])
def test_every_game_is_counted_once(games):
    match = play_match(A, B, games=games, seed=3)
    assert match.games == games
    assert match.wins + match.losses == games
    assert all(type(n) is int for n in (match.wins, match.losses, match.stalemates, match.unfinished))


def test_seats_alternate_beginning_with_the_first_named():
    sure = Race(5, {1: 1.0}, 0.0)  # who moves first wins
    always = roll_to_win(sure)
    for games in (1, 2, 9):
        match = play_match(always, always, games=games)
        assert (match.wins, match.losses) == (games - games // 2, games // 2)


def test_a_match_is_the_beginning_of_a_longer_one():
    totals = [play_match(A, B, games=n, seed=5).wins for n in range(1, 60)]
    assert set(np.diff([0, *totals]).tolist()) == {0, 1}


@pytest.mark.parametrize("paired", [False, True])
def test_the_result_does_not_depend_on_workers_or_batches(monkeypatch, paired):
    expected = play_match(A, B, games=334, seed=2, workers=1, paired=paired)
    for batch in (2, 8, 64):
        monkeypatch.setattr(match, "BATCH", batch)
        for workers in (1, 2, None):
            assert play_match(A, B, games=334, seed=2, workers=workers, paired=paired) == expected


def test_seeds_give_other_games_and_the_same_seed_the_same():
    assert len({play_match(A, B, games=1000, seed=s) for s in range(8)}) > 4
    assert play_match(A, B, games=30, seed=np.uint32(4)) == play_match(A, B, games=np.int64(30), seed=4)


@pytest.mark.parametrize(("confidence", "z"), [(0.95, 1.959963984540054), (0.99, 2.5758293035489004)])
def test_the_interval_is_wilsons_and_stalemates_count_as_lost(confidence, z):
    for wins, games in [(0, 10), (10, 10), (53, 100), (1, 1)]:
        p = wins / games
        middle = (p + z * z / (2 * games)) / (1 + z * z / games)
        half = z / (1 + z * z / games) * (p * (1 - p) / games + z * z / (4 * games * games)) ** 0.5
        expected = pytest.approx((middle - half, middle + half), abs=1e-12)
        assert Match(wins, games - wins).interval(confidence) == expected
        assert Match(wins, 0, games - wins).interval(confidence) == expected


def test_strategies_must_play_by_the_same_rules_under_whatever_name():
    for other in (Pig(target=31), Pig(target=30, allow_pass=True)):
        with pytest.raises(InputError, match="must play the same game"):
            play_match(A, hold_at(other, 8))
    piglet, race = Piglet(target=8), Race(8, {1: 0.5}, 0.5)
    assert play_match(hold_at(piglet, 2), hold_at(race, 3), games=50).games == 50


@pytest.mark.parametrize("games", [0, 1.5, "100", True])
def test_a_number_of_games_that_is_none_is_refused(games):
    with pytest.raises(InputError, match=r"games = .*at least 1"):
        play_match(A, B, games=games)


class TestPairedDice:
    def test_a_strategy_wins_every_couple_of_games_with_itself_once(self):
        for game in (GAME, Pig(target=100), Piglet(target=12, heads=0.6), Race(25, {1: 0.1, 4: 0.3, 7: 0.25}, 0.35)):
            a = random_strategy(game, seed=3)
            match = play_match(a, Strategy(game, a.roll, "copy"), games=600, seed=1, paired=True)
            assert match == Match(300, 300, couples_won=0)

    def test_swapped_names_swap_the_games_of_every_couple(self):
        forth, back = (play_match(*seats, games=500, seed=2, paired=True) for seats in ((A, B), (B, A)))
        assert (forth.wins, forth.losses) == (back.losses, back.wins)

    def test_pairs_of_a_judge_are_the_matches(self):
        rows = np.stack([A.table, B.table])
        counts = play_pairs(GAME, rows, [(0, 1)], 500, Draw(2, "dice"), paired=True)
        match = play_match(A, B, games=500, seed=2, paired=True)
        assert counts.tolist() == [[match.wins, match.losses, 0, 0, 0]]

    def test_saves_two_thirds_of_the_variance_between_hold_at_20_and_25(self):
        a, b = hold_at(Pig(), 20), hold_at(Pig(), 25)
        (low, high), (paired_low, paired_high) = (
            play_match(a, b, games=200_000, seed=1, paired=paired).interval(0.999) for paired in (False, True)
        )
        assert ((paired_high - paired_low) / (high - low)) ** 2 == pytest.approx(0.33, abs=0.02)
        assert paired_low <= win_probability(a, b).overall <= paired_high

    @pytest.mark.parametrize("games", [40, pytest.param(400, marks=pytest.mark.slow)])
    def test_the_interval_holds_the_exact_figure_as_often_as_it_says(self, games):
        matches = (play_match(A, B, games=games, seed=seed, workers=1, paired=True) for seed in range(1000))
        intervals = np.array([match.interval(0.9) for match in matches])
        truth = win_probability(A, B).overall
        assert 0.86 < ((intervals[:, 0] <= truth) & (truth <= intervals[:, 1])).mean() < 0.95

    def test_couples_that_are_independent_give_wilsons_interval(self):
        alone, coupled = Match(5000, 5000).interval(), Match(5000, 5000, couples_won=1250).interval()
        assert coupled == pytest.approx(alone, abs=1e-5)

    def test_a_short_match_of_equals_is_not_certain(self):
        low, high = Match(10, 10, couples_won=0).interval()
        assert low < 0.42
        assert high > 0.58

    def test_an_odd_number_of_games_is_refused(self):
        rows, pairs = np.stack([A.table, B.table]), [(0, 1)]
        for make in (
            lambda: play_match(A, B, games=3, paired=True),
            lambda: play_pairs(GAME, rows, pairs, 3, Draw(1, "dice"), paired=True),
            lambda: Games(games=3, paired=True),
        ):
            with pytest.raises(InputError, match="must be even"):
                make()


GAMES = 100_000
DEVIATIONS = 3.2905  # 99.9 % of a normal distribution

PIG = pigevo.Pig()
PASSING = pigevo.Pig(allow_pass=True)
PAIRS = {
    "hold_at 20 v 25": (pigevo.hold_at(PIG, 20), pigevo.hold_at(PIG, 25)),
    "score v keep pace": (pigevo.score(PIG, 20), pigevo.keep_pace_and_end_race(PIG)),
    "turtle v roll_to_win": (pigevo.turtle(PIG, 5), pigevo.roll_to_win(PIG)),
    "random v hold_at 20": (pigevo.random_strategy(PIG, seed=4), pigevo.hold_at(PIG, 20)),
    "roll_and_wait v turtle": (pigevo.roll_and_wait(PASSING), pigevo.turtle(PASSING, 5)),
    "skip_when_level v itself": (pigevo.skip_when_level(PASSING), pigevo.skip_when_level(PASSING)),
    "biased Piglet": tuple(pigevo.hold_at(pigevo.Piglet(10, 0.7), n) for n in (2, 5)),
    "ten-sided": tuple(pigevo.hold_at(pigevo.Pig(60, 10), n) for n in (12, 30)),
}


def assert_near(count, games, p):
    assert abs(count - games * p) <= DEVIATIONS * np.sqrt(games * p * (1 - p)) + 1e-6


@pytest.mark.parametrize("name", PAIRS)
def test_a_match_lies_around_the_exact_win_and_stalemate_probabilities(name):
    a, b = PAIRS[name]
    m = pigevo.play_match(a, b, games=GAMES, seed=11)
    p, q = pigevo.win_probability(a, b), pigevo.win_probability(b, a)
    assert m.unfinished == 0
    assert m.wins + m.losses + m.stalemates == GAMES
    assert_near(m.wins, GAMES, p.overall)
    assert_near(m.losses, GAMES, q.overall)
    assert_near(m.stalemates, GAMES, (p.stalemate_first + p.stalemate_second) / 2)
    low, high = m.interval(0.999)
    assert low <= p.overall <= high
    assert high - low < 0.011
    assert m.win_rate == m.wins / GAMES


@pytest.mark.parametrize("starter", [0, 1])
@pytest.mark.parametrize("name", ["skip_when_level v itself", "biased Piglet", "ten-sided"])
def test_an_independent_simulator_lies_around_the_same_figures(name, starter):
    a, b = PAIRS[name]
    games = 1500
    won_a, won_b, nobody = two.play_many(a.game, a.roll, b.roll, games, seed=17, starter=starter)
    p, q = pigevo.win_probability(a, b), pigevo.win_probability(b, a)
    assert_near(won_a, games, (p.first, p.second)[starter])
    assert_near(won_b, games, (q.second, q.first)[starter])
    assert_near(nobody, games, (p.stalemate_first, p.stalemate_second)[starter])


def test_a_match_that_would_take_ages_is_given_up_and_said_to_be_unfinished():
    """With two sides, rolling to 100 takes 2 ** 50 tries."""
    rolls = pigevo.roll_to_win(pigevo.Pig(100, 2))
    m = pigevo.play_match(rolls, rolls, games=2, seed=1)
    assert (m.wins, m.losses, m.stalemates, m.unfinished) == (0, 0, 0, 2)
