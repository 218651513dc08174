"""What strategies for two and for three do, in figures and words, against a walk through their cells."""

from dataclasses import asdict

import numpy as np
import pytest

import pigevo
from pigevo import three_player as tp
from pigevo.exact import best_response, optimal, reach, win_probability
from pigevo.figures.character import beside_data, character_data, gap_cells, hold_data, places_of
from pigevo.figures.three_advice import PLACES, advice_data, describe_advice, plays_data
from pigevo.games import GAMES
from pigevo.strategies import Strategy
from tests.games.tiny import sample

GAME = pigevo.Pig(target=40)


def changed(strategy, cells):
    roll = strategy.roll.copy()
    for cell, value in cells.items():
        roll[cell] = value
    return Strategy(strategy.game, roll, "changed")


def holds_of(strategy):
    return {hold.place: hold for hold in hold_data(strategy)}


def share_of_play(a, b, cell):
    """The share of the decisions of a against b that fall at a cell."""
    visits = np.where(np.broadcast_to(GAME.decision_states, GAME.shape), reach(a, b).overall, 0)
    return visits[cell] / visits.sum()


def test_a_hold_has_the_totals_at_which_it_rolls_again():
    strategy = changed(pigevo.hold_at(GAME, 8), {(0, 0, 10): True, (0, 0, 11): True, (0, 0, 20): True})
    start, level, *_ = hold_data(strategy)
    assert (start.place, start.at, start.first) == ("at the start", {"own": 0, "opponent": 0}, 8)
    assert start.again == ((10, 11), (20, 20))
    assert (level.at, level.first, level.again, level.wins) == ({"own": 20, "opponent": 20}, 8, (), False)


def test_who_rolls_to_the_end_holds_nowhere():
    holds = hold_data(pigevo.roll_to_win(GAME))
    assert {(hold.first, hold.wins) for hold in holds} == {(None, False)}
    near = holds_of(pigevo.hold_at(GAME, 8))["ahead near the end"]
    assert (near.at["own"], near.first, near.wins) == (34, None, True)


@pytest.mark.parametrize("name", ["skunk", "equal_turns"])
@pytest.mark.parametrize(("hold", "first", "wins"), [(12, 12, False), (13, None, True)])
def test_in_a_race_with_a_last_turn_only_the_cap_wins_at_once(name, hold, first, wins):
    """Who stands at 17 of 20 may go on beyond the target: holding at 12 is a choice there, and at 13 it would win."""
    game = GAMES[name].function(target=20, cap=30)
    near = holds_of(Strategy.from_function(game, lambda i, j, k: k < hold))["ahead near the end"]
    assert (near.at["own"], near.first, near.wins) == (17, first, wins)


@pytest.mark.parametrize("name", sample("skunk", "ten_rounds"))
def test_every_game_has_its_places_and_its_figures(name):
    small = {"target": 12} if "target" in GAMES[name].options else {"turns": 3, "cap": 30}
    game = GAMES[name].function(**small)
    for at in places_of(game).values():
        assert set(at) <= {axis.name for axis in game.between}
        assert all(at[axis.name] in axis.values for axis in game.between if axis.name in at)
    strategy = pigevo.hold_at(game, 5)
    character, best = character_data(strategy), optimal(game).strategy
    assert character.overall == pytest.approx(win_probability(strategy, best).overall)
    assert character.exploitability == pytest.approx(best_response(strategy).overall - 0.5)
    assert (character.gap_places, character.gap_decisions, character.chance) == (0, 0, 0)


@pytest.mark.parametrize(
    "game",
    [GAME, pigevo.Pig(target=15, allow_pass=True), GAMES["ten_rounds"].function(turns=2, cap=12, rolls=True)],
    ids=str,
)
def test_gaps_are_rolls_above_a_hold(game):
    between = len(game.between)
    random, again = pigevo.random_strategy(game, 4), {(1,) * between + (7,): True}
    strategy = changed(pigevo.hold_at(game, 4), again) if game.remembers else random
    gaps = gap_cells(strategy)
    for cell in np.argwhere(gaps)[::97]:
        place, total = tuple(cell[:between]), cell[between]
        rolls = strategy.roll[place].reshape(game.size, -1).any(axis=1)
        assert strategy.roll[tuple(cell)]
        assert not rolls[0 if game.allow_pass else 1 : total].all()
    assert gaps.any()
    assert not gap_cells(pigevo.hold_at(game, 4)).any()


