"""The dice that fit a turn, and what turns cost, against every single row of dice."""

import itertools
import math

import numpy as np
import pytest

import pigevo
from pigevo.games.pig_variants import HoldToWin
from pigevo.people import RecordedTurn, turn_cost, worths_of
from pigevo.people.analysis import DIFFERS
from pigevo.people.recorded_games import history_of, to_the_target, why_impossible
from tests.people.games import played, turns_of

GAMES = [pigevo.Pig(target=30, sides=4), pigevo.Race(24, {1: 0.3, 6: 0.3}, 0.4), HoldToWin(30, sides=4, beyond=5)]


def fitting(game, own, rolls, banked):
    """Every row of points that fits, with its chance; those that go on past the target only if no other fits."""
    short = list(rows_to(game, game.target, own, rolls, banked))
    return iter(short or rows_to(game, game.size, own, rolls, banked))


def rows_to(game, most, own, rolls, banked):
    chances = dict(game.die) | {0: game.bust}
    for row in itertools.product(chances, repeat=rolls):
        *before, last = row
        if 0 in before or own + sum(before) >= most or (0 if last == 0 else sum(row)) != banked:
            continue
        yield row, math.prod(chances[points] for points in row)


def decisions(game, own, row):
    """The turn totals at which the player decided, and whether it rolled."""
    totals = np.cumsum(row).tolist()
    for total in totals[:-1]:
        yield total, True
    if row[-1] and own + totals[-1] < game.size:
        yield totals[-1], False


@pytest.mark.parametrize("game", GAMES, ids=str)
@pytest.mark.parametrize(("own", "opponent"), [(0, 7), (9, 2), (20, 3)])
def test_against_every_row_of_dice(game, own, opponent):
    worths, seen = worths_of(game), 0
    dear = 0
    for rolls, banked in itertools.product(range(1, 6), range(0, game.size + 6)):
        rows = list(fitting(game, own, rolls, banked))
        assert bool(rows) == (why_impossible(game, own, rolls, banked, None) == "")
        if not rows:
            continue
        seen += 1
        turn = RecordedTurn("x", 1, own, opponent, rolls, banked)
        whole = sum(chance for _, chance in rows)
        expected = np.zeros((rolls - 1, game.size))
        costs, differed = [], 0.0
        for row, chance in rows:
            lost = 0.0
            for n, (total, rolled) in enumerate(decisions(game, own, row)):
                better = (worths.hold - worths.roll)[own, opponent, total]
                lost += max(0.0, better if rolled else -better)
                if rolled:
                    expected[n, total] += chance / whole
            costs.append((lost, chance / whole))
            differed += chance / whole * (lost > DIFFERS)
        assert history_of(game, turn).at == pytest.approx(expected, abs=1e-12)
        cost = turn_cost(game, turn)
        assert cost.mean == pytest.approx(sum(lost * chance for lost, chance in costs), abs=1e-12)
        assert cost.least == pytest.approx(min(lost for lost, _ in costs), abs=1e-12)
        assert cost.most == pytest.approx(max(lost for lost, _ in costs), abs=1e-12)
        assert cost.differed == pytest.approx(differed, abs=1e-9)
        dear += cost.most > cost.mean > cost.least
    assert seen > 8
    assert dear > 3 or own == 20  # where the dice make a difference


@pytest.mark.parametrize("game", [pigevo.Pig(target=40), pigevo.Piglet(target=8), HoldToWin(40, beyond=9)], ids=str)
def test_the_costs_of_a_strategy_add_up_to_what_it_lacks(game):
    """Exactly: what the optimum wins more against itself is the expected cost of the strategy's decisions."""
    best, worths = pigevo.optimal(game), worths_of(game)
    mine = pigevo.Strategy.from_function(game, lambda i, j, k: k < 5)
    decides = np.broadcast_to(game.decision_states, game.shape)
    cost = np.where(decides, np.where(mine.roll, *worths.costs()), 0.0)
    visits = pigevo.reach(mine, best.strategy)
    p = pigevo.win_probability(mine, best.strategy)
    assert (visits.first * cost).sum() == pytest.approx(best.value - p.first, abs=1e-12)
    assert (visits.second * cost).sum() == pytest.approx(best.second - p.second, abs=1e-12)
    assert best.value - p.first > 0.001


def test_the_optimum_costs_nothing_and_dice_make_costs_exact():
    game = pigevo.Pig(target=40)
    best, mine = pigevo.optimal(game).strategy, pigevo.hold_at(game, 8)
    known = played(best, mine, games=10)
    assert all(turn_cost(game, turn).most == 0 for turn in turns_of(known))
    blind = played(best, mine, games=10, dice=False)
    costs = [
        (turn_cost(game, a), turn_cost(game, b))
        for a, b in zip(turns_of(known, "bob"), turns_of(blind, "bob"), strict=True)
    ]
    assert sum(exact.mean for exact, _ in costs) > 0.05
    for exact, averaged in costs:
        assert exact.least == exact.mean == exact.most
        assert averaged.least - 1e-12 <= exact.mean <= averaged.most + 1e-12


def test_without_the_opponent_s_turns_it_is_refused():
    with pytest.raises(pigevo.InputError, match="needs the opponent's turns"):
        turn_cost(pigevo.Pig(target=40), RecordedTurn("x", 1, 0, None, 2, 8))


def test_decisions_with_the_target_reached_say_nothing_of_a_hold_value():
    game = HoldToWin(30, beyond=20)
    for dice, at, held in (
        ((5, 6, 2, 1), [5], None),  # 18 and 12, and on to 31 and 33
        ((5, 6, 2), [5], None),
        ((5, 4), [5], 9),
        ((6, 6), [6], None),
    ):
        points = tuple(0 if face == 1 else face for face in dice)
        turn = RecordedTurn("x", 1, 20, 0, len(dice), 0 if 0 in points else sum(points), points)
        short, whole = to_the_target(game, turn), history_of(game, turn)
        assert (short.at.argmax(axis=1).tolist(), short.held) == (at, held)
        assert len(whole.at) == len(dice) - 1
        assert whole.held == (None if 0 in points else sum(points))


def test_a_turn_without_dice_went_on_past_the_target_only_if_it_must_have():
    game = HoldToWin(30, beyond=20)
    short, on = (history_of(game, RecordedTurn("x", 1, 25, 0, rolls, 0)) for rolls in (3, 4))
    assert np.flatnonzero(short.at.any(axis=0)).tolist() == [2, 4]
    assert on.at[:, 5:].any()
    assert to_the_target(game, RecordedTurn("x", 1, 25, 0, 4, 0)).at[:, 5:].sum() == 0
