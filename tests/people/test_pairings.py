"""Whole games: who wins by the seat, and whether mirrored games are fairer."""

import numpy as np
import pytest
from scipy import stats

import pigevo
from pigevo.errors import InputError
from pigevo.people import Pairings, analyse, as_csv, parse_people
from pigevo.people.pairings import compared, pairings, roll_correlation, winner_of
from tests.people.games import people

PIG = pigevo.Pig(target=10)


def record(*games):
    """Games by their players, the first mover in front, and the rolls and points of all turns."""
    rows = ["game,player,turn,rolls,banked"]
    for number, (players, turns) in enumerate(games):
        rows += [f"g{number},{players[n % 2]},{n // 2 + 1},{r},{b}" for n, (r, b) in enumerate(turns)]
    return parse_people("\n".join(rows), PIG)


WON = [(2, 10)]
"""The first turn wins."""

LOST = [(1, 0), (2, 10)]


@pytest.mark.parametrize("target", [3, 10])
def test_games_that_are_won_in_the_first_turn_count_as_such(target):
    """They have one player's turns alone in the file; of 40 games to 10 the first player seemed to win none of 16."""
    game = pigevo.Pig(target=target)
    games = people(pigevo.hold_at(game, target), pigevo.hold_at(game, target), games=40, seed=11)
    won = sum(winner_of(played, target) == played.players[0] for played in games.games)
    assert sum(played.ended_at_once(target) for played in games.games) > 5
    read = parse_people(as_csv(games), game)
    assert as_csv(read) == as_csv(games)  # the seat of the only player, too
    for known in (games, read):
        seats = pairings(known, {}).seats
        assert (seats.games, seats.won) == (40, won)
    turns = sum(len(played.turns) for played in games.games)
    assert sum(habits.judged for habits in analyse(read).players) == turns


def test_a_player_without_an_opponent_has_one_seat():
    rows = "game,player,seat,turn,rolls,banked\na,x,{},1,2,5\na,x,{},2,2,5\n"
    assert [parse_people(rows.format(*seats), PIG).games[0].seat for seats in ((2, ""), ("", 1), ("", ""))] == [
        2,
        1,
        None,
    ]
    with pytest.raises(InputError, match=r"row 3: the seat of x in game a was 1 above"):
        parse_people(rows.format(1, 2), PIG)


def test_a_difference_of_shares_has_newcombe_s_interval():
    values = np.array([1] * 56 + [0] * 14 + [1] * 48 + [0] * 32, dtype=float)
    comparison = compared(values, np.arange(150) < 70, shares=True)
    assert (comparison.games, comparison.others) == (70, 80)
    assert comparison.difference == pytest.approx(0.2)
    assert (comparison.low, comparison.high) == pytest.approx((0.0524, 0.3339), abs=5e-5)  # Newcombe 1998, table II
    assert comparison.verdict == "more"


def test_a_difference_of_means_has_welch_s_interval():
    values = np.array([0.1, 0.2, 0.15, 0.12, 0.5, 0.6, 0.4])
    comparison = compared(values, np.arange(7) < 4)
    oracle = stats.ttest_ind(values[:4], values[4:], equal_var=False)
    assert (comparison.low, comparison.high) == pytest.approx(tuple(oracle.confidence_interval(0.95)))
    assert comparison.verdict == "less"
    assert compared(-values, np.arange(7) < 4).verdict == "more"


@pytest.mark.parametrize("shares", [True, False])
@pytest.mark.parametrize("chosen", [0, 2, 6])
def test_of_few_games_nothing_is_decided(chosen, shares):
    comparison = compared(np.array([1.0, 1, 0, 0, 0, 0]), np.arange(6) < chosen, shares)
    assert (comparison.low, comparison.high, comparison.verdict) == (None, None, "undecided")
    assert compared(np.ones(6), np.arange(6) < 3).verdict == "undecided"


def test_who_moved_first_is_counted_where_somebody_has_won():
    seats = pairings(record(("xy", LOST), ("xy", LOST), ("yx", LOST), ("xz", WON)), {}).seats
    assert (seats.games, seats.won, seats.verdict) == (3, 0, "undecided")  # the last one has one side only
    many = [("xy", LOST)] * 6 + [("xy", [(1, 0), (1, 0)])]
    assert pairings(record(*many), {}).seats.verdict == "second"
    assert pairings(record(*many), {}).seats.games == 6


def test_seats_are_mirrored_where_each_moved_first_equally_often():
    games = [("xy", LOST), ("yx", LOST), ("xz", LOST), ("zx", LOST), ("xz", LOST)]
    mirrored = pairings(record(*games), {}).mirrored_seats
    assert (mirrored.games, mirrored.others) == (2, 3)


ALIKE = [(1, 0), (1, 0), (3, 0), (3, 0), (1, 0), (1, 0), (2, 0), (2, 0), (4, 0)]
OPPOSITE = [(1, 0), (3, 0)] * 4


def test_rolls_correlate_with_those_of_the_turn_before():
    alike, opposite, few, same = record(
        ("xy", ALIKE), ("xy", OPPOSITE), ("xy", ALIKE[:5]), ("xy", [(1, 0)] * 8)
    ).games  # fmt: skip
    rolls = [turn.rolls for turn in alike.turns]
    assert roll_correlation(alike) == pytest.approx(stats.spearmanr(rolls[:-1], rolls[1:]).statistic)
    assert roll_correlation(alike) > 0
    assert roll_correlation(opposite) == pytest.approx(-1)
    assert roll_correlation(few) is None
    assert roll_correlation(same) is None


def test_mirrored_play_is_fairer_where_both_gave_away_alike():
    people = record(*[("xy", ALIKE)] * 4, *[("xy", OPPOSITE)] * 3)
    given = {(f"g{n}", "x"): 0.1 + 0.01 * n for n in range(4)} | {(f"g{n}", "y"): 0.11 for n in range(4)}
    given |= {(f"g{n}", "x"): 0.4 + 0.01 * n for n in range(4, 7)}
    paired = pairings(people, given)
    assert paired.mirrored == ("g0", "g1", "g2", "g3")
    assert paired.mirrored_play.mean == pytest.approx(0.01)
    assert paired.mirrored_play.other == pytest.approx(0.45)
    assert paired.mirrored_play.verdict == "less"


def test_the_difference_of_a_game_is_that_of_the_players_costs():
    people = record(("xy", [*ALIKE[:6], (1, 2), *ALIKE[7:]]), ("xy", [(1, 3), *OPPOSITE[1:]]))
    analysis = analyse(people)
    assert isinstance(analysis.pairings, Pairings)
    costs = [
        abs(sum(sign * turn.cost.mean for sign, player in zip((1, -1), analysis.players, strict=True)
                for turn in player.costly if turn.game == game)) for game in ("g0", "g1")
    ]  # fmt: skip
    play = analysis.pairings.mirrored_play
    assert (play.mean, play.other) == pytest.approx((costs[0], costs[1]))
    assert 0 < costs[0] != costs[1] > 0
