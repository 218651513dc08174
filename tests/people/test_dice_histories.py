"""The dice that fit a turn, and what turns cost, against every single row of dice."""

import itertools
import math

import numpy as np
import pytest

import pigevo
from pigevo.people import RecordedTurn, turn_cost, worths_of
from pigevo.people.costs import DIFFERS
from pigevo.people.dice_histories import can_be, ways
from tests.people.games import played, turns_of

GAMES = [pigevo.Pig(target=30, sides=4), pigevo.Race(24, {1: 0.3, 6: 0.3}, 0.4)]


def fitting(game, own, rolls, banked):
    """Every row of points that fits, with its chance."""
    chances = dict(game.die) | {0: game.bust}
    for row in itertools.product(chances, repeat=rolls):
        *before, last = row
        if 0 in before or own + sum(before) >= game.target or (0 if last == 0 else sum(row)) != banked:
            continue
        yield row, math.prod(chances[points] for points in row)


def decisions(game, own, row):
    """The turn totals at which the player decided, and whether it rolled."""
    totals = np.cumsum(row).tolist()
    for total in totals[:-1]:
        yield total, True
    if row[-1] and own + totals[-1] < game.target:
        yield totals[-1], False


@pytest.mark.parametrize("game", GAMES, ids=str)
@pytest.mark.parametrize(("own", "opponent"), [(0, 7), (9, 2), (20, 3)])
def test_against_every_row_of_dice(game, own, opponent):
    worths, seen = worths_of(game), 0
    dear = 0
    for rolls, banked in itertools.product(range(1, 6), range(0, game.target + 6)):
        rows = list(fitting(game, own, rolls, banked))
        assert bool(rows) == (can_be(game, own, rolls, banked, None) == "")
        if not rows:
            continue
        seen += 1
        turn = RecordedTurn("x", 1, own, opponent, rolls, banked)
        whole = sum(chance for _, chance in rows)
        expected = np.zeros((rolls - 1, game.target))
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
        assert ways(game, turn).at == pytest.approx(expected, abs=1e-12)
        cost = turn_cost(game, turn)
        assert cost.mean == pytest.approx(sum(lost * chance for lost, chance in costs), abs=1e-12)
        assert cost.least == pytest.approx(min(lost for lost, _ in costs), abs=1e-12)
        assert cost.most == pytest.approx(max(lost for lost, _ in costs), abs=1e-12)
        assert cost.differed == pytest.approx(differed, abs=1e-9)
        dear += cost.most > cost.mean > cost.least
    assert seen > 8
    assert dear > 3 or own == 20  # where the dice make a difference


@pytest.mark.parametrize("game", [pigevo.Pig(target=40), pigevo.Piglet(target=8)], ids=str)
def test_the_costs_of_a_strategy_add_up_to_what_it_lacks(game):
    """Exactly: what the optimum wins more against itself is the expected cost of the strategy's decisions."""
    best, worths = pigevo.optimal(game), worths_of(game)
    mine = pigevo.hold_at(game, 5)
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