def test_gaps_are_weighed_by_play():
    strategy = changed(pigevo.hold_at(GAME, 8), {(0, 0, 9): True, (0, 0, 30): True})
    character = character_data(strategy)
    assert character.gap_places == pytest.approx(1 / 1600)
    gaps = share_of_play(strategy, optimal(GAME).strategy, (0, 0, 9))
    assert character.gap_decisions == pytest.approx(gaps)
    assert gaps > 0


def test_strategies_differ_by_play_and_by_cells():
    a, b = pigevo.hold_at(GAME, 8), changed(pigevo.hold_at(GAME, 8), {(0, 0, 5): False, (39, 39, 0): True})
    beside = beside_data(a, b)
    assert beside.cells == pytest.approx(1 / np.broadcast_to(GAME.decision_states, GAME.shape).sum())
    assert beside.decisions == pytest.approx(share_of_play(a, b, (0, 0, 5)))
    assert beside.overall == pytest.approx(win_probability(a, b).overall)


def test_chance_is_the_share_of_decisions_left_to_it():
    half = Strategy(GAME, np.where(GAME.decision_states, 0.5, pigevo.hold_at(GAME).roll.astype(float)))
    assert character_data(half).chance == 1


def test_there_is_no_exploitability_where_a_draw_is_no_half():
    game = GAMES["ten_rounds"].function(turns=2, cap=20, draw=0.0)
    character = character_data(pigevo.hold_at(game, 5))
    assert character.exploitability is None
    assert character.best_response == pytest.approx(best_response(pigevo.hold_at(game, 5)).overall)


@pytest.fixture(scope="module")
def solution():
    return tp.solve(tp.Game(target=40))


def test_holds_are_those_of_the_strategy():
    game = tp.Piglet(20)
    holds_at_five = tp.Strategy.from_function(game, lambda a, b, c, k: k < 5 or (k in (7, 8) and b < c))
    plays = plays_data(holds_at_five)
    assert [hold.place for hold in plays.holds] == list(PLACES)
    holds = {hold.place: hold for hold in plays.holds}
    assert holds["leads late"].at == {"own": 15, "next": 10, "third": 10}
    assert holds["leads late"].first is None  # with 5 points to go there is nothing to hold at
    assert holds["follows, the leader moves next"].first == 5
    assert holds["follows, the leader moves next"].again == ((7, 8),)
    assert holds["follows, the leader moves last"].again == ()
    assert plays.level == 15
    assert plays_data(tp.Strategy.from_function(game, lambda *_: 1)).level == 0


def test_what_the_two_player_optimum_loses_is_counted_seat_by_seat(solution):
    advice, other = advice_data(solution), tp.lifted(solution.game, "leader")
    for seat, lost in enumerate(advice.loses):
        seated = [other if n == seat else solution.strategy for n in range(3)]
        assert lost == pytest.approx(solution.value[seat] - tp.win_probabilities(seated)[seat], abs=1e-14)
    assert min(advice.loses) > 1e-3
    text = "\n".join(describe_advice(asdict(advice)))
    lost = [100 * loss for loss in advice.loses]
    assert f"{sum(lost) / 3:.2f} percentage points of win probability, by seat {lost[0]:.2f}" in text
    assert "it rolls until it has won from the start, the two-player optimum from 2 points each on" in text


def test_leading_and_following_differ_in_words():
    game = tp.Piglet(20)
    leads = tp.Strategy.from_function(game, lambda a, b, c, k: k < (3 if a < min(b, c) else 5 if b < c else 6))
    plays = asdict(plays_data(leads))
    text = "\n".join(describe_advice({"strategies": [plays, plays], "loses": [0.0, 0.0, 0.0]}))
    assert (
        "Ahead halfway it holds at 3; behind the leader it holds at 5 if the leader moves next and holds at 6" in text
    )
